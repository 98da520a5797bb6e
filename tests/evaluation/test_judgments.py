"""Planted judgments are recovered, and judges who guess are told from those who look."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.agreement import Votes, krippendorff_alpha
from evaluation.arrays import Floats, Ints
from evaluation.judgments import best_thresholds, kappa_of_two, kappa_with_others, reproduced

PAIRS, JUDGES = 600, 5


def ticks(rng: np.random.Generator, accuracies: list[float]) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the truth of pairs, and the pairs, judges and labels of judges with these accuracies."""
    truth = (rng.random(PAIRS) < 0.4).astype(np.int64)
    right = rng.random((PAIRS, len(accuracies))) < np.array(accuracies)
    labels = np.where(right, truth[:, None], 1 - truth[:, None])
    pair, judge = np.repeat(np.arange(PAIRS), len(accuracies)), np.tile(np.arange(len(accuracies)), PAIRS)
    return truth, pair, judge, labels.ravel()


def test_only_the_judge_who_guesses_is_no_better_than_chance() -> None:
    rng = np.random.default_rng(3)
    _, pair, judge, label = ticks(rng, [0.95, 0.9, 0.5, 0.9])
    low = []
    for who in range(4):
        shared, kappa = kappa_with_others(pair, judge, label, who, rng, resamples=200)
        assert shared == PAIRS and kappa.low is not None and kappa.high is not None
        low.append(kappa.low)
        assert kappa.low <= (kappa.value or 0) <= kappa.high
    assert [one > 0 for one in low] == [True, True, False, True]


def test_the_kappa_of_two_judges_is_the_planted_one() -> None:
    rng = np.random.default_rng(4)
    accuracy, share = 0.9, 0.4
    agree = accuracy**2 + (1 - accuracy) ** 2
    yes = share * accuracy + (1 - share) * (1 - accuracy)
    chance = yes**2 + (1 - yes) ** 2
    planted = (agree - chance) / (1 - chance)
    inside = 0
    for _ in range(20):
        _, pair, judge, label = ticks(rng, [accuracy, accuracy])
        _, kappa = kappa_with_others(pair, judge, label, 0, rng, resamples=200)
        assert kappa.low is not None and kappa.high is not None
        inside += kappa.low <= planted <= kappa.high
    assert inside >= 16  # of 20 intervals at 95%, fewer contain it once in 4,000 times


def test_a_judge_who_shares_nothing_has_no_kappa() -> None:
    pair, judge, label = np.array([0, 1, 1]), np.array([0, 1, 2]), np.array([1, 0, 0])
    shared, kappa = kappa_with_others(pair, judge, label, 0, np.random.default_rng(1), resamples=10)
    assert shared == 0 and kappa.value is None and kappa.reason


def grades(rng: np.random.Generator, spread: float) -> tuple[Floats, Ints]:
    """Return the true grade of each pair from 1 to 4, and three experts' grades, which err by `spread`."""
    truth = rng.integers(1, 5, size=PAIRS).astype(float)
    given = np.clip(np.rint(truth[:, None] + rng.normal(0, spread, (PAIRS, 3))), 1, 4)
    return truth, given.astype(np.int64)


def test_alpha_grows_with_the_level_when_experts_miss_by_little() -> None:
    rng = np.random.default_rng(5)
    _, given = grades(rng, 0.5)
    votes = Votes(
        np.repeat(np.arange(PAIRS), 3),
        np.tile(np.arange(3), PAIRS),
        (given - 1).ravel(),
        np.arange(PAIRS),
        ("a", "b", "c"),
        ("1", "2", "3", "4"),
    )
    levels = [
        krippendorff_alpha(votes, rng, level=level, resamples=0).value or 0
        for level in ("nominal", "ordinal", "interval")
    ]
    assert 0.3 < levels[0] < levels[1] - 0.15 and levels[2] > 0.75


def test_the_planted_thresholds_of_crowd_and_experts_are_the_best() -> None:
    rng = np.random.default_rng(6)
    _, given = grades(rng, 0.3)
    mean = given.mean(axis=1)
    # Workers tick what the experts gave ten thirds or more, and err in one of twenty cases.
    wanted = mean >= 10 / 3 - 1e-9
    ticked = np.where(rng.random((PAIRS, 3)) < 0.95, wanted[:, None], ~wanted[:, None]).mean(axis=1)
    kappa, of_crowd, of_experts = best_thresholds(ticked, mean)
    assert [of_crowd, of_experts] == pytest.approx([2 / 3, 10 / 3]) and kappa > 0.9
    interval = kappa_of_two(ticked >= 0.6, wanted, rng, resamples=200)
    assert interval.value == pytest.approx(kappa) and interval.low is not None and interval.low > 0.9


def test_a_crowd_that_ticks_everything_has_no_threshold() -> None:
    assert np.isnan(best_thresholds(np.ones(4), np.full(4, 4.0))[0])


def test_precision_and_recall_of_nothing_are_unknown() -> None:
    nothing = reproduced(np.zeros(2, dtype=bool), np.zeros(2, dtype=bool))
    assert np.isnan([nothing.precision, nothing.recall, nothing.f1]).all()
