from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import BoxJudgment, CheckAnswer
from research.made_up_answers import Judge, draw_rows
from workflows.judges.domain.accuracy import Bounded, Rated, Rates, measure
from workflows.judges.domain.gate import (
    ALL,
    MAX_WEIGHT,
    MIN_ANSWERS,
    MIN_SURPRISE,
    NOTHING_KNOWN,
    SEALED_SHARE,
    Record,
    add_evidence,
    log_odds,
    parse_record,
    renew,
    spoiling,
    stays_sealed,
    weights,
    worse_since,
)
from workflows.judges.domain.kinds import NOTHING_MISSING, NOTHING_MISSING_BESIDE, PEOPLE
from workflows.pipeline.domain.joint_verdicts import COMPLETE, GOOD, PRIOR_COMPLETE, PRIOR_GOOD
from workflows.pipeline.domain.verdicts import SEALED

G, W = BoxJudgment.GOOD, BoxJudgment.WRONG
GOOD_JUDGE = Judge(0.95, 0.95)


def rates(sensitivity: float, specificity: float, prior: float) -> Rates:
    """Return rates with these lower bounds."""

    def above(low: float) -> Bounded:
        return Bounded((1 + low) / 2, low, (1 + low) / 2)

    return Rates(above(sensitivity), above(specificity), above(0.85), above(prior), 500, 0, 50)


def record(of_boxes: Rates, of_missing: Rates | None = None) -> Record:
    known = {PEOPLE: of_boxes, NOTHING_MISSING: of_missing or rates(0.85, 0.85, PRIOR_COMPLETE)}
    return Record(known, frozenset(known))


def test_an_answer_weighs_what_its_bounds_and_the_prior_of_its_origin_say() -> None:
    """The posterior by the check rule is that of Bayes with the lower bounds."""
    of_boxes, of_missing = rates(0.8, 0.7, 0.75), rates(0.82, 0.72, 0.85)
    found = weights(record(of_boxes, of_missing), CheckAnswer((G, W), False), (PEOPLE, PEOPLE))
    good = 0.75 * 0.8 / (0.75 * 0.8 + 0.25 * 0.3)
    bad = 0.75 * 0.2 / (0.75 * 0.2 + 0.25 * 0.7)
    complete = 0.85 * 0.82 / (0.85 * 0.82 + 0.15 * 0.28)
    by_rule = [GOOD.posterior(PRIOR_GOOD, 0, 0, one) for one in found.boxes]
    assert by_rule == pytest.approx([good, bad])
    assert COMPLETE.posterior(PRIOR_COMPLETE, 0, 0, found.complete) == pytest.approx(complete)
    missing = weights(record(of_boxes, of_missing), CheckAnswer((), True), ())
    incomplete = 0.85 * 0.18 / (0.85 * 0.18 + 0.15 * 0.72)
    assert COMPLETE.posterior(PRIOR_COMPLETE, 0, 0, missing.complete) == pytest.approx(incomplete)


shares = st.floats(0.01, 0.99)


@given(shares, shares, shares, st.booleans())
def test_a_model_never_weighs_more_than_one_person(
    sensitivity: float, specificity: float, prior: float, yes: bool
) -> None:
    answer = CheckAnswer((G if yes else W,), not yes)
    found = weights(record(*[rates(sensitivity, specificity, prior)] * 2), answer, (PEOPLE,))
    assert math.log(0.88 / 0.12) == pytest.approx(MAX_WEIGHT)
    assert all(abs(one) <= MAX_WEIGHT for one in (*found.boxes, found.complete))


@given(shares, shares, shares, st.sampled_from(range(3)), st.floats(0, 0.5))
def test_weights_rise_with_each_bound_and_good_weighs_no_less_than_bad(
    sensitivity: float, specificity: float, prior: float, better: int, by: float
) -> None:
    def weigh(bounds: list[float], said: BoxJudgment) -> float:
        return weights(record(rates(*bounds)), CheckAnswer((said,), False), (PEOPLE,)).boxes[0]

    bounds = [sensitivity, specificity, prior]
    raised = [min(0.99, one + by * (place == better)) for place, one in enumerate(bounds)]
    assert weigh(raised, G) >= weigh(bounds, G) - 1e-9
    if better < 2:
        assert weigh(raised, W) <= weigh(bounds, W) + 1e-9, "and bad weighs more against a box"
    assert weigh(bounds, G) >= weigh(bounds, W)


def test_a_judge_that_guesses_says_nothing_and_only_the_prior_counts() -> None:
    for said in (G, W):
        found = weights(record(rates(0.5, 0.4, 0.7)), CheckAnswer((said,), False), (PEOPLE,))
        assert found.boxes[0] == pytest.approx(log_odds(0.7) - log_odds(PRIOR_GOOD))


def test_an_answer_is_sealed_as_a_whole_unless_all_of_its_gates_are_open() -> None:
    known = record(rates(0.9, 0.9, 0.9))
    answer = CheckAnswer((G, G), False)
    assert weights(NOTHING_KNOWN, answer, (PEOPLE, PEOPLE)) == SEALED
    assert weights(known, answer, (PEOPLE, "ssd")) == SEALED
    for kind in (PEOPLE, NOTHING_MISSING):
        assert weights(replace(known, open=frozenset({kind})), answer, (PEOPLE, PEOPLE)) == SEALED
    assert weights(known, answer, (PEOPLE, PEOPLE)) != SEALED
    with pytest.raises(ValueError, match="1 kinds for 2 boxes"):
        weights(known, answer, (PEOPLE,))


MODEL = "ssd"


def test_what_is_said_of_completeness_weighs_by_where_the_new_boxes_came_from() -> None:
    known = record(rates(0.85, 0.85, 0.8))
    beside = rates(0.85, 0.85, 0.96)
    both = Record({**known.rates, MODEL: known.rates[PEOPLE], NOTHING_MISSING_BESIDE: beside})
    both = replace(both, open=frozenset(both.rates))
    drawn = weights(both, CheckAnswer((G,), False), (PEOPLE,)).complete
    suggested = weights(both, CheckAnswer((G,), True), (MODEL,)).complete
    assert drawn == weights(known, CheckAnswer((), False), ()).complete
    assert suggested == pytest.approx(log_odds(0.96) - log_odds(PRIOR_COMPLETE) + math.log(0.15 / 0.85))
    assert (
        weights(replace(both, open=both.open - {NOTHING_MISSING_BESIDE}), CheckAnswer((G,), True), (MODEL,))
        == SEALED
    )


def test_a_gate_opens_after_enough_good_answers_of_its_own_kind() -> None:
    rng = random.Random(1)
    rows = draw_rows(rng, MIN_ANSWERS - 1, Judge(1, 1), kind=MODEL)
    assert not renew(NOTHING_KNOWN, rows, np.random.default_rng(0)).open
    rows += draw_rows(rng, 1500, GOOD_JUDGE, kind=MODEL)
    rows += draw_rows(rng, 1500, Judge(0.95, 0.5), kind="other")
    found = renew(NOTHING_KNOWN, rows, np.random.default_rng(0))
    assert found.open == {MODEL}
    assert found.rates.keys() == {MODEL, "other"}


def test_a_gate_opens_by_what_is_sure_and_not_by_what_was_reached() -> None:
    rows = draw_rows(random.Random(8), 150, Judge(0.88, 0.88), kind=MODEL)
    found = renew(NOTHING_KNOWN, rows, np.random.default_rng(0))
    assert found.rates[MODEL].accuracy.low < 0.8 < found.rates[MODEL].accuracy.value
    assert not found.open


def test_a_judge_of_drawn_boxes_must_be_better_where_no_model_proposes_better_boxes() -> None:
    rng = random.Random(6)
    good, better = (draw_rows(rng, 3000, Judge(one, one)) for one in (0.88, 0.95))
    suggested = [draw_rows(rng, 1000, Judge(0.6, 0.6), kind=MODEL, prior=one) for one in (0.95, 0.80)]

    def opened(*rows: list[Rated]) -> frozenset[str]:
        return renew(NOTHING_KNOWN, [one for some in rows for one in some], np.random.default_rng(0)).open

    assert opened(good) == opened(good, suggested[1]) == set()
    assert opened(better) == opened(good, suggested[0]) == {PEOPLE}
    assert opened(good, suggested[0][: MIN_ANSWERS // 2]) == set()


@pytest.mark.parametrize(
    ("prior", "number", "found"), [(0.95, 500, set()), (0.7, 500, {MODEL}), (0.7, MIN_ANSWERS - 1, set())]
)
def test_suggestions_spoil_a_set_where_what_people_accept_is_worse_than_what_they_draw(
    prior: float, number: int, found: set[str]
) -> None:
    rng = random.Random(7)
    rows = draw_rows(rng, number, GOOD_JUDGE, kind=MODEL, prior=prior) + draw_rows(
        rng, 500, GOOD_JUDGE, prior=0.7
    )
    assert spoiling(measure(rows, np.random.default_rng(0))) == found


def test_known_answers_alone_open_no_gate() -> None:
    """They are few images, chosen by people, and nobody depends on the model there."""
    rows = draw_rows(random.Random(2), 2000, GOOD_JUDGE, known=True, kind=MODEL)
    assert not renew(NOTHING_KNOWN, rows, np.random.default_rng(0)).open


def test_a_model_became_worse_where_most_speaks_for_it() -> None:
    rng = random.Random(4)
    rows = draw_rows(rng, 1000, GOOD_JUDGE, kind=MODEL)
    known = renew(NOTHING_KNOWN, rows, np.random.default_rng(0))
    assert known.open == {MODEL}
    later = draw_rows(rng, 200, Judge(0.6, 0.6), kind=MODEL)
    every = [*rows, *later]
    found = worse_since(known, every)
    assert 980 <= found <= 1030

    def told(place: int) -> float:
        # A record that has seen nothing and begins without evidence: its sum is that of all rows from there.
        total = 0.0
        for row in every[place:]:
            alone = replace(known, evidence={MODEL: 5.0, ALL: 5.0})
            total += add_evidence(alone, [row])[MODEL] - 5.0
        return total

    assert max(range(len(every) + 1), key=told) == found
    other = [replace(row, kind="other") for row in later]
    assert worse_since(known, other) == len(other), "of kinds that do not count, nothing is taken back"


def play(seed: int, later: Judge, number: int) -> tuple[int, list[Record]]:
    """Let a good judge give 1,000 answers, then so many of another. Return how many came until it closed."""
    rng = random.Random(seed)
    rows = draw_rows(rng, 1000, GOOD_JUDGE, kind=MODEL)
    found = [renew(NOTHING_KNOWN, rows, np.random.default_rng(seed))]
    further = draw_rows(rng, number, later, kind=MODEL)
    for place in range(0, number, 10):
        rows += further[place : place + 10]
        found.append(renew(found[-1], rows, np.random.default_rng(seed)))
        if not found[-1].open:
            return place + 10, found
    return number, found


def test_a_judge_that_becomes_much_worse_is_found_in_few_sealed_answers() -> None:
    until = []
    for seed in range(20):
        answers, found = play(seed, Judge(0.7, 0.7), 200)
        assert found[0].open
        assert not found[-1].open
        assert found[-1].since == found[-1].seen == 1000 + answers, "what was answered so far is set aside"
        until.append(answers)
    assert sorted(until)[10] <= 60
    assert max(until) <= 150


def test_a_judge_that_stays_as_good_keeps_its_gate_open() -> None:
    closed = sum(not play(seed, GOOD_JUDGE, 200)[1][-1].open for seed in range(20))
    assert closed == 0


def test_answers_that_are_set_aside_count_no_more() -> None:
    rng = random.Random(3)
    bad, good = (draw_rows(rng, 1000, one, kind=MODEL) for one in (Judge(0.6, 0.6), GOOD_JUDGE))
    closed = Record(since=1000, seen=1000)
    assert renew(closed, [*bad, *good], np.random.default_rng(0)).open == {MODEL}
    assert not renew(NOTHING_KNOWN, [*bad, *good], np.random.default_rng(0)).open


def test_evidence_goes_on_from_record_to_record_and_is_never_negative() -> None:
    rng = random.Random(4)
    before = renew(NOTHING_KNOWN, draw_rows(rng, 1000, GOOD_JUDGE, kind=MODEL), np.random.default_rng(0))
    rows = draw_rows(rng, 30, Judge(0.7, 0.7), kind=MODEL)
    at_once = add_evidence(before, rows)
    half = replace(before, evidence=add_evidence(before, rows[:15]))
    assert add_evidence(half, rows[15:]) == at_once
    assert at_once[MODEL] == at_once[ALL] > 0
    good = add_evidence(before, draw_rows(rng, 300, GOOD_JUDGE, kind=MODEL))
    assert all(0 <= one <= MIN_SURPRISE for one in good.values())
    assert set(add_evidence(before, draw_rows(rng, 300, Judge(0.5, 0.5))).values()) == {0.0}, "not open"


def test_a_record_is_stored_as_json() -> None:
    rng = random.Random(5)
    rows = draw_rows(rng, 300, GOOD_JUDGE) + draw_rows(rng, 50, GOOD_JUDGE, known=True)
    found = renew(NOTHING_KNOWN, rows, np.random.default_rng(0))
    assert parse_record(json.loads(json.dumps(found.to_json()))) == found
    assert parse_record(NOTHING_KNOWN.to_json()) == NOTHING_KNOWN


def test_a_tenth_of_the_items_stays_sealed_whatever_a_replay_calls_them() -> None:
    sealed = [stays_sealed("seed", image, (image, image + 1), 0) for image in range(20_000)]
    assert sum(sealed) / len(sealed) == pytest.approx(SEALED_SHARE, abs=0.01)
    assert stays_sealed("a", 1, (3, 2), 0) == stays_sealed("a", 1, (2, 3), 0)
    others = [
        *([stays_sealed(str(seed), 1, (2, 3), 0) for seed in range(200)],),
        *([stays_sealed("a", 1, (2, 3 + number), 0) for number in range(200)],),
        *([stays_sealed("a", 1, (2, 3), visit) for visit in range(200)],),
    ]
    assert all(len(set(one)) == 2 for one in others), "each of them decides"
