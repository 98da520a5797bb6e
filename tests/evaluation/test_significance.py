"""Intervals and tests, with SciPy and brute force as oracles, and with planted truths."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.significance import (
    McNemar,
    _Medians,
    compare_means,
    estimate,
    mcnemar,
    randomization,
    ratio_intervals,
)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def answers(only_a: int, only_b: int, both: int = 3) -> tuple[np.ndarray, np.ndarray]:
    a = np.array([True] * only_a + [False] * only_b + [True] * both)
    b = np.array([False] * only_a + [True] * only_b + [True] * both)
    return a, b


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_exact_where_few_items_differ(only_a: int, only_b: int) -> None:
    found = mcnemar(*answers(only_a, only_b))
    expected = stats.binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0
    assert (found.only_a, found.only_b, found.exact) == (only_a, only_b, True)
    assert found.p == pytest.approx(expected)


@given(st.integers(0, 90), st.integers(30, 90))
def test_mcnemar_is_chi_square_where_many_differ(only_a: int, only_b: int) -> None:
    found = mcnemar(*answers(only_a, only_b), most_exact=20)
    statistic = max(abs(only_a - only_b) - 1, 0) ** 2 / (only_a + only_b)
    assert not found.exact
    assert found.p == pytest.approx(stats.chi2.sf(statistic, 1))


def test_the_largest_exact_case_is_near_chi_square() -> None:
    a, b = answers(530, 470)
    assert mcnemar(a, b).p == pytest.approx(mcnemar(a, b, most_exact=0).p, rel=0.02)


def test_systems_that_never_differ_do_not_differ() -> None:
    assert mcnemar(*answers(0, 0)) == McNemar(0, 0, 1.0, exact=True)
    scores = np.array([0.5, 0.2, 0.9])
    for figure in ("mean", "median"):
        found = randomization(scores, scores, rng(), figure=figure, reassignments=500)
        assert (found.difference, found.p) == (0, 1)


def all_reassignments(a: np.ndarray, b: np.ndarray, figure: object) -> float:
    """Return the share of all reassignments whose difference is at least as large: the exact p."""
    of = np.mean if figure == "mean" else np.median
    reached = abs(of(a) - of(b))
    found = [
        abs(of(np.where(swaps, b, a)) - of(np.where(swaps, a, b))) >= reached - 1e-12
        for swaps in itertools.product([False, True], repeat=len(a))
    ]
    return float(np.mean(found))


@pytest.mark.parametrize("figure", ["mean", "median"])
@pytest.mark.parametrize("seed", range(4))
def test_randomization_is_near_the_share_of_all_reassignments(figure: str, seed: int) -> None:
    generator = rng(seed)
    a, b = generator.random(9).round(1), generator.random(9).round(1) - 0.2 * seed
    found = randomization(a, b, rng(), figure=figure, reassignments=40_000)  # type: ignore[arg-type]
    assert found.p == pytest.approx(all_reassignments(a, b, figure), abs=0.01)


@pytest.mark.parametrize("seed", range(20))
def test_medians_of_reassignments_are_those_of_numpy(seed: int) -> None:
    generator = rng(seed)
    items = int(generator.integers(1, 40))
    a, b = (generator.integers(0, 12, items) / 2 for _ in range(2))
    medians = _Medians(a, b)
    swaps = generator.integers(0, 2, (50, medians.items)).astype(bool)
    swaps[0], swaps[1] = True, False
    whole = np.zeros((50, items), dtype=bool)
    whole[:, a != b] = swaps
    first, second = np.where(whole, b, a), np.where(whole, a, b)
    expected = np.median(first, axis=1) - np.median(second, axis=1)
    assert medians.differences(swaps.astype(np.float32)).tolist() == expected.tolist()


def test_a_median_far_from_all_others_is_found_too() -> None:
    a, b = np.arange(1000.0), np.arange(1000.0) + 2000
    all_swapped = np.array([np.ones(1000), np.zeros(1000)], dtype=np.float32)
    assert _Medians(a, b).differences(all_swapped).tolist() == [2000, -2000]


def test_randomization_agrees_with_scipy() -> None:
    generator = rng(3)
    a = generator.random(60)
    b = a - 0.03 + 0.1 * generator.standard_normal(60)
    expected = stats.permutation_test(
        (a, b), lambda x, y: np.mean(x - y), permutation_type="samples", n_resamples=20_000, rng=4
    ).pvalue
    assert randomization(a, b, rng()).p == pytest.approx(expected, abs=0.01)


def test_the_same_seed_gives_the_same_p_and_p_is_never_zero() -> None:
    a, b = np.ones(50), np.zeros(50)
    first, second = (randomization(a, b, rng(7)) for _ in range(2))
    assert first == second
    assert first.reassignments == 100_000
    assert first.p == pytest.approx(1 / 100_001)


def test_p_values_of_equal_systems_are_spread_evenly() -> None:
    generator = rng(11)
    found = [
        randomization(a, b, generator, reassignments=500).p
        for a, b in (generator.random((2, 30)) for _ in range(400))
    ]
    assert stats.kstest(found, "uniform").pvalue > 0.01


def test_other_items_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="same items"):
        mcnemar(np.array([True]), np.array([True, False]))
    with pytest.raises(ValueError, match="same items"):
        randomization(np.ones(2), np.ones(3), rng())
    with pytest.raises(ValueError, match="same items"):
        randomization(np.ones(0), np.ones(0), rng())


def test_intervals_of_ratios_are_those_of_one_ratio_at_a_time() -> None:
    """SciPy's bootstrap resamples by itself, so the ends agree but for chance."""
    generator = rng(2)
    queries = generator.integers(1, 20, 200).astype(float)
    hits = np.stack([generator.binomial(queries.astype(int), share) for share in (0.3, 0.9)], axis=1)
    found = ratio_intervals(hits.astype(float), np.stack([queries] * 2, axis=1), rng(), resamples=4000)
    for column in range(2):
        low, high = stats.bootstrap(
            (hits[:, column], queries),
            lambda x, y, axis=-1: x.sum(axis=axis) / y.sum(axis=axis),
            paired=True,
            vectorized=True,
            method="percentile",
            n_resamples=4000,
            rng=3,
        ).confidence_interval
        assert found[column].tolist() == pytest.approx([low, high], abs=0.004)


def test_a_ratio_that_most_resamples_lack_has_no_interval() -> None:
    """One image of thirty has all queries of a rare type, and a third of the resamples lack it."""
    rare = np.zeros((30, 1))
    rare[0] = 5
    assert np.isnan(ratio_intervals(rare, rare, rng())).all()
    assert np.isnan(ratio_intervals(rare[:1], rare[:1], rng())).all()
    assert np.isnan(ratio_intervals(rare, rare, rng(), resamples=0)).all()
    with pytest.raises(ValueError, match="level must be between"):
        ratio_intervals(rare, rare, rng(), level=1.0)


def test_intervals_over_images_hold_the_truth() -> None:
    """Queries of an image are alike: each image has its own chance of a hit. The truth is 0.5."""
    held = 0
    for seed in range(80):
        generator = rng(seed)
        chance = generator.beta(1, 1, 100)
        hits = generator.binomial(10, chance).astype(float)[:, None]
        (low, high), *_ = ratio_intervals(hits, np.full((100, 1), 10.0), generator, resamples=300).tolist()
        held += low <= 0.5 <= high
    assert held >= 70


def test_a_difference_of_systems_has_an_interval_over_images() -> None:
    generator = rng()
    image = np.repeat(np.arange(50), 8)
    b = generator.random(400) < 0.5
    a = b | (generator.random(400) < 0.3)
    found = compare_means(a, b, image, rng())
    assert found.value is not None and found.low is not None and found.high is not None
    assert found.value == pytest.approx(a.mean() - b.mean())
    assert 0 < found.low < found.value < found.high
    assert compare_means(a, b, np.zeros(400, dtype=int), rng()).reason == "one item has no interval"
    nothing = compare_means(a[:0], b[:0], image[:0], rng())
    assert (nothing.value, nothing.reason) == (None, "there are no queries")


def test_an_estimate_is_over_patterns() -> None:
    values = np.array([0.0, 1.0])
    found = estimate(
        lambda weights: weights @ values / weights.sum(axis=1), np.array([500, 500]), rng(), undefined=""
    )
    assert found.low is not None and found.high is not None
    assert found.high - found.low == pytest.approx(2 * 1.96 * (0.25 / 1000) ** 0.5, rel=0.1)
