"""Cohen's kappa: the agreement of two workers beyond chance.

Cohen 1960, Educational and Psychological Measurement 20.
"""

from __future__ import annotations

import numpy as np

from workflows.analysis.domain.aggregation.bootstrap import Estimate, estimate
from workflows.analysis.domain.aggregation.reliability import NO_ITEMS, ONE_LABEL, beyond_chance
from workflows.analysis.domain.aggregation.votes import Floats, Ints, Votes

LEAST_SHARED = 10
"""Items that two of many workers must share [ours]: the kappa of one item is 0 or undefined, never 1."""
MOST_PAIRS = 5_000_000
"""The most pairs of judgments that are read, in the order of items: 200 MB."""


def cohen_kappa(
    votes: Votes, rng: np.random.Generator, *, resamples: int = 1000, least_shared: int = LEAST_SHARED
) -> Estimate:
    """Return Cohen's kappa of two workers, or the mean of all pairs of workers, weighted by shared items.

    If there are more than two workers, pairs with fewer than `least_shared` shared items do not count. In a
    resample, pairs whose kappa is undefined do not count.
    """
    item, pair, cell = _pairs(votes)
    if not len(item):
        return Estimate(None, reason=NO_ITEMS)
    _, pair, shared = np.unique(pair, return_inverse=True, return_counts=True)
    if len(votes.worker_ids) > 2:
        enough = shared[pair] >= least_shared
        item, pair, cell = item[enough], pair[enough], cell[enough]
        if not len(item):
            return Estimate(None, reason=f"no two workers share {least_shared} items")
        _, pair = np.unique(pair, return_inverse=True)
    items, item = np.unique(item, return_inverse=True)
    names = len(votes.names)
    pairs = int(pair.max()) + 1
    place = pair * names * names + cell

    def one(weights: Floats) -> float:
        table = np.bincount(place, weights=weights[item], minlength=pairs * names * names)
        return _mean(table.astype(np.float64).reshape(pairs, names, names))

    def statistic(weights: Floats) -> Floats:
        return np.array([one(row) for row in weights])

    return estimate(
        statistic, np.ones(len(items), dtype=np.int64), rng, undefined=ONE_LABEL, resamples=resamples
    )


def _mean(tables: Floats) -> float:
    """Return the mean kappa of pairs x labels x labels, weighted by each table's sum, or nan."""
    total = tables.sum(axis=(1, 2))
    some = tables[total > 0] / total[total > 0, None, None]
    total = total[total > 0]
    agreement = np.trace(some, axis1=1, axis2=2)
    by_chance = (some.sum(axis=1) * some.sum(axis=2)).sum(axis=1)
    kappas = beyond_chance(agreement, by_chance)
    defined = ~np.isnan(kappas)
    return float(np.average(kappas[defined], weights=total[defined])) if defined.any() else float("nan")


def _pairs(votes: Votes) -> tuple[Ints, Ints, Ints]:
    """Return the item, the pair of workers (lower code first) and the labels of every two judgments."""
    order = np.lexsort((votes.workers, votes.items))
    items, workers, labels = votes.items[order], votes.workers[order], votes.labels[order]
    found: list[tuple[Ints, Ints, Ints]] = []
    left, step = MOST_PAIRS, 1
    # Judgments of one item are neighbours now: pairs are those 1 apart, 2 apart, …
    while step < len(items) and left > 0:
        first = np.flatnonzero(items[:-step] == items[step:])[:left]
        if not len(first):
            break
        second = first + step
        found.append(
            (
                items[first],
                workers[first] * len(votes.worker_ids) + workers[second],
                labels[first] * len(votes.names) + labels[second],
            )
        )
        left -= len(first)
        step += 1
    if not found:
        nothing = np.zeros(0, dtype=np.int64)
        return nothing, nothing, nothing
    a, b, c = zip(*found, strict=True)
    return np.concatenate(a), np.concatenate(b), np.concatenate(c)
