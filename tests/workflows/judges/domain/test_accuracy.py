from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import binomtest

from annotation.domain.answers import BoxJudgment, CheckAnswer
from research.made_up_answers import Judge, draw_rows
from workflows.judges.domain.accuracy import (
    MIN_KNOWN,
    Rated,
    Rates,
    SealedAnswer,
    measure,
    rated,
    right_people,
)
from workflows.judges.domain.kinds import NOTHING_MISSING, NOTHING_MISSING_BESIDE, PEOPLE
from workflows.pipeline.domain.joint_verdicts import GOOD, PRIOR_GOOD


def measure_one(rows: Sequence[Rated], resamples: int = 200) -> Rates:
    return measure(rows, np.random.default_rng(1), resamples=resamples)[PEOPLE]


def penalised(rates: Sequence[float], rows: Sequence[Rated]) -> float:
    """Return minus the log likelihood of rows, one by one, and of one right and one wrong answer more."""
    sensitivity, specificity, prior = rates
    right = right_people(PEOPLE)
    total = sum(math.log(rate) + math.log(1 - rate) for rate in rates)
    for row in rows:
        true = sensitivity if row.yes else 1 - sensitivity
        false = 1 - specificity if row.yes else specificity
        if row.truth is not None:
            total += math.log(true if row.truth else false)
            continue
        true *= prior * right**row.agreed * (1 - right) ** row.denied
        false *= (1 - prior) * (1 - right) ** row.agreed * right**row.denied
        total += math.log(true + false)
    return -total


@pytest.mark.parametrize("known", [0, 30])
def test_estimates_are_those_of_the_greatest_likelihood(known: int) -> None:
    rng = random.Random(known)
    rows = [*draw_rows(rng, 250, Judge(0.88, 0.8)), *draw_rows(rng, known, Judge(0.88, 0.8), known=True)]
    found = measure_one(rows)
    assert not found.echoes
    best = minimize(penalised, [0.7, 0.7, 0.7], (rows,), bounds=[(0.01, 0.99)] * 3, tol=1e-10).x
    estimates = [found.sensitivity.value, found.specificity.value, found.prior.value]
    assert estimates == pytest.approx(best, abs=1e-3)
    assert found.accuracy.value == pytest.approx((best[0] + best[1]) / 2, abs=1e-3)


def test_a_judge_is_not_blamed_for_errors_of_people() -> None:
    """Beside people's verdicts, a judge of .9 would have a specificity of .78."""
    rows = draw_rows(random.Random(3), 20_000, Judge(0.9, 0.9))
    called_bad = [row for row in rows if GOOD.posterior(PRIOR_GOOD, row.agreed, row.denied) < 0.5]
    assert sum(not row.yes for row in called_bad) / len(called_bad) < 0.82
    found = measure_one(rows)
    assert found.sensitivity.value == pytest.approx(0.9, abs=0.01)
    assert found.specificity.value == pytest.approx(0.9, abs=0.02)
    assert found.prior.value == pytest.approx(PRIOR_GOOD, abs=0.01)


def test_bounds_of_answers_whose_truth_is_known_are_nearly_exact() -> None:
    """Resampled images, with one answer each, have nearly the interval of Clopper and Pearson."""
    rows = draw_rows(random.Random(4), 2000, Judge(0.9, 0.8), known=True, boxes=1)
    found = measure_one(rows, 1000)
    for truth, bounded in ((True, found.sensitivity), (False, found.specificity)):
        of_class = [row for row in rows if row.truth is truth]
        exact = binomtest(sum(row.yes is truth for row in of_class), len(of_class)).proportion_ci(0.90)
        assert (bounded.low, bounded.high) == pytest.approx((exact.low, exact.high), abs=0.01)


def test_boxes_of_one_image_that_are_alike_tell_less() -> None:
    rng = random.Random(5)
    apart = draw_rows(rng, 600, Judge(0.9, 0.8), known=True, boxes=1)
    alike = [replace(row, image=row.image) for row in apart[:100] for _ in range(6)]
    widths = [one.sensitivity.high - one.sensitivity.low for one in map(measure_one, (apart, alike))]
    assert widths[1] > 1.5 * widths[0]


@pytest.mark.parametrize(("accuracy", "least", "most"), [(0.88, 0.9, 1.0), (0.80, 0.0, 0.06)])
def test_the_lower_bound_tells_a_good_judge_from_a_bad_one(
    accuracy: float, least: float, most: float
) -> None:
    """At 1,000 boxes of 115 images. The gate's limit is .80."""
    passed = 0
    for seed in range(100):
        rows = draw_rows(random.Random(seed), 1000, Judge(accuracy, accuracy))
        found = measure(rows, np.random.default_rng(seed), resamples=100)[PEOPLE]
        passed += found.accuracy.low > 0.8
    assert least <= passed / 100 <= most


def test_errors_that_people_share_are_seen_on_known_images() -> None:
    """Three of ten bad boxes look good to everybody."""
    rng = random.Random(6)
    judge = Judge(0.95, 0.95, shared=0.3)
    sealed, known = draw_rows(rng, 4000, judge), draw_rows(rng, 1000, judge, known=True)
    believed = measure_one(sealed)
    assert believed.specificity.value > 0.9
    assert believed.prior.value > PRIOR_GOOD + 0.04
    found = measure_one([*sealed, *known])
    assert found.echoes
    assert found.specificity.value == pytest.approx(0.7 * 0.95, abs=0.06)
    assert found.prior.value == pytest.approx(PRIOR_GOOD, abs=0.03)
    assert found.sensitivity == measure_one([*sealed, *known]).sensitivity


def test_a_few_known_answers_contradict_nothing() -> None:
    rng = random.Random(7)
    sealed = draw_rows(rng, 1000, Judge(0.9, 0.9))
    wrong = [Rated(9000 + place, PEOPLE, True, truth=False) for place in range(MIN_KNOWN - 1)]
    assert not measure_one([*sealed, *wrong]).echoes
    assert measure_one([*sealed, *wrong, replace(wrong[0], image=9999)]).echoes


def test_known_images_tell_nothing_about_how_often_boxes_are_good() -> None:
    """Flaws are made there."""
    rng = random.Random(8)
    sealed = draw_rows(rng, 1000, Judge(0.9, 0.9))
    known = draw_rows(rng, 500, Judge(0.9, 0.9), known=True, prior=0.3)
    assert measure_one([*sealed, *known]).prior.value == pytest.approx(
        measure_one(sealed).prior.value, abs=0.02
    )


rows_of_images = st.lists(
    st.builds(
        Rated,
        st.integers(1, 5),
        st.sampled_from((PEOPLE, "ssd", NOTHING_MISSING)),
        st.booleans(),
        st.integers(0, 3),
        st.integers(0, 3),
        st.sampled_from((None, None, True, False)),
    ),
    min_size=1,
    max_size=40,
)


@given(rows_of_images, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter_and_bounds_are_around_estimates(
    rows: list[Rated], rng: random.Random
) -> None:
    found = measure(rows, np.random.default_rng(1), resamples=20)
    shuffled = rng.sample(rows, len(rows))
    assert measure(shuffled, np.random.default_rng(1), resamples=20) == found
    assert set(found) == {row.kind for row in rows}
    for kind, rates in found.items():
        assert rates.sealed + rates.known == sum(row.kind == kind for row in rows)
        for one in (rates.sensitivity, rates.specificity, rates.accuracy, rates.prior):
            assert 0 < one.low <= one.value <= one.high < 1


def check(*boxes: BoxJudgment, missing: bool = False) -> CheckAnswer:
    return CheckAnswer(boxes, missing)


G, L, W = BoxJudgment.GOOD, BoxJudgment.LOOSE, BoxJudgment.WRONG


def test_an_answer_becomes_a_row_for_each_box_and_one_about_what_is_missing() -> None:
    sealed = SealedAnswer(7, check(G, L), (PEOPLE, "ssd"), (check(G, W, missing=True), check(L, W)))
    known = SealedAnswer(8, check(W, missing=True), (PEOPLE,), (), check(G))
    empty = SealedAnswer(9, check(), (), (check(),))
    assert rated([sealed, known, empty]) == [
        Rated(7, PEOPLE, True, 1, 1),
        Rated(7, "ssd", False, 0, 2),
        Rated(7, NOTHING_MISSING_BESIDE, True, 1, 1),
        Rated(8, PEOPLE, False, truth=True),
        Rated(8, NOTHING_MISSING, False, truth=True),
        Rated(9, NOTHING_MISSING, True, 1, 0),
    ]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (SealedAnswer(7, check(G), (PEOPLE,)), "image 7: nobody has decided the item"),
        (SealedAnswer(7, check(G), (PEOPLE,), (check(),)), "image 7: answers are about different numbers"),
        (SealedAnswer(7, check(G), (), (check(G),)), "image 7: answers are about different numbers"),
        (SealedAnswer(7, check(G), (PEOPLE,), (), check(G, G)), "image 7: answers are about different"),
    ],
)
def test_an_answer_that_tells_nothing_is_refused(answer: SealedAnswer, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        rated([answer])
