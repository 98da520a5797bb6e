"""What a chain is expected to take in the box stages: its way through the rules, with chances for answers.

The rules are read from `workflows.pipeline.domain`. None of them is repeated here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import prod

from annotation.domain.answers import (
    Answer,
    BoxesAnswer,
    BoxJudgment,
    CheckAnswer,
    CoverageAnswer,
    DrawingAnswer,
    JointStage,
    NoBoxes,
    QualityAnswer,
    Requirement,
    RequirementAnswer,
    Stage,
)
from annotation.domain.geometry import Box
from workflows.batch_settings.domain.paper import TRUSTED_SCORE
from workflows.batch_settings.domain.protocol_groups import Limits
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.domain.judge_course import Judging, model_chances
from workflows.pipeline.domain.joint_verdicts import verdict_of_checks
from workflows.pipeline.domain.moves import PROTOCOLS, Progress, Protocol
from workflows.pipeline.domain.verdicts import SEALED, ModelWeights, Verdict

MAX_VISITS = 60
MAX_JUDGMENTS = 9  # on one item
NEGLIGIBLE = 5e-4
"""A course less likely than this is not followed further."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """Chances that a worker is wrong, 0 to 1. Those of table 3 are 1 minus the score of trusted workers."""

    requirement: float = 1 - TRUSTED_SCORE[Stage.REQUIREMENT]
    overlooked: float = 0.05  # no box is drawn although one is missing [ours]
    added: float = 0.10  # a box is drawn although none is missing [ours]
    bad: float = 1 - TRUSTED_SCORE[Stage.DRAWING]  # a box that was missing is rejected
    kept: float = 1 - TRUSTED_SCORE[Stage.QUALITY]  # a box that was not missing is accepted
    coverage: float = 1 - TRUSTED_SCORE[Stage.COVERAGE]

    def erring(self, factor: float) -> Crowd:
        """Return a crowd that is wrong `factor` times as often, but never more often than right."""
        return Crowd(*(min(0.5, factor * getattr(self, name)) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Truth:
    """What somebody who never errs would see in an item about a chain."""

    boxed: bool  # the chain needs boxes
    missing: int = 0  # boxes that were missing before the new ones
    new: tuple[BoxJudgment, ...] = ()  # the new boxes of a joint check


@dataclass(frozen=True, slots=True)
class Taken:
    """Items and judgments that a chain or an image takes."""

    items: float = 0.0
    judgments: float = 0.0


@lru_cache(maxsize=4096)
def chain_course(
    protocol: str,
    limits: Limits,
    crowd: Crowd,
    boxes: int,
    opening: str,
    prior: float | None = None,
    judging: Judging | None = None,
) -> Mapping[str, Taken]:
    """Return the work of a chain from `opening` to its end, by stage, if it truly needs so many boxes.

    `prior` says how likely it needs one before anybody was asked, for protocols whose rules begin with that.
    `judging` is what a model says to joint checks before workers do, if its answers count.
    """
    rules, settings = PROTOCOLS[protocol], BatchSettings(limits=limits)
    items: dict[str, float] = defaultdict(float)
    judgments: dict[str, float] = defaultdict(float)
    # How far the chain has come, what counts at its next item, and how many boxes were just drawn.
    front: dict[tuple[Progress, tuple[Answer, ...], int], float] = {(Progress(state=opening), (), 0): 1.0}
    for _ in range(MAX_VISITS):
        after: dict[tuple[Progress, tuple[Answer, ...], int], float] = defaultdict(float)
        for (progress, before, new), chance in front.items():
            if progress.state not in rules.decide or chance < NEGLIGIBLE:
                continue
            items[progress.state] += chance
            missing = max(0, boxes - progress.boxes_accepted)
            for answers, verdict, share in _outcomes(
                protocol,
                progress.state,
                before,
                crowd,
                missing,
                boxes > 0,
                new,
                prior_of(rules, progress.state, prior),
                judging if progress.state == JointStage.CHECK else None,
            ):
                judgments[progress.state] += chance * share * (len(answers) - len(before))
                then, rule = rules.step(progress, verdict, (), settings)
                counted = answers[-1:] if rule in rules.counts_next else ()
                # Fields that the rules do not look at would only keep equal courses apart.
                then = replace(then, visits=0, flag="", reason="")
                after[then, counted, len(verdict.boxes)] += chance * share
        front = after
    return {stage: Taken(items[stage], judgments[stage]) for stage in items}


@lru_cache(maxsize=4096)
def _outcomes(
    protocol: str,
    stage: str,
    before: tuple[Answer, ...],
    crowd: Crowd,
    missing: int,
    boxed: bool,
    new: int,
    prior: float | None,
    judging: Judging | None,
) -> Sequence[tuple[tuple[Answer, ...], Verdict, float]]:
    """Return the ways in which an item may be decided: workers' answers, verdict and chance."""
    rules = PROTOCOLS[protocol]
    found = []
    for truth, likely in truths(stage, boxed, missing, new, crowd):
        choices = answer_chances(stage, truth, crowd)
        if judging is not None:
            found += _judged(truth, choices, likely, judging)
            continue
        open_ = [(before, likely)]
        for _ in range(MAX_JUDGMENTS):
            waiting = []
            for given, chance in open_:
                for answer, share in choices:
                    answers = (*given, answer)
                    verdict = rules.verdict_with(prior, stage, answers)
                    if verdict is None:
                        waiting.append((answers, chance * share))
                    else:
                        found.append((answers, verdict, chance * share))
            open_ = waiting
            if not open_:
                break
    return found


def _judged(
    truth: Truth, choices: Sequence[tuple[Answer, float]], likely: float, judging: Judging
) -> list[tuple[tuple[Answer, ...], Verdict, float]]:
    """Return the ways in which a joint check may be decided that a model has answered before workers.

    Their order does not matter to the rule, so answers are put in order, and equal ways are added up.
    """
    found: dict[tuple[int, Verdict], float] = defaultdict(float)
    for model, said in model_chances(judging, truth.new, truth.missing > there_of(truth)):
        open_: Mapping[tuple[int, ...], float] = {(): likely * said}
        for judges in range(MAX_JUDGMENTS + 1):
            waiting: dict[tuple[int, ...], float] = defaultdict(float)
            for given, chance in open_.items():
                verdict = _verdict_of_check(model, tuple(choices[place][0] for place in given))
                if verdict is not None:
                    found[judges, verdict] += chance
                    continue
                for place, (_, share) in enumerate(choices):
                    waiting[tuple(sorted((*given, place)))] += chance * share
            open_ = waiting
    return [((choices[0][0],) * judges, verdict, chance) for (judges, verdict), chance in found.items()]


@lru_cache(maxsize=100_000)
def _verdict_of_check(model: ModelWeights, answers: tuple[Answer, ...]) -> Verdict | None:
    said = [answer for answer in answers if isinstance(answer, CheckAnswer)]
    return verdict_of_checks(said, None if model == SEALED else model)


def there_of(truth: Truth) -> int:
    """Return how many of the new boxes are around something that was missing, drawn well or not."""
    return sum(box is not BoxJudgment.DOUBLE for box in truth.new)


def prior_of(rules: Protocol, stage: str, prior: float | None) -> float | None:
    """Return the prior of a chain if the rule of this stage begins with one. By default, it is even."""
    return (0.5 if prior is None else prior) if stage in rules.priors else None


def truths(stage: str, boxed: bool, missing: int, new: int, crowd: Crowd) -> list[tuple[Truth, float]]:
    """Return the possible truths about an item, and their probabilities.

    Of the `new` boxes that were drawn together, as many as were missing are around something that was
    missing, and each of these may be drawn badly. Any others are doubles.
    """
    if stage != JointStage.CHECK:
        return [(Truth(boxed, missing), 1.0)]
    around = min(new, missing)
    doubles = (BoxJudgment.DOUBLE,) * (new - around)
    drawn = ((BoxJudgment.GOOD, 1 - crowd.bad), (BoxJudgment.LOOSE, crowd.bad))
    return [
        (Truth(boxed, missing, (*(box for box, _ in one), *doubles)), prod(chance for _, chance in one))
        for one in product(drawn, repeat=around)
    ]


def answer_chances(stage: str, truth: Truth, crowd: Crowd) -> list[tuple[Answer, float]]:
    """Return the possible answers of a worker, and their probabilities."""
    if stage == JointStage.CHECK:
        return _check_chances(truth, crowd)
    yes: Answer
    no: Answer
    missing = truth.missing > 0
    match stage:
        case Stage.REQUIREMENT:
            yes, no = RequirementAnswer(Requirement.BOX), RequirementAnswer(Requirement.NOBOX)
            chance = 1 - crowd.requirement if truth.boxed else crowd.requirement
        case Stage.DRAWING:
            yes, no = DrawingAnswer(Box(0, 0, 1, 1)), DrawingAnswer(None)
            chance = 1 - crowd.overlooked if missing else crowd.added
        case JointStage.BOXES:
            # Whoever overlooks a box overlooks one of them.
            yes, no = _drawn(max(1, truth.missing)), _drawn(max(0, truth.missing - 1))
            chance = 1 - crowd.overlooked if missing else crowd.added
        case Stage.QUALITY:
            yes, no = QualityAnswer(True), QualityAnswer(False)
            chance = 1 - crowd.bad if missing else crowd.kept
        case _:
            yes, no = CoverageAnswer(True), CoverageAnswer(False)
            chance = crowd.coverage if missing else 1 - crowd.coverage
    return [(yes, chance), (no, 1 - chance)]


def _drawn(boxes: int) -> BoxesAnswer:
    if not boxes:
        return BoxesAnswer(none=NoBoxes.DONE)
    return BoxesAnswer(tuple(Box(place, 0, place + 1, 1) for place in range(boxes)))


def _check_chances(truth: Truth, crowd: Crowd) -> list[tuple[Answer, float]]:
    """Return what a worker may say of all new boxes and of whether one is missing.

    A bad box that is around the right thing still counts as there. A good box is taken for a loose one.
    """
    missing = truth.missing > there_of(truth)
    of_boxes = [
        (
            (box, 1 - crowd.kept),
            (BoxJudgment.LOOSE if box is BoxJudgment.GOOD else BoxJudgment.GOOD, crowd.kept),
        )
        for box in truth.new
    ]
    of_missing = ((missing, 1 - crowd.coverage), (not missing, crowd.coverage))
    return [
        (
            CheckAnswer(tuple(box for box, _ in said), misses),
            prod(chance for _, chance in said) * chance_of_missing,
        )
        for said in product(*of_boxes)
        for misses, chance_of_missing in of_missing
    ]
