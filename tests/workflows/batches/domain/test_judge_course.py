"""What a model that judges saves, against chains that are played through by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from statistics import fmean, stdev
from typing import TypeVar

import pytest

from annotation.domain.answers import BoxJudgment, JointStage
from workflows.batch_settings.domain.protocol_groups import Limits
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batches.domain.chain_course import (
    Crowd,
    answer_chances,
    chain_course,
    prior_of,
    there_of,
    truths,
)
from workflows.batches.domain.judge_course import Judging, KindOfBox, Said, bad_boxes, model_chances
from workflows.batches.domain.judge_forecast import judging_of, ways_of
from workflows.batches.domain.knowledge import Knowledge
from workflows.judges.domain.accuracy import Bounded, Rates
from workflows.judges.domain.gate import Record, weight_of
from workflows.judges.domain.kinds import NOTHING_MISSING, NOTHING_MISSING_BESIDE, PEOPLE
from workflows.pipeline.domain.moves import ENTITIES_FAST, Progress
from workflows.pipeline.domain.verdicts import SEALED, ModelWeights, Verdict

_Drawn = TypeVar("_Drawn")
CHECK, GOOD = JointStage.CHECK, BoxJudgment.GOOD
SURE, OWN = Said(0.88, 0.86, 1.5, -1.8), Said(0.93, 0.7, 1.9, -1.2)
BOXES = (KindOfBox(PEOPLE, 0.6, 0.18), KindOfBox("owl", 0.4, 0.06))
ALL_OPEN = ((PEOPLE, SURE), ("owl", OWN), (NOTHING_MISSING, SURE), (NOTHING_MISSING_BESIDE, OWN))
JUDGING = Judging(0.9, BOXES, ALL_OPEN)
CROWD = Crowd(bad=bad_boxes(BOXES))
CHAINS = 6000
LIKELY = 0.9


def _pick(rng: Random, chances: Sequence[tuple[_Drawn, float]]) -> _Drawn:
    return rng.choices([one for one, _ in chances], [chance for _, chance in chances])[0]


def _weighs(rng: Random, judging: Judging, new: Sequence[BoxJudgment], missing: bool) -> ModelWeights:
    """Draw first where each box is from, then what the model says of it."""
    kinds = [
        _pick(
            rng,
            [
                (one.kind, one.share * (1 - one.bad if truth is BoxJudgment.GOOD else one.bad))
                for one in judging.boxes
            ],
        )
        if truth is not BoxJudgment.DOUBLE
        else _pick(rng, [(one.kind, one.share) for one in judging.boxes])
        for truth in new
    ]
    complete = NOTHING_MISSING if set(kinds) <= {PEOPLE} else NOTHING_MISSING_BESIDE
    said = dict(judging.open)
    if rng.random() >= judging.share or not {complete, *kinds} <= said.keys():
        return SEALED

    def answer(kind: str, truth: bool) -> float:
        one = said[kind]
        yes = rng.random() < (one.sensitivity if truth else 1 - one.specificity)
        return one.yes if yes else one.no

    boxes = tuple(answer(kind, truth is BoxJudgment.GOOD) for kind, truth in zip(kinds, new, strict=True))
    return ModelWeights(boxes, answer(complete, not missing))


def _play(rng: Random, boxes: int, judging: Judging | None) -> Counter[str]:
    """Count the judgments of workers on a chain, with the rules of the product and answers by chance."""
    progress, new = Progress(state=JointStage.BOXES), 0
    before: tuple[object, ...] = ()
    found: Counter[str] = Counter()
    while progress.state in ENTITIES_FAST.decide:
        stage = progress.state
        missing = max(0, boxes - progress.boxes_accepted)
        truth = _pick(rng, truths(stage, boxes > 0, missing, new, CROWD))
        evidence: list[object] = list(before)
        verdict: Verdict | None = None
        if stage == CHECK and judging is not None:
            weights = _weighs(rng, judging, truth.new, truth.missing > there_of(truth))
            if weights != SEALED:
                evidence = [weights]
                verdict = ENTITIES_FAST.verdict_with(None, stage, tuple(evidence))  # type: ignore[arg-type]
        prior = prior_of(ENTITIES_FAST, stage, LIKELY)
        while verdict is None:
            evidence.append(_pick(rng, answer_chances(stage, truth, CROWD)))
            found[stage] += 1
            verdict = ENTITIES_FAST.verdict_with(prior, stage, tuple(evidence))  # type: ignore[arg-type]
        progress, rule = ENTITIES_FAST.step(progress, verdict, (), BatchSettings())
        before = tuple(evidence[-1:]) if rule in ENTITIES_FAST.counts_next else ()
        new = len(verdict.boxes)
    return found


@cache
def _course(boxes: int, judging: Judging | None) -> Mapping[str, float]:
    found = chain_course("entities-fast", Limits(), CROWD, boxes, JointStage.BOXES, LIKELY, judging)
    return {str(stage): one.judgments for stage, one in found.items()}


@pytest.mark.parametrize("boxes", [1, 2])
@pytest.mark.parametrize(
    "judging",
    [None, JUDGING, Judging(0.5, BOXES, ALL_OPEN[:1] + ALL_OPEN[2:])],
    ids=["no model", "all gates open", "one gate closed"],
)
def test_judgments_are_those_of_chains_that_are_played_through(boxes: int, judging: Judging | None) -> None:
    rng = Random(f"{boxes}/{judging}")
    played = [_play(rng, boxes, judging) for _ in range(CHAINS)]
    for stage, judgments in _course(boxes, judging).items():
        counts = [one[stage] for one in played]
        error = stdev(counts) / CHAINS**0.5
        # Five standard errors, and what courses of less than .0005 leave out.
        assert fmean(counts) == pytest.approx(judgments, abs=5 * error + 0.02), stage


@pytest.mark.parametrize("new", [(GOOD,), (BoxJudgment.LOOSE, GOOD, BoxJudgment.DOUBLE)])
@pytest.mark.parametrize("missing", [False, True])
def test_the_chances_of_an_answer_add_up_to_one(new: tuple[BoxJudgment, ...], missing: bool) -> None:
    chances = model_chances(JUDGING, new, missing)
    assert sum(chance for _, chance in chances) == pytest.approx(1)
    assert dict(chances)[SEALED] == pytest.approx(0.1)


def test_a_model_that_counts_for_nothing_saves_nothing() -> None:
    for silent in (Judging(0.0, BOXES, ALL_OPEN), Judging(0.9, BOXES, ())):
        assert _course(1, silent) == pytest.approx(_course(1, None))


def rates(accuracy: float, prior: float) -> Rates:
    one = Bounded(accuracy, accuracy - 0.02, accuracy + 0.02)
    return Rates(one, one, one, Bounded(prior, prior - 0.02, prior + 0.02), 500, 60, 100)


RECORD = Record(
    {PEOPLE: rates(0.93, 0.83), "owl": rates(0.9, 0.94), NOTHING_MISSING: rates(0.93, 0.9)},
    open=frozenset({PEOPLE, NOTHING_MISSING}),
)


def test_the_record_is_taken_by_its_lower_bounds() -> None:
    judging = judging_of(RECORD, {PEOPLE: 0.7, "owl": 0.3}, drawn_bad=0.2, share=0.9)
    of_owl, of_people = judging.boxes
    assert (of_owl.kind, of_owl.share) == ("owl", 0.3)
    assert of_owl.bad == pytest.approx(0.06)
    assert of_people == KindOfBox(PEOPLE, 0.7, 0.2)
    said = dict(judging.open)
    assert set(said) == {PEOPLE, NOTHING_MISSING}  # the gate of owl's boxes is closed
    assert said[PEOPLE].sensitivity == said[PEOPLE].specificity == pytest.approx(0.91)
    assert said[PEOPLE].yes == weight_of(RECORD.rates[PEOPLE], PEOPLE, yes=True) > 0 > said[PEOPLE].no


def test_a_model_costs_what_it_is_asked_and_saves_people_only_if_it_counts() -> None:
    settings = parse_settings(
        {"protocol": "entities-fast", "judge": {"model": "judge/1", "price": 500}, "reward": {"check": 10}}
    )
    sample = [[[("people",), ("clothing",)], [("people",)]]] * 3
    judging = judging_of(RECORD, {PEOPLE: 1.0}, drawn_bad=0.18, share=0.9)
    prices = dict.fromkeys(settings.stages, 12.0)
    ways = ways_of(sample, settings, judging, knowledge=Knowledge(), prices=prices)
    assert ways.off.model == 0
    assert (ways.shadow.seconds, ways.shadow.people) == (ways.off.seconds, ways.off.people)
    assert ways.counts.seconds < 0.9 * ways.off.seconds
    assert ways.counts.people < ways.off.people
    # Who errs differently makes other checks follow: the model is asked about as often.
    assert 0 < ways.counts.model == pytest.approx(ways.shadow.model, rel=0.1)
    closed = judging_of(Record(RECORD.rates), {PEOPLE: 1.0}, drawn_bad=0.18, share=0.9)
    shut = ways_of(sample, settings, closed, knowledge=Knowledge(), prices=prices)
    assert shut.counts.seconds == pytest.approx(shut.shadow.seconds)
    assert shut.counts.model == pytest.approx(shut.shadow.model)
