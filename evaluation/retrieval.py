"""Retrieval of captions for images and of images for captions, and how far automatic scores follow people.

The source is Hodosh, Young and Hockenmaier (2013, JAIR 47), section 4, called R below. Flickr30k Entities,
section 4.2, has the same measures with five captions an image. A system gives every query a score for every
item: image annotation queries with images, and image search with captions. `relevant` says which items are
right for a query: the original ones, or those that people judged to be relevant.

Ties: items with equal scores are taken to be in random order, and every figure is its expected value over all
orders [ours]. So a system that gives all N items one score has R@k = k / N with one relevant item.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaluation.agreement import beyond_chance
from evaluation.arrays import Bools, Floats, Ints

Ties = Literal["expected", "best", "worst"]
"""How items with equal scores count: in random order, or relevant ones first, or relevant ones last."""
RANKS = (1, 5, 10)
"""The ranks that recall and success are reported at (R, table 3)."""
GRADES = (4, 11 / 3, 10 / 3, 3, 8 / 3, 7 / 3, 2)
"""The thresholds of the mean of three experts' grades (R, table 1)."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What a system reached in one direction.

    A query without a relevant item is nan in every array, and counts in no share and no median.
    """

    success: Floats
    """The chance that a relevant item is among the first k for each of RANKS, of shape (queries, 3)."""
    rank: Floats
    """The expected rank of the first relevant item from 1, of shape (queries,)."""
    precision: Floats
    """R-precision, of shape (queries,)."""

    def share(self, place: int) -> float:
        """Return R@k for the k at this place of RANKS or, with judged relevance, S@k: from 0 to 1."""
        return _mean(self.success[:, place])

    @property
    def median_rank(self) -> float:
        """Return the median over queries of the rank of the first relevant item."""
        known = self.rank[~np.isnan(self.rank)]
        return float(np.median(known)) if len(known) else math.nan

    @property
    def r_precision(self) -> float:
        """Return the mean R-precision, from 0 to 1 (R, section 4.3.3)."""
        return _mean(self.precision)


def retrieve(scores: Floats, relevant: Bools, *, ties: Ties = "expected") -> Retrieval:
    """Return what a system reached: both arguments have the shape (queries, items).

    The higher a score, the better. Raises ValueError if the shapes differ or a score is nan.

    >>> scores = np.array([[0.9, 0.5, 0.5, 0.1]])
    >>> found = retrieve(scores, np.array([[False, True, False, False]]))
    >>> found.share(0), found.rank.tolist()
    (0.0, [2.5])
    """
    _check(scores, relevant)
    return Retrieval(
        success=np.stack([success_at(scores, relevant, rank, ties=ties) for rank in RANKS], axis=1),
        rank=first_ranks(scores, relevant, ties=ties),
        precision=r_precision(scores, relevant, ties=ties),
    )


def scores_of_lists(lists: Sequence[Ints], items: int) -> Floats:
    """Return scores, of shape (lists, items), for ranked lists of items, the best first.

    Items that a list does not have come after all others, and are tied.

    >>> scores_of_lists([np.array([2, 0])], 3).tolist()
    [[-2.0, -inf, -1.0]]
    """
    scores = np.full((len(lists), items), -np.inf)
    for row, ranked in enumerate(lists):
        scores[row, ranked] = -np.arange(1.0, len(ranked) + 1)
    return scores


def success_at(scores: Floats, relevant: Bools, k: int, *, ties: Ties = "expected") -> Floats:
    """Return for each query the chance that a relevant item is among the first k, of shape (queries,).

    With one original item a query it is recall at k (R@k, table 3), and with judged relevance the rate of
    success (S@k, table 4). It is nan for a query without a relevant item.

    >>> success_at(np.zeros((1, 4)), np.array([[True, False, False, False]]), 1).tolist()
    [0.25]
    """
    above, tied, right = _first_tie(scores, relevant)
    if ties != "expected":
        ranks = first_ranks(scores, relevant, ties=ties)
        return np.where(np.isnan(ranks), np.nan, (ranks <= k).astype(np.float64))
    # The chance that none of the items that are drawn from the tie is relevant.
    none = np.ones(len(above))
    for drawn in range(k):
        left = tied - drawn
        draws = (above + drawn < k) & (left > 0)
        none[draws] *= (np.maximum(left - right, 0) / np.maximum(left, 1))[draws]
    return np.where(right > 0, 1 - none, np.nan)


def first_ranks(scores: Floats, relevant: Bools, *, ties: Ties = "expected") -> Floats:
    """Return the rank of each query's first relevant item from 1; nan without one: of shape (queries,)."""
    above, tied, right = _first_tie(scores, relevant)
    within: Floats
    if ties == "best":
        within = np.ones(len(above))
    elif ties == "worst":
        within = (tied - right + 1).astype(np.float64)
    else:  # of `tied` places in random order, the mean of the first of `right`
        within = np.asarray((tied + 1) / (right + 1), dtype=np.float64)
    return np.where(right > 0, above + within, np.nan)


def r_precision(scores: Floats, relevant: Bools, *, ties: Ties = "expected") -> Floats:
    """Return each query's precision at rank r, where r items are relevant to it (R, section 4.3.3).

    It is nan for a query without a relevant item, which the mean leaves out.

    >>> r_precision(np.array([[3.0, 2.0, 1.0, 0.0]]), np.array([[True, False, True, False]])).tolist()
    [0.5]
    """
    number = relevant.sum(axis=1)
    ordered = -np.sort(-scores, axis=1)
    cutoff = ordered[np.arange(len(scores)), np.maximum(number, 1) - 1][:, None] if scores.size else scores
    above, at = scores > cutoff, scores == cutoff
    right, tied_right = (relevant & above).sum(axis=1), (relevant & at).sum(axis=1)
    tied, slots = at.sum(axis=1), number - above.sum(axis=1)
    drawn: Floats
    if ties == "best":
        drawn = np.minimum(tied_right, slots).astype(np.float64)
    elif ties == "worst":
        drawn = np.maximum(slots - (tied - tied_right), 0).astype(np.float64)
    else:
        drawn = np.asarray(tied_right * slots / np.maximum(tied, 1), dtype=np.float64)
    return np.where(number > 0, (right + drawn) / np.maximum(number, 1), np.nan)


# Several systems --------------------------------------------------------------------------------------------


def borda(ranks: Ints) -> Ints:
    """Return the Borda count of each item: the sum of N - rank over systems (R, section 4.1).

    `ranks` has the shape (systems, N), and each row has the ranks 0 to N - 1. The result has the shape (N,).

    >>> borda(np.array([[0, 1, 2], [0, 2, 1]])).tolist()
    [6, 3, 3]
    """
    return np.asarray((ranks.shape[1] - ranks).sum(axis=0), dtype=np.int64)


def borda_order(ranks: Ints) -> Ints:
    """Return the items in the order of their Borda counts, the best first.

    Ties are broken by the median of an item's ranks, as in the paper, and then by the item's place [ours].
    """
    return np.asarray(np.lexsort((np.median(ranks, axis=0), -borda(ranks))), dtype=np.int64)


def spearman(a: Floats, b: Floats) -> float:
    """Return Spearman's rho of two rankings of systems: the correlation of ranks; nan if one is constant.

    Equal values have their mean rank (R, table 7).

    >>> round(spearman(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])), 6)
    0.5
    """
    first, second = (ranks - ranks.mean() for ranks in (_mean_ranks(a), _mean_ranks(b)))
    length = math.sqrt(float((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) / length if length else math.nan


def kendall(a: Floats, b: Floats) -> float:
    """Return Kendall's tau-b of two rankings of systems, which allows for ties; nan if one is constant.

    >>> round(kendall(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])), 4)
    0.3333
    """
    first, second = (np.sign(values[:, None] - values) for values in (a, b))
    unlike = math.sqrt(float(np.abs(first).sum() * np.abs(second).sum()))
    return float((first * second).sum()) / unlike if unlike else math.nan


# Grades, Bleu and Rouge -------------------------------------------------------------------------------------


def cumulative_grades(grades: Floats, thresholds: Sequence[float] = GRADES) -> Floats:
    """Return the share of the grades at or above each threshold (R, table 1).

    >>> cumulative_grades(np.array([4.0, 11 / 3, 2.0, 1.0]), (4, 11 / 3, 2)).tolist()
    [0.25, 0.5, 0.75]
    """
    return np.array([_mean((grades >= threshold - 1e-9).astype(np.float64)) for threshold in thresholds])


def first_grades(scores: Floats, grades: Floats, thresholds: Sequence[float] = GRADES) -> tuple[int, Floats]:
    """Return for how many queries the first item was graded, and the share of these from each threshold on.

    Both arguments have the shape (queries, items); grades are nan where nobody judged (R, table 1). Where
    several graded items are first, each counts for its part [ours].

    >>> first_grades(np.array([[2.0, 1.0], [0.0, 0.0]]), np.array([[4.0, 1.0], [4.0, 2.0]]), (4, 2))
    (2, array([0.75, 1.  ]))
    """
    found = first_at_least(scores, grades, thresholds)
    return int((~np.isnan(found[:, 0])).sum()), np.array([_mean(column) for column in found.T])


def first_at_least(scores: Floats, grades: Floats, thresholds: Sequence[float] = GRADES) -> Floats:
    """Return the chance that a query's first item has each grade, of shape (queries, thresholds).

    Arguments are those of `first_grades`. It is nan where the first item was not graded.

    >>> scores, grades = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[4.0, 2.0], [np.nan, 1.0]])
    >>> first_at_least(scores, grades, (3,)).tolist()
    [[0.5], [nan]]
    """
    weights = _of_first(scores, grades)
    known = np.nan_to_num(grades, nan=-np.inf)
    return np.stack([(weights * (known >= one - 1e-9)).sum(axis=1) for one in thresholds], axis=1)


def first_grade(scores: Floats, grades: Floats) -> Floats:
    """Return the mean grade of each query's first item, nan where it was not graded (R, table 2).

    >>> first_grade(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[4.0, 1.0], [3.0, 1.0]])).tolist()
    [2.5, 3.0]
    """
    return np.asarray((_of_first(scores, grades) * np.nan_to_num(grades)).sum(axis=1), dtype=np.float64)


def _of_first(scores: Floats, grades: Floats) -> Floats:
    """Return the part of each graded item that is first, of shape (queries, items); nan if there is none."""
    graded = (scores == scores.max(axis=1, keepdims=True)) & ~np.isnan(grades)
    number = graded.sum(axis=1, keepdims=True)
    return np.where(number > 0, graded / np.maximum(number, 1), np.nan)


def words(text: str) -> list[str]:
    """Return the words of a caption: hyphens split, other marks left out, in lower case (R, section 4.2.2).

    >>> words("A well-known man 's T-shirt .")
    ['a', 'well', 'known', 'man', 's', 't', 'shirt']
    """
    parts = re.split(r"[\s\-\u2010-\u2015]+", text.lower())
    return [word for word in ("".join(filter(str.isalnum, part)) for part in parts) if word]


def numbers_of_relevant(relevant: Bools, most: int = 4) -> Ints:
    """Return how many queries have 1, 2, … relevant items, and at last `most` or more (R, section 4.3.2).

    >>> numbers_of_relevant(np.array([[True, False, False], [True, True, True]]), 2).tolist()
    [1, 1]
    """
    counts = np.minimum(relevant.sum(axis=1), most)
    return np.bincount(counts, minlength=most + 1)[1:].astype(np.int64)


def kappa_grid(
    scores: Floats, grades: Floats, score_thresholds: Sequence[float], grade_thresholds: Sequence[float]
) -> Floats:
    """Return Cohen's kappa of scores and grades that are both cut at thresholds (R, tables 8 to 10).

    `scores` and `grades` have the shape (pairs,). The result has the shape (score thresholds, grade
    thresholds), and is nan where all are on one side of both thresholds.

    >>> kappa_grid(np.array([0.1, 0.2, 0.9, 0.8]), np.array([1.0, 2.0, 4.0, 3.0]), [0.5], [2.5]).tolist()
    [[1.0]]
    """
    if not len(scores):
        return np.full((len(score_thresholds), len(grade_thresholds)), np.nan)
    first = np.array([scores >= one - 1e-9 for one in score_thresholds], dtype=np.float64)
    second = np.array([grades >= one - 1e-9 for one in grade_thresholds], dtype=np.float64)
    both, neither = first @ second.T, (1 - first) @ (1 - second).T
    yes, also_yes = first.mean(axis=1)[:, None], second.mean(axis=1)
    by_chance = yes * also_yes + (1 - yes) * (1 - also_yes)
    return beyond_chance((both + neither) / len(scores), by_chance)


def _check(scores: Floats, relevant: Bools) -> None:
    if scores.shape != relevant.shape or scores.ndim != 2:
        raise ValueError(f"scores and relevance must have one shape, not {scores.shape} and {relevant.shape}")
    if np.isnan(scores).any():
        raise ValueError("a score is not a number")


def _first_tie(scores: Floats, relevant: Bools) -> tuple[Ints, Ints, Ints]:
    """Return for each query how many items are above its best relevant ones, tied with them, and relevant."""
    best = np.where(relevant, scores, -np.inf).max(axis=1, initial=-np.inf)[:, None]
    at = scores == best
    above, tied, right = ((scores > best).sum(axis=1), at.sum(axis=1), (at & relevant).sum(axis=1))
    return above.astype(np.int64), tied.astype(np.int64), right.astype(np.int64)


def _mean_ranks(values: Floats) -> Floats:
    """Return ranks from 1. Equal values have the mean of their ranks."""
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(times)
    return np.asarray((last - (times - 1) / 2)[place], dtype=np.float64)


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan
