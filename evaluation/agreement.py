"""Agreement of several judges on labels: per cent agreement, kappa and alpha, with intervals.

Every measure is over items with two judgments or more. Percent agreement, Fleiss' kappa and Krippendorff's
alpha need only how often an item got each label; Cohen's kappa needs to know who gave which label.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaluation.arrays import Floats, Ints
from evaluation.significance import Estimate, Statistic, estimate

Level = Literal["nominal", "ordinal", "interval"]
"""How labels are measured, which says how unlike two of them are."""
NO_ITEMS = "no item has two judgments"
ONE_LABEL = "all judgments are alike: chance alone would agree as well"
MIN_SHARED = 10
"""Items that two of many workers must share [ours]: the kappa of one item is 0 or undefined, never 1."""
MAX_PAIRS = 5_000_000
"""The most pairs of judgments that are read, in the order of items: 200 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Judgment n: `worker_ids[workers[n]]` gave `item_ids[items[n]]` the label `names[labels[n]]`.

    A worker judges an item at most once. 24 bytes a judgment, whatever the ids are.
    """

    items: Ints
    workers: Ints
    labels: Ints
    item_ids: Sequence[Hashable] | Ints
    worker_ids: Sequence[Hashable] | Ints
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.items)

    def counts(self) -> Ints:
        """Return how often each item got each label: items x labels."""
        wide = np.bincount(
            self.items * len(self.names) + self.labels, minlength=len(self.item_ids) * len(self.names)
        )
        return wide.reshape(len(self.item_ids), len(self.names))


def from_rows(rows: Iterable[tuple[Hashable, Hashable, str]], names: Sequence[str] = ()) -> Votes:
    """Return votes from (item, worker, label) rows. `names` are the possible labels, by default those found.

    Raises ValueError for a label that is not among the names.
    """
    found = list(rows)
    names = tuple(names) or tuple(sorted({label for _, _, label in found}))
    codes = {name: code for code, name in enumerate(names)}
    strange = sorted({label for _, _, label in found} - set(codes))
    if strange:
        raise ValueError(f"{strange[0]!r} is not a label: use one of {', '.join(names)}")
    items = {item: code for code, item in enumerate(dict.fromkeys(row[0] for row in found))}
    workers = {worker: code for code, worker in enumerate(dict.fromkeys(row[1] for row in found))}
    return Votes(
        items=np.array([items[item] for item, _, _ in found], dtype=np.int64),
        workers=np.array([workers[worker] for _, worker, _ in found], dtype=np.int64),
        labels=np.array([codes[label] for _, _, label in found], dtype=np.int64),
        item_ids=tuple(items),
        worker_ids=tuple(workers),
        names=names,
    )


def from_ids(items: Ints, workers: Ints, labels: Ints, names: Sequence[str]) -> Votes:
    """Return votes from arrays of ids of any size and of labels, which are codes of `names` already."""
    item_ids, item_codes = np.unique(items, return_inverse=True)
    worker_ids, worker_codes = np.unique(workers, return_inverse=True)
    return Votes(item_codes, worker_codes, labels, item_ids, worker_ids, tuple(names))


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
    """Return the share of an item's pairs of judgments that agree, averaged over items.

    >>> votes = from_rows([(1, "a", "yes"), (1, "b", "yes"), (1, "c", "no"), (2, "a", "no"), (2, "b", "no")])
    >>> round(percent_agreement(votes, np.random.default_rng(1), resamples=0).value, 4)
    0.6667
    """
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

    >>> votes = from_rows([(1, "a", "yes"), (1, "b", "yes"), (2, "a", "no"), (2, "b", "yes")])
    >>> round(fleiss_kappa(votes, np.random.default_rng(1), resamples=0).value, 4)
    -0.3333
    """
    rows, times = patterns(votes.counts())
    agree = _agreement(rows)
    shares = rows / np.maximum(rows.sum(axis=1, keepdims=True), 1)

    def statistic(weights: Floats) -> Floats:
        total = weights.sum(axis=1)
        by_chance = ((weights @ shares / total[:, None]) ** 2).sum(axis=1)
        return beyond_chance(weights @ agree / total, by_chance)

    return estimate(statistic, times, rng, undefined=_why(rows), resamples=resamples)


def krippendorff_alpha(
    votes: Votes,
    rng: np.random.Generator,
    *,
    level: Level = "nominal",
    values: Sequence[float] | None = None,
    resamples: int = 1000,
) -> Estimate:
    """Return Krippendorff's alpha, for any number of judgments an item.

    It is 1 minus the observed disagreement over the disagreement expected by chance (Krippendorff 2011,
    Computing Krippendorff's Alpha-Reliability). `level` says how unlike two labels are:

    - nominal: all labels are equally unlike;
    - ordinal: by how many judgments lie between them, where labels are in the order of `votes.names`;
    - interval: by the square of the difference of their `values`, one a name; by default the names themselves
      as numbers.

    Raises ValueError for interval data if a name is not a number and there are no values.

    >>> votes = from_rows([(1, "a", "2"), (1, "b", "2"), (2, "a", "1"), (2, "b", "2"), (3, "a", "4"),
    ...                    (3, "b", "4")])
    >>> rng = np.random.default_rng(1)
    >>> [round(krippendorff_alpha(votes, rng, level=level, resamples=0).value, 3)
    ...  for level in ("nominal", "ordinal", "interval")]
    [0.545, 0.778, 0.889]
    """
    rows, times = patterns(votes.counts())
    if level == "nominal":
        statistic = alpha(rows)
    elif level == "ordinal":
        statistic = _alpha_of_distances(rows, _ordinal_distances)
    else:
        numbers = np.array(_numbers(votes.names) if values is None else values, dtype=np.float64)
        between = np.square(numbers[:, None] - numbers)
        statistic = _alpha_of_distances(
            rows, lambda found: np.broadcast_to(between, (len(found), *between.shape))
        )
    return estimate(statistic, times, rng, undefined=_why(rows), resamples=resamples)


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


def _alpha_of_distances(rows: Ints, distances: Callable[[Floats], Floats]) -> Statistic:
    """Return the statistic of alpha for squared distances between labels (resamples x labels x labels).

    `distances` gets how often each label was given (resamples x labels).
    """
    judgments = rows.sum(axis=1)
    together = rows[:, :, None] * rows[:, None, :] / np.maximum(judgments - 1, 1)[:, None, None]

    def statistic(weights: Floats) -> Floats:
        values = weights @ rows
        total = values.sum(axis=1)
        between = distances(values)
        observed = np.einsum("rp,pab,rab->r", weights, together, between, optimize=True)
        expected = np.einsum("ra,rb,rab->r", values, values, between, optimize=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(expected > 0, 1 - (total - 1) * observed / expected, np.nan)

    return statistic


def _ordinal_distances(values: Floats) -> Floats:
    """Return the square of the judgments from the middle of one label to the middle of the other."""
    middle = np.cumsum(values, axis=1) - values / 2
    return np.asarray(np.square(middle[:, :, None] - middle[:, None, :]))


def _numbers(names: Sequence[str]) -> list[float]:
    try:
        return [float(name) for name in names]
    except ValueError as error:
        raise ValueError(f"{error}: give the values of the labels {', '.join(names)}") from error


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


def cohen_kappa(
    votes: Votes, rng: np.random.Generator, *, resamples: int = 1000, least_shared: int = MIN_SHARED
) -> Estimate:
    """Return Cohen's kappa of two workers, or the mean of all pairs of workers, weighted by shared items.

    It is their agreement beyond chance (Cohen 1960, Educational and Psychological Measurement 20:37-46). If
    there are more than two workers, pairs with fewer than `least_shared` shared items do not count. In a
    resample, pairs whose kappa is undefined do not count.

    >>> votes = from_rows([(1, "a", "yes"), (1, "b", "yes"), (2, "a", "no"), (2, "b", "yes"),
    ...                    (3, "a", "no"), (3, "b", "no")])
    >>> round(cohen_kappa(votes, np.random.default_rng(1), resamples=0).value, 4)
    0.4
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
    left, step = MAX_PAIRS, 1
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
