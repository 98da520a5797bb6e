"""Ranks with ties by brute force over all orders, and SciPy for coefficients."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.arrays import Bools, Floats
from evaluation.retrieval import (
    RANKS,
    Ties,
    borda,
    borda_order,
    cumulative_grades,
    first_ranks,
    kappa_grid,
    kendall,
    r_precision,
    retrieve,
    scores_of_lists,
    spearman,
    success_at,
    words,
)

one_query = st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6)
ties = st.sampled_from(["expected", "best", "worst"])


def orders(query: list[tuple[int, bool]]) -> list[list[bool]]:
    """Return which items are relevant, in every order that the scores allow. Each order is as likely."""
    places = range(len(query))
    return [
        [query[place][1] for place in order]
        for order in itertools.permutations(places)
        if all(query[a][0] >= query[b][0] for a, b in itertools.pairwise(order))
    ]


def over(values: list[float], rule: Ties, *, most_is_best: bool) -> float:
    """Return the value by this rule."""
    if rule == "expected":
        return sum(values) / len(values)
    return max(values) if most_is_best == (rule == "best") else min(values)


def arrays(query: list[tuple[int, bool]]) -> tuple[Floats, Bools]:
    return np.array([[float(score) for score, _ in query]]), np.array([[right for _, right in query]])


@given(one_query, ties, st.integers(1, 7))
def test_ties_are_in_every_order(query: list[tuple[int, bool]], rule: Ties, k: int) -> None:
    scores, relevant = arrays(query)
    number = sum(right for _, right in query)
    success, rank, precision = (
        success_at(scores, relevant, k, ties=rule)[0],
        first_ranks(scores, relevant, ties=rule)[0],
        r_precision(scores, relevant, ties=rule)[0],
    )
    if not number:
        assert math.isnan(success) and math.isnan(rank) and math.isnan(precision)
        return
    found = orders(query)
    assert success == pytest.approx(over([float(any(one[:k])) for one in found], rule, most_is_best=True))
    assert rank == pytest.approx(over([one.index(True) + 1.0 for one in found], rule, most_is_best=False))
    assert precision == pytest.approx(
        over([sum(one[:number]) / number for one in found], rule, most_is_best=True)
    )


@pytest.mark.parametrize("items", [10, 1000])
def test_a_random_ranking_finds_k_of_n(items: int) -> None:
    relevant = np.eye(items, dtype=bool)
    equal = retrieve(np.zeros((items, items)), relevant)
    for place, k in enumerate(RANKS):
        assert equal.share(place) == pytest.approx(min(k, items) / items)
    assert equal.median_rank == (items + 1) / 2
    assert equal.r_precision == pytest.approx(1 / items)
    drawn = retrieve(np.random.default_rng(1).random((items, items)), relevant)
    error = math.sqrt(10 / items * (1 - 10 / items) / items) if items > 10 else 0
    assert drawn.share(2) == pytest.approx(10 / items, abs=4 * error + 1e-9)


def test_any_of_five_captions_is_a_hit_in_annotation_and_only_its_image_in_search() -> None:
    """Two images with five captions each. Image 0 finds its fourth caption first, image 1 none of its own."""
    scores = np.array([[0, 1, 2, 9, 3, 4, 5, 6, 7, 8], [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]], dtype=float)
    relevant = np.repeat(np.eye(2, dtype=bool), 5, axis=1)
    annotation, search = retrieve(scores, relevant), retrieve(scores.T, relevant.T)
    assert annotation.success.tolist() == [[1, 1, 1], [0, 0, 1]]
    assert annotation.rank.tolist() == [1, 6]
    assert annotation.median_rank == 3.5
    assert annotation.precision.tolist() == [1 / 5, 0]  # of the first five: caption 3, and none
    assert search.success.shape == (10, 3)
    # Caption 5 has the same score for both images.
    assert search.success[:, 0].tolist() == [0, 0, 0, 1, 0, 0.5, 0, 0, 0, 0]
    assert search.share(1) == 1


def test_queries_without_relevant_items_count_nowhere() -> None:
    scores = np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
    relevant = np.array([[True, False, True], [False, False, False]])
    found = retrieve(scores, relevant)
    assert (found.share(0), found.median_rank, found.r_precision) == (1, 1, 0.5)
    nothing = retrieve(scores, np.zeros((2, 3), dtype=bool))
    assert (
        math.isnan(nothing.share(0)) and math.isnan(nothing.median_rank) and math.isnan(nothing.r_precision)
    )


def test_ranked_lists_are_scores() -> None:
    lists = [np.array([2, 0]), np.array([1, 2, 0, 3])]
    scores = scores_of_lists(lists, 4)
    assert first_ranks(scores, np.eye(4, dtype=bool)[[0, 3]]).tolist() == [2, 4]
    assert first_ranks(scores[:1], np.array([[False, True, False, False]])).tolist() == [
        3.5
    ]  # tied with item 3


def test_scores_must_be_numbers_of_the_right_shape() -> None:
    with pytest.raises(ValueError, match="one shape"):
        retrieve(np.zeros((2, 3)), np.zeros((3, 2), dtype=bool))
    with pytest.raises(ValueError, match="not a number"):
        retrieve(np.array([[math.nan]]), np.array([[True]]))


def test_borda_joins_systems_and_breaks_ties_by_the_median() -> None:
    ranks = np.array([[0, 1, 2, 3], [0, 2, 1, 3], [3, 1, 2, 0]])
    assert borda(ranks).tolist() == [9, 8, 7, 6]
    assert borda_order(ranks).tolist() == [0, 1, 2, 3]
    # All have 6; the medians of their ranks are 0, 1 and 2.
    tied = np.array([[2, 1, 0], [0, 1, 2], [0, 2, 1], [2, 0, 1]])
    assert borda(tied).tolist() == [8, 8, 8]
    assert np.median(tied, axis=0).tolist() == [1, 1, 1]
    assert borda_order(tied).tolist() == [0, 1, 2]
    split = np.array([[0, 1, 2], [0, 1, 2], [3, 1, 0]])
    assert borda(split).tolist() == [6, 6, 5]
    assert borda_order(split).tolist() == [0, 1, 2]


numbers = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=15)


@given(numbers)
def test_coefficients_are_scipys(pairs: list[tuple[int, int]]) -> None:
    a, b = (np.array([pair[side] for pair in pairs], dtype=float) for side in (0, 1))
    if np.ptp(a) and np.ptp(b):
        assert spearman(a, b) == pytest.approx(stats.spearmanr(a, b).statistic)
        assert kendall(a, b) == pytest.approx(stats.kendalltau(a, b).statistic)
    else:
        assert math.isnan(spearman(a, b)) and math.isnan(kendall(a, b))


def test_grades_accumulate_from_the_best() -> None:
    judges = np.array([[4, 4, 4], [4, 4, 3], [3, 3, 2], [1, 2, 2], [1, 1, 1]])
    found = cumulative_grades(judges.mean(axis=1))
    assert found.tolist() == pytest.approx([0.2, 0.4, 0.4, 0.4, 0.6, 0.6, 0.6])
    assert np.isnan(cumulative_grades(np.empty(0))).all()


def test_words_of_a_caption() -> None:
    assert words('A black-and-white dog , "Rex" , runs .') == [
        "a",
        "black",
        "and",
        "white",
        "dog",
        "rex",
        "runs",
    ]
    assert words("  -- ! ") == []


def test_the_grid_has_the_kappa_of_every_pair_of_thresholds() -> None:
    generator = np.random.default_rng(1)
    grades = generator.integers(3, 13, 400) / 3
    scores = np.clip(grades / 4 + 0.2 * generator.standard_normal(400), 0, 1)
    cuts, marks = (0.2, 0.5, 0.8), (2, 3, 4)
    found = kappa_grid(scores, grades, cuts, marks)
    for row, cut in enumerate(cuts):
        for column, mark in enumerate(marks):
            a, b = scores >= cut, grades >= mark - 1e-9
            agree, chance = (a == b).mean(), a.mean() * b.mean() + (1 - a.mean()) * (1 - b.mean())
            assert found[row, column] == pytest.approx((agree - chance) / (1 - chance))
    assert np.isnan(kappa_grid(scores, grades, [-1], [0])).all()
