"""What a chain is expected to take in the box stages: its way through the rules, with chances for answers.

The rules are read from `workflows.pipeline.domain`. None of them is repeated here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from annotation.domain.answers import (
    Answer,
    CoverageAnswer,
    DrawingAnswer,
    QualityAnswer,
    Requirement,
    RequirementAnswer,
    Stage,
)
from annotation.domain.geometry import Box
from workflows.batch_settings.domain.paper import TRUSTED_SCORE
from workflows.batch_settings.domain.settings import BatchSettings, Limits
from workflows.pipeline.domain.moves import PROTOCOLS, Progress, Protocol
from workflows.pipeline.domain.verdicts import Verdict

MOST_VISITS = 60
MOST_JUDGMENTS = 9  # on one item
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
class Taken:
    """Items and judgments that a chain or an image takes."""

    items: float = 0.0
    judgments: float = 0.0


@lru_cache(maxsize=4096)
def chain_course(
    protocol: str, limits: Limits, crowd: Crowd, boxes: int, opening: str
) -> Mapping[str, Taken]:
    """Return what a chain takes from `opening` to its end, by stage, if it truly needs so many boxes."""
    rules, settings = PROTOCOLS[protocol], BatchSettings(limits=limits)
    items: dict[str, float] = defaultdict(float)
    judgments: dict[str, float] = defaultdict(float)
    front: dict[tuple[Progress, tuple[Answer, ...]], float] = {(Progress(state=opening), ()): 1.0}
    for _ in range(MOST_VISITS):
        after: dict[tuple[Progress, tuple[Answer, ...]], float] = defaultdict(float)
        for (progress, before), chance in front.items():
            if progress.state not in rules.decide or chance < NEGLIGIBLE:
                continue
            items[progress.state] += chance
            for answers, verdict, share in _outcomes(rules, progress, before, crowd, boxes):
                judgments[progress.state] += chance * share * (len(answers) - len(before))
                then, rule = rules.step(progress, verdict, (), settings)
                counted = answers[-1:] if rule in rules.counts_next else ()
                # Fields that the rules do not look at would only keep equal courses apart.
                after[replace(then, visits=0, flag="", reason=""), counted] += chance * share
        front = after
    return {stage: Taken(items[stage], judgments[stage]) for stage in items}


def _outcomes(
    rules: Protocol, progress: Progress, before: tuple[Answer, ...], crowd: Crowd, boxes: int
) -> list[tuple[tuple[Answer, ...], Verdict, float]]:
    """Return the ways in which an item may be decided: answers, verdict and chance."""
    choices = answer_chances(progress.state, progress.boxes_accepted < boxes, boxes > 0, crowd)
    open_ = [(before, 1.0)]
    found = []
    for _ in range(MOST_JUDGMENTS):
        waiting = []
        for given, chance in open_:
            for answer, share in choices:
                answers = (*given, answer)
                verdict = rules.decide[progress.state](answers)
                if verdict is None:
                    waiting.append((answers, chance * share))
                else:
                    found.append((answers, verdict, chance * share))
        open_ = waiting
        if not open_:
            break
    return found


def answer_chances(stage: str, missing: bool, boxed: bool, crowd: Crowd) -> list[tuple[Answer, float]]:
    """Return what a worker may answer, and how likely each answer is.

    `missing` says whether a box is missing, `boxed` whether the chain needs boxes at all.
    """
    yes: Answer
    no: Answer
    match stage:
        case Stage.REQUIREMENT:
            yes, no = RequirementAnswer(Requirement.BOX), RequirementAnswer(Requirement.NOBOX)
            chance = 1 - crowd.requirement if boxed else crowd.requirement
        case Stage.DRAWING:
            yes, no = DrawingAnswer(Box(0, 0, 1, 1)), DrawingAnswer(None)
            chance = 1 - crowd.overlooked if missing else crowd.added
        case Stage.QUALITY:
            yes, no = QualityAnswer(True), QualityAnswer(False)
            chance = 1 - crowd.bad if missing else crowd.kept
        case _:
            yes, no = CoverageAnswer(True), CoverageAnswer(False)
            chance = crowd.coverage if missing else 1 - crowd.coverage
    return [(yes, chance), (no, 1 - chance)]
