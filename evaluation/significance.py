"""How certain a figure is, and whether two systems differ.

Intervals are over resampled items, which are mostly images: mentions of one image are alike, so that
resampling mentions would give intervals that are too narrow. All that is random takes `rng`, so that the same
seed gives the same figures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.arrays import Bools, Floats, Ints

Statistic = Callable[[Floats], Floats]
"""From how often each pattern occurs (resamples x patterns) to each resample's value, nan if undefined."""
CELLS = 4_000_000
"""Numbers in memory at once: 32 MB."""
MAX_UNDEFINED = 0.05
"""If a larger share of the resamples is undefined, there is no interval: it would mislead [ours]."""
REASSIGNMENTS = 100_000
"""Reassignments of Fisher's randomization test (Hodosh, Young and Hockenmaier 2013, section 4.2.2)."""
MAX_EXACT = 1000
"""Up to so many items on which two systems differ, McNemar's test is exact [ours]."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval. If one is None, it is undefined, and `reason` says why."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class McNemar:
    """McNemar's test of two systems that were right or wrong about the same items.

    `only_a` and `only_b` count the items about which only one of them was right. `p` is two-sided.
    """

    only_a: int
    only_b: int
    p: float
    exact: bool


@dataclass(frozen=True, slots=True)
class Randomization:
    """Fisher's randomization test of two systems. `difference` is a's figure minus b's; `p` is two-sided."""

    difference: float
    p: float
    reassignments: int


def estimate(
    statistic: Statistic,
    counts: Ints,
    rng: np.random.Generator,
    *,
    undefined: str,
    resamples: int = 1000,
    level: float = 0.95,
) -> Estimate:
    """Return the value of `statistic` and its percentile interval over resampled items.

    Items with equal judgments are one pattern, and `counts` has the number of items of each pattern, so that
    drawing patterns is drawing items (Efron and Tibshirani 1993, chapter 13). `undefined` is the reason given
    if the value is nan. With 0 resamples there is no interval. Raises ValueError if `level` is not between 0
    and 1, or `resamples` is negative.
    """
    _check(resamples, level)
    value = float(statistic(counts[None, :].astype(np.float64))[0]) if len(counts) else float("nan")
    if np.isnan(value):
        return Estimate(None, reason=undefined)
    if not resamples:
        return Estimate(value, reason="no resamples were asked for")
    if int(counts.sum()) < 2:
        return Estimate(value, reason="one item has no interval")
    drawn = np.concatenate([statistic(weights) for weights in _resamples(counts, resamples, rng)])
    lost = float(np.isnan(drawn).mean())
    if lost > MAX_UNDEFINED:
        return Estimate(value, reason=f"undefined in {lost:.0%} of the resamples: too few items differ")
    low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(value, float(low), float(high))


def ratio_intervals(
    numerators: Floats,
    denominators: Floats,
    rng: np.random.Generator,
    *,
    resamples: int = 1000,
    level: float = 0.95,
) -> Floats:
    """Return intervals of many ratios of sums over the same resampled items, of shape (columns, 2).

    Both arguments have the shape (items, columns): what each item adds to a column's numerator, such as an
    image's hits, and to its denominator, such as its queries. A column is nan if more than a twentieth of the
    resamples leave its denominator at 0. Raises ValueError as `estimate` does.

    >>> hits, queries = np.array([[3.0], [1.0]]), np.array([[4.0], [4.0]])
    >>> ratio_intervals(hits, queries, np.random.default_rng(1)).tolist()
    [[0.25, 0.75]]
    """
    _check(resamples, level)
    items, columns = numerators.shape
    if items < 2 or not resamples:
        return np.full((columns, 2), np.nan)
    drawn = [
        _ratio(weights @ numerators, weights @ denominators)
        for weights in _resamples(np.ones(items, dtype=np.int64), resamples, rng)
    ]
    ratios = np.concatenate(drawn)
    found = np.full((columns, 2), np.nan)
    defined = np.isnan(ratios).mean(axis=0) <= MAX_UNDEFINED
    if defined.any():
        ends = [(1 - level) / 2, (1 + level) / 2]
        found[defined] = np.nanquantile(ratios[:, defined], ends, axis=0).T
    return found


def compare_means(
    a: Floats | Bools,
    b: Floats | Bools,
    items: Ints,
    rng: np.random.Generator,
    *,
    resamples: int = 1000,
    level: float = 0.95,
) -> Estimate:
    """Return the mean of `a` minus the mean of `b`, with its interval over resampled items.

    `a` and `b` hold what two systems reached on the same queries, and `items` says of which image each query
    is: all have the shape (queries,). Raises ValueError as `estimate` does.

    >>> compare_means(np.array([1.0, 1.0]), np.array([0.0, 1.0]), np.array([0, 1]),
    ...               np.random.default_rng(1)).value
    0.5
    """
    _, place = np.unique(items, return_inverse=True)
    number = int(place.max()) + 1 if len(place) else 0
    gains = np.bincount(place, weights=a.astype(np.float64) - b.astype(np.float64), minlength=number)
    sizes = np.bincount(place, minlength=number).astype(np.float64)

    def statistic(weights: Floats) -> Floats:
        return np.asarray(weights @ gains / (weights @ sizes))

    ones = np.ones(number, dtype=np.int64)
    return estimate(statistic, ones, rng, undefined="there are no queries", resamples=resamples, level=level)


def mcnemar(a: Bools, b: Bools, *, most_exact: int = MAX_EXACT) -> McNemar:
    """Return McNemar's test for two systems that were right (True) or wrong about the same items.

    It compares shares, such as R@K (Hodosh, Young and Hockenmaier 2013, section 4.2.1). Only items on which
    the systems differ count. Up to `most_exact` of them, `p` is that of the binomial distribution; beyond,
    that of chi-square with Edwards' correction for continuity. Raises ValueError if the shapes differ.

    >>> mcnemar(np.array([True] * 6 + [False]), np.array([False] * 6 + [True]))
    McNemar(only_a=6, only_b=1, p=0.125, exact=True)
    """
    if a.shape != b.shape:
        raise ValueError(f"two systems must have judged the same items, not {a.shape} and {b.shape}")
    only_a, only_b = int((a & ~b).sum()), int((b & ~a).sum())
    differ = only_a + only_b
    if differ <= most_exact:
        tail = sum(math.comb(differ, n) for n in range(min(only_a, only_b) + 1))
        return McNemar(only_a, only_b, min(1.0, 2 * tail / 2**differ), exact=True)
    chi_square = max(abs(only_a - only_b) - 1, 0) ** 2 / differ
    return McNemar(only_a, only_b, math.erfc(math.sqrt(chi_square / 2)), exact=False)


def randomization(
    a: Floats,
    b: Floats,
    rng: np.random.Generator,
    *,
    figure: Literal["mean", "median"] = "mean",
    reassignments: int = REASSIGNMENTS,
) -> Randomization:
    """Return Fisher's randomization test of two systems' scores of the same items, each of shape (items,).

    In each reassignment, the two scores of every item are given to the two systems at random. `p` is the
    share of reassignments whose difference is at least as large, either way (Hodosh, Young and Hockenmaier
    2013, section 4.2.2). The given assignment counts as one of them, so that `p` is never 0 [ours]. The
    paper uses it for means, medians of ranks and R-precision. 100,000 reassignments of 1,000 items take 0.1 s
    for means, and two seconds for medians. Raises ValueError if the shapes differ or there are no items.

    >>> randomization(np.ones(3), np.zeros(3), np.random.default_rng(1), reassignments=10_000).difference
    1.0
    """
    if a.shape != b.shape or not len(a):
        raise ValueError(f"two systems must have scored the same items, not {a.shape} and {b.shape}")
    differences = _mean_differences if figure == "mean" else _median_differences
    reached = float((np.mean(a) - np.mean(b)) if figure == "mean" else (np.median(a) - np.median(b)))
    least = abs(reached) - 1e-9 * max(1.0, abs(reached))  # sums in another order differ in the last digits
    as_large = sum(int((np.abs(some) >= least).sum()) for some in differences(a, b, rng, reassignments))
    return Randomization(reached, (as_large + 1) / (reassignments + 1), reassignments)


def _mean_differences(a: Floats, b: Floats, rng: np.random.Generator, times: int) -> Iterator[Floats]:
    gains = a - b
    gains, items = gains[gains != 0], len(gains)  # an item on which they agree adds nothing either way
    # Eight items at a time: a byte says which of them are swapped, and a table has the sum of their gains.
    padded = np.concatenate([gains, np.zeros(-len(gains) % 8)]).reshape(-1, 8)
    sums = padded @ np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).T
    swapped = np.zeros(times)
    for table in sums:
        swapped += table[np.frombuffer(rng.bytes(times), dtype=np.uint8)]
    yield (gains.sum() - 2 * swapped) / items


def _median_differences(a: Floats, b: Floats, rng: np.random.Generator, times: int) -> Iterator[Floats]:
    medians = _Medians(a, b)
    for swapped in _swaps(medians.items, rng, times):
        yield medians.differences(swapped.astype(np.float32))


class _Medians:
    """Medians of two systems after reassignments, from how many of their scores are at most each value.

    Where the two scores of an item are swapped, such a count changes by -1, 0 or 1. So the counts of many
    reassignments are one product of matrices, which is much faster than sorting each.
    """

    def __init__(self, a: Floats, b: Floats) -> None:
        self._values = np.unique(np.concatenate([a, b]))
        differ = a != b
        self.items = int(differ.sum())
        self._a, self._b = a[differ, None], b[differ, None]
        self._middle = ((len(a) + 1) // 2, len(a) // 2 + 1)
        """The scores in the middle, from 1: the median is the mean of both."""
        self._before, self._both = (
            np.searchsorted(np.sort(some), self._values, side="right") for some in (a, np.concatenate([a, b]))
        )
        low, high = (
            np.searchsorted(np.sort(of(a, b)), self._values, side="right") for of in (np.minimum, np.maximum)
        )
        self._all = self._range(low, high)
        spread = 4 * np.sqrt(self.items)  # a count is further from its mean once in 10^14 times (Hoeffding)
        self._likely = self._range(
            np.minimum(self._both / 2 + spread, low), np.maximum(self._both / 2 - spread, high)
        )

    def _range(self, most: Floats | Ints, least: Floats | Ints) -> tuple[int, int]:
        """Return the first and the last place of a median, if counts are between these."""
        first, second = self._middle
        return int(np.argmax(most >= first)), int(np.argmax(least >= second))

    def differences(self, swapped: NDArray[np.float32]) -> Floats:
        """Return the median of the first system less that of the second, for each row of swaps."""
        found = self._within(swapped, *self._likely)
        return self._within(swapped, *self._all) if np.isnan(found).any() else found

    def _within(self, swapped: NDArray[np.float32], low: int, high: int) -> Floats:
        """Return the differences, nan where a median is no value from `low` to `high`."""
        values = self._values[low : high + 1]
        change = (self._b <= values).astype(np.float32) - (self._a <= values)
        first = (swapped @ change).astype(np.float64) + self._before[low : high + 1]
        second = self._both[low : high + 1] - first
        return self._median(first, low, high) - self._median(second, low, high)

    def _median(self, counts: Floats, low: int, high: int) -> Floats:
        lower, upper = ((counts < middle).sum(axis=1) for middle in self._middle)
        known = (counts[:, -1] >= self._middle[1]) & ((lower > 0) | (low == self._all[0]))
        values = np.append(self._values[low : high + 1], np.nan)
        return np.where(known, (values[lower] + values[upper]) / 2, np.nan)


def _swaps(items: int, rng: np.random.Generator, times: int) -> Iterator[NDArray[np.uint8]]:
    """Yield whether each item is swapped in each reassignment (some reassignments x items)."""
    at_once = max(1, CELLS // max(1, items))
    for done in range(0, times, at_once):
        rows = min(at_once, times - done)
        bits = np.frombuffer(rng.bytes(-(-rows * items // 8)), dtype=np.uint8)
        yield np.unpackbits(bits, count=rows * items).reshape(rows, items)


def _check(resamples: int, level: float) -> None:
    if not 0 < level < 1 or resamples < 0:
        raise ValueError("level must be between 0 and 1, resamples at least 0")


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    return np.divide(numerator, denominator, out=np.full_like(numerator, np.nan), where=denominator > 0)


def _resamples(counts: Ints, resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield how often each pattern occurs (some resamples x patterns), until there are enough resamples."""
    items = int(counts.sum())
    at_once = max(1, CELLS // len(counts))
    for done in range(0, resamples, at_once):
        yield _resample(counts, items, min(at_once, resamples - done), rng)


def _resample(counts: Ints, items: int, resamples: int, rng: np.random.Generator) -> Floats:
    """Draw as many items with replacement. Return how often each pattern occurs (resamples x patterns)."""
    if len(counts) * 4 < items:
        return rng.multinomial(items, counts / items, size=resamples).astype(np.float64)
    # If hardly any two items are alike, one number an item is cheaper than one binomial a pattern.
    pattern = np.repeat(np.arange(len(counts)), counts)
    return np.stack(
        [
            np.bincount(pattern[rng.integers(items, size=items)], minlength=len(counts)).astype(np.float64)
            for _ in range(resamples)
        ]
    )
