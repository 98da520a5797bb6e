"""How far workers agree on labels. Every figure is over items with two judgments or more.

Per cent, Fleiss' kappa and Krippendorff's alpha need only how often an item got each label. Cohen's kappa is
about who said what: it is in `cohen`.
"""

from __future__ import annotations

import numpy as np

from workflows.analysis.domain.aggregation.bootstrap import Estimate, Statistic, estimate
from workflows.analysis.domain.aggregation.votes import Floats, Ints, Votes

NO_ITEMS = "no item has two judgments"
ONE_LABEL = "all judgments are alike: chance alone would agree as well"


def patterns(counts: Ints) -> tuple[Ints, Ints]:
    """The distinct rows of items x labels with two judgments or more, and how many items have each."""
    counts = counts[counts.sum(axis=1) >= 2]
    base = int(counts.max(initial=0)) + 1
    if base ** counts.shape[1] < 2**62:  # one number a row sorts a hundred times faster than rows
        keys = counts @ base ** np.arange(counts.shape[1], dtype=np.int64)
        _, first, times = np.unique(keys, return_index=True, return_counts=True)
        return counts[first], times
    rows, times = np.unique(counts, axis=0, return_counts=True)
    return rows, times


def percent_agreement(votes: Votes, rng: np.random.Generator, *, resamples: int = 1000) -> Estimate:
    """The share of an item's pairs of judgments that agree, on average over items."""
    rows, times = patterns(votes.counts())
    agree = _agreement(rows)

    def statistic(weights: Floats) -> Floats:
        return np.asarray(weights @ agree / weights.sum(axis=1))

    return estimate(statistic, times, rng, undefined=NO_ITEMS, resamples=resamples)


def fleiss_kappa(votes: Votes, rng: np.random.Generator, *, resamples: int = 1000) -> Estimate:
    """Agreement beyond chance (Fleiss 1971, Psychological Bulletin 76:378-382).

    Fleiss has as many judgments of every item. Where they vary, an item counts as one all the same: the share
    of its pairs that agree, and the shares of its labels, are averaged over items. With equal numbers it is
    his.
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
    """Nominal alpha; any number of judgments an item (Krippendorff 2011, Computing Krippendorff's
    Alpha-Reliability): one less the observed disagreement in units of what chance would bring."""
    rows, times = patterns(votes.counts())
    return estimate(alpha(rows), times, rng, undefined=_why(rows), resamples=resamples)


def alpha(rows: Ints) -> Statistic:
    """Nominal alpha of these patterns (patterns x labels, two judgments or more in each)."""
    judgments = rows.sum(axis=1)
    # Pairs of unlike values within the item, each value weighing as much in an item of many judgments.
    unlike = (judgments**2 - (rows**2).sum(axis=1)) / np.maximum(judgments - 1, 1)

    def statistic(weights: Floats) -> Floats:
        values = weights @ rows
        total = values.sum(axis=1)
        expected = total**2 - (values**2).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(expected > 0, 1 - (total - 1) * (weights @ unlike) / expected, np.nan)

    return statistic


def beyond_chance(agreement: Floats, by_chance: Floats) -> Floats:
    """Kappa: the agreement beyond chance, of what was possible; nan where chance alone would agree."""
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = (agreement - by_chance) / (1 - by_chance)
    return np.where(1 - by_chance > 1e-12, kappa, np.nan)


def _agreement(rows: Ints) -> Floats:
    """By pattern: the share of its pairs of judgments that agree."""
    judgments = rows.sum(axis=1)
    return np.asarray((rows * (rows - 1)).sum(axis=1) / np.maximum(judgments * (judgments - 1), 1))


def _why(rows: Ints) -> str:
    return ONE_LABEL if len(rows) else NO_ITEMS
