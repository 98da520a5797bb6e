"""Rules for when figures are counted again, and the arithmetic of figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from annotation.domain.types import in_order
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings

MIN_SECONDS = 15.0
"""The least seconds between two counts of the same figures."""
REST = 30
"""Figures rest this many times as long as counting them took, so that counting stays cheap."""

MAX_RETRY_DELAY = timedelta(hours=1)
MIN_CLAIM_TIME = timedelta(minutes=5)


def is_due(*, counted_at: datetime, seconds: float, now: datetime) -> bool:
    """Return whether figures that took `seconds` to count may be counted again.

    So may those that were counted in the future: the clock was set back since.
    """
    return abs(now - counted_at) >= timedelta(seconds=max(MIN_SECONDS, REST * seconds))


def retry_after(failures: int) -> timedelta:
    """Return how long a count rests after this many failures in a row: half a minute, doubled each time."""
    return min(MAX_RETRY_DELAY, timedelta(seconds=MIN_SECONDS * 2.0 ** min(failures, 16)))


def claim_lasts(*, seconds: float, dead: timedelta | None) -> timedelta:
    """Return how long a claim holds if the last count took `seconds`.

    A process that takes over a claim that ran out after `dead` gets twice that time. Otherwise a count that
    takes unexpectedly long would be begun again and again, and never finished.
    """
    return max(MIN_CLAIM_TIME, timedelta(seconds=10 * seconds)) if dead is None else 2 * dead


def images_wanted(images: Mapping[str, int], target: int | None) -> int:
    """Return how many of a batch's images (by state) are to be done: `target`, or all not released."""
    held = sum(number for state, number in images.items() if state != "released")
    return held if target is None else max(images.get("done", 0), min(held, target))


def quantiles(times: Mapping[float, int], shares: Sequence[float]) -> list[float | None]:
    """Return the quantiles of a histogram (value -> how many) at these shares (0 to 1).

    If a quantile falls between two values, it is their mean. Every quantile of an empty histogram is None.
    """
    total = sum(times.values())
    if not total:
        return [None] * len(shares)
    values = sorted(times)
    return [_quantile(values, times, share * total) for share in shares]


def _quantile(values: Sequence[float], times: Mapping[float, int], wanted: float) -> float:
    """Return the value at which `wanted` of the histogram's entries are reached."""
    passed = 0
    for place, value in enumerate(values):
        passed += times[value]
        if passed == wanted and place + 1 < len(values):
            return (value + values[place + 1]) / 2
        if passed >= wanted:
            return value
    return values[-1]


def by_type(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Sum up (types joined with a slash, number) by type. What has several types counts under each."""
    found: Counter[str] = Counter()
    for types, number in counts:
        for kind in types.split("/"):
            found[kind] += number
    return {kind: found[kind] for kind in in_order(found)}


def cost_to_come(judgments: Mapping[str, int], settings: BatchSettings) -> int:
    """Return the cost of these judgments by stage in full pages, in the currency's smallest unit.

    Verification questions take their share of a page's places.
    """
    total = 0
    for stage, number in judgments.items():
        shares = {
            Regime.TRUSTED: settings.control.trusted_share,
            Regime.VERIFICATION: settings.control.verification_share,
        }
        share = shares.get(Regime(settings.regime[stage]), 0.0)
        places = settings.items_a_page[stage] * (1 - share)
        # Rounded first: 0.1 + 0.2 is a little more than 0.3, and that must not cost a page more.
        pages = math.ceil(round(number / places, 6)) if places > 0 else number
        total += pages * settings.reward[stage]
    return total
