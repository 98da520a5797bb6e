"""Agreement of workers on labels. Every measure is over items with two judgments or more.

Percent agreement, Fleiss' kappa and Krippendorff's alpha need only how often an item got each label. Cohen's
kappa needs to know who gave which label: it is in `cohen`.
"""

from __future__ import annotations

import numpy as np

from workflows.analysis.domain.aggregation.bootstrap import Estimate, Statistic, estimate
from workflows.analysis.domain.aggregation.votes import Floats, Ints, Votes

NO_ITEMS = "no item has two judgments"
ONE_LABEL = "all judgments are alike: chance alone would agree as well"


def patterns(counts: Ints) -> tuple[Ints, Ints]:
    """Return the distinct rows of `counts` with two judgments or more, and how many items have each.

    `counts` is items x labels.
    """
    counts = counts[counts.sum(axis=1) >= 2]
    base = int(counts.max(initial=0)) + 1
    if base ** counts.shape[1] < 2**62:  # one number a row sorts a hundred times faster than rows
        keys = counts @ base ** np.arange(counts.shape[1], dtype=np.int64)
        _, first, times = np.unique(keys, return_index=True, return_counts=True)
        return counts[first], times
    rows, times = np.unique(counts, axis=0, return_counts=True)
    return rows, times


def percent_agreement(votes: Votes, rng: np.random.Generator, *, resamples: int = 1000) -> Estimate:
    """Return the share of an item's pairs of judgments that agree, averaged over items."""
    rows, times = patterns(votes.counts())
    agree = _agreement(rows)

    def statistic(weights: Floats) -> Floats:
        return np.asarray(weights @ agree / weights.sum(axis=1))

    return estimate(statistic, times, rng, undefined=NO_ITEMS, resamples=resamples)


def fleiss_kappa(votes: Votes, rng: np.random.Generator, *, resamples: int = 1000) -> Estimate:
    """Return Fleiss' kappa, the agreement beyond chance (Fleiss 1971, Psychological Bulletin 76:378-382).

    Fleiss assumes the same number of judgments for every item. If the numbers vary, every item still has the
    same weight: the share of its pairs that agree and the shares of its labels are averaged over items. With
    equal numbers, this is Fleiss' definition.
    """
    rows, times = patterns(votes.counts())
    agree = _agreement(rows)
    shares = rows / np.maximum(rows.sum(axis=1, keepdims=True), 1)

    def statistic(weights: Floats) -> Floats:
        total = weights.sum(axis=1)
        by_chance = ((weights @ shares / total[:, None]) ** 2).sum(axis=1)
        return beyond_chance(weights @ agree / total, by_chance)

    return estimate(statistic, times, rng, undefined=_why(rows), resamples=resamples)


def krippendorff_alpha(votes: Votes, rng: np.random.Generator, *, resamples: int = 1000) -> Estimate:
    """Return Krippendorff's nominal alpha, for any number of judgments an item.

    It is 1 minus the observed disagreement over the disagreement expected by chance (Krippendorff 2011,
    Computing Krippendorff's Alpha-Reliability).
    """
    rows, times = patterns(votes.counts())
    return estimate(alpha(rows), times, rng, undefined=_why(rows), resamples=resamples)


def alpha(rows: Ints) -> Statistic:
    """Return the statistic of nominal alpha for these patterns (patterns x labels, two judgments or more)."""
    judgments = rows.sum(axis=1)
    # Pairs of unlike values within an item; dividing gives every value the same weight in any item.
    unlike = (judgments**2 - (rows**2).sum(axis=1)) / np.maximum(judgments - 1, 1)

    def statistic(weights: Floats) -> Floats:
        values = weights @ rows
        total = values.sum(axis=1)
        expected = total**2 - (values**2).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(expected > 0, 1 - (total - 1) * (weights @ unlike) / expected, np.nan)

    return statistic


def beyond_chance(agreement: Floats, by_chance: Floats) -> Floats:
    """Return kappa: the agreement beyond chance over the largest possible; nan if chance always agrees."""
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = (agreement - by_chance) / (1 - by_chance)
    return np.where(1 - by_chance > 1e-12, kappa, np.nan)


def _agreement(rows: Ints) -> Floats:
    """Return the share of the pairs of judgments that agree, by pattern."""
    judgments = rows.sum(axis=1)
    return np.asarray((rows * (rows - 1)).sum(axis=1) / np.maximum(judgments * (judgments - 1), 1))


def _why(rows: Ints) -> str:
    return ONE_LABEL if len(rows) else NO_ITEMS
