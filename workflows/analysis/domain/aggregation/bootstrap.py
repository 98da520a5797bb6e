"""Percentile intervals over resampled items (Efron and Tibshirani 1993, chapter 13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from workflows.analysis.domain.aggregation.votes import Floats, Ints

Statistic = Callable[[Floats], Floats]
"""From how often each pattern occurs (resamples x patterns) to each resample's value, nan if undefined."""
CELLS = 4_000_000
"""Numbers in memory at once: 32 MB."""
MOST_UNDEFINED = 0.05
"""If a larger share of the resamples is undefined, there is no interval: it would mislead [ours]."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval. If one is None, it is undefined, and `reason` says why."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""


def estimate(
    statistic: Statistic,
    counts: Ints,
    rng: np.random.Generator,
    *,
    undefined: str,
    resamples: int = 1000,
    level: float = 0.95,
) -> Estimate:
    """Return the value of `statistic` and its interval over resampled items.

    Items with equal judgments are one pattern, and `counts` has the number of items of each pattern, so that
    drawing patterns is drawing items. `undefined` is the reason given if the value is nan. With 0 resamples
    there is no interval. Raises ValueError if `level` is not between 0 and 1, or `resamples` is negative.
    """
    if not 0 < level < 1 or resamples < 0:
        raise ValueError("level must be between 0 and 1, resamples at least 0")
    value = float(statistic(counts[None, :].astype(np.float64))[0]) if len(counts) else float("nan")
    if np.isnan(value):
        return Estimate(None, reason=undefined)
    if not resamples:
        return Estimate(value, reason="no resamples were asked for")
    items = int(counts.sum())
    if items < 2:
        return Estimate(value, reason="one item has no interval")
    at_once = max(1, CELLS // len(counts))
    drawn = np.concatenate(
        [
            statistic(_resample(counts, items, min(at_once, resamples - done), rng))
            for done in range(0, resamples, at_once)
        ]
    )
    lost = float(np.isnan(drawn).mean())
    if lost > MOST_UNDEFINED:
        return Estimate(value, reason=f"undefined in {lost:.0%} of the resamples: too few items differ")
    low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(value, float(low), float(high))


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
