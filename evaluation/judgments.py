"""How far judges of captions agree with each other, and how well a crowd stands in for experts.

The source is Hodosh, Young and Hockenmaier (2013, JAIR 47), called R below: experts give grades from 1 to 4
(section 4.2.1), and workers of a crowd tick the captions that describe an image (section 4.3.2). Both are
means of three judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.agreement import NO_ITEMS, ONE_LABEL, Votes, beyond_chance, cohen_kappa
from evaluation.arrays import Bools, Floats, Ints
from evaluation.retrieval import kappa_grid
from evaluation.significance import Estimate, estimate

CROWD_THRESHOLDS = (1 / 3, 2 / 3, 1.0)
"""The thresholds of the mean of three workers' ticks."""
EXPERT_THRESHOLDS = (2, 7 / 3, 8 / 3, 3, 10 / 3, 11 / 3, 4)
"""The thresholds of the mean of three experts' grades."""
RIGHT_GRADE = 3.0
"""The least grade of a caption that workers should tick: it describes the image, with minor errors."""
SCORE_THRESHOLDS = tuple(round(at / 10, 1) for at in range(1, 11))
"""The thresholds of Bleu and Rouge (R, tables 8 and 9)."""
PAPER_BEST = (0.79, 2 / 3, 10 / 3)
"""The paper's best kappa, and at which thresholds of crowd and experts (R, section 4.3.2)."""


@dataclass(frozen=True, slots=True)
class Reached:
    """How well yes-or-no judgments reproduce others: `precision`, `recall` and `f1` from 0 to 1, or nan."""

    precision: float
    recall: float
    f1: float


def reproduced(found: Bools, right: Bools) -> Reached:
    """Return how well `found` reproduces `right`, both of shape (pairs,) (R, table 10b).

    >>> reproduced(np.array([True, True, False]), np.array([True, False, False]))
    Reached(precision=0.5, recall=1.0, f1=0.6666666666666666)
    """
    both = int((found & right).sum())
    precision, recall = _share(both, int(found.sum())), _share(both, int(right.sum()))
    return Reached(precision, recall, _share(2 * both, int(found.sum() + right.sum())))


def best_thresholds(
    scores: Floats, grades: Floats, thresholds: Sequence[float] = CROWD_THRESHOLDS
) -> tuple[float, float, float]:
    """Return the best kappa of a crowd's means, or other scores, with experts' means, and both thresholds.

    Scores and grades have the shape (pairs,). Of equal kappas, that with the lowest thresholds counts. It is
    nan if no threshold divides the pairs.
    """
    grid = kappa_grid(scores, grades, thresholds, EXPERT_THRESHOLDS)
    if np.isnan(grid).all():
        return float("nan"), float("nan"), float("nan")
    row, column = np.unravel_index(int(np.nanargmax(grid)), grid.shape)
    return float(grid[row, column]), thresholds[int(row)], EXPERT_THRESHOLDS[int(column)]


def kappa_of_two(found: Bools, right: Bools, rng: np.random.Generator, *, resamples: int) -> Estimate:
    """Return Cohen's kappa of two yes-or-no judgments of the same pairs, with its interval over pairs."""
    number = len(found)
    votes = Votes(
        items=np.tile(np.arange(number), 2),
        workers=np.repeat([0, 1], number),
        labels=np.concatenate([found, right]).astype(np.int64),
        item_ids=np.arange(number),
        worker_ids=(0, 1),
        names=("no", "yes"),
    )
    return cohen_kappa(votes, rng, resamples=resamples)


def kappa_with_others(
    pair: Ints, judge: Ints, label: Ints, who: int, rng: np.random.Generator, *, resamples: int
) -> tuple[int, Estimate]:
    """Return how many pairs a judge shares with others, and Cohen's kappa of the judge's labels with theirs.

    `pair`, `judge` and `label` have the shape (judgments,); labels are codes from 0. The judge is compared
    with each other judge of a pair [ours]. Somebody who judges at random has a kappa of about 0, whatever
    the others do.

    >>> pair, judge = np.repeat(np.arange(4), 2), np.tile([0, 1], 4)
    >>> label = np.array([0, 0, 1, 1, 1, 1, 0, 1])
    >>> shared, kappa = kappa_with_others(pair, judge, label, 0, np.random.default_rng(1), resamples=0)
    >>> shared, kappa.value
    (4, 0.5)
    """
    mine = judge == who
    order = np.argsort(pair[mine])
    pairs, labels = pair[mine][order], label[mine][order]
    place = np.searchsorted(pairs, pair[~mine])
    known = place < len(pairs)
    known[known] = pairs[place[known]] == pair[~mine][known]
    own, others = labels[place[known]], label[~mine][known]
    number = int(label.max(initial=0)) + 1
    shared, row = np.unique(place[known], return_inverse=True)
    cells = np.zeros((len(shared), number * number), dtype=np.int64)
    np.add.at(cells, (row, own * number + others), 1)
    # A pair has several others, who are alike: pairs are resampled, with all of them.
    rows, times = np.unique(cells, axis=0, return_counts=True)

    def statistic(weights: Floats) -> Floats:
        tables = (weights @ rows).reshape(-1, number, number)
        tables /= np.maximum(tables.sum(axis=(1, 2), keepdims=True), 1)
        by_chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
        return beyond_chance(np.trace(tables, axis1=1, axis2=2), by_chance)

    why = ONE_LABEL if len(shared) else NO_ITEMS
    return len(shared), estimate(statistic, times, rng, undefined=why, resamples=resamples)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
