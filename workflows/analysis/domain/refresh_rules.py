"""When figures are counted again, and the little arithmetic there is to them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from annotation.domain.types import TYPES
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings

LEAST_SECONDS = 15.0
"""Between two counts of the same figures."""
REST = 30
"""So many times what counting took is waited, too: counting never takes more than this part of a process."""

RETRY_MOST = timedelta(hours=1)
CLAIM_LEAST = timedelta(minutes=5)


def is_due(*, counted_at: datetime, seconds: float, now: datetime) -> bool:
    """Whether figures that took `seconds` to count may be counted again."""
    return now - counted_at >= timedelta(seconds=max(LEAST_SECONDS, REST * seconds))


def retry_after(failures: int) -> timedelta:
    """How long a count rests that failed so many times in a row, 1 or more: half a minute, then double."""
    return min(RETRY_MOST, timedelta(seconds=LEAST_SECONDS * 2.0 ** min(failures, 16)))


def claim_lasts(*, seconds: float, dead: timedelta | None) -> timedelta:
    """How long whoever counts is believed to be alive, where the last count took `seconds`.

    Who takes over from somebody taken for dead gets double: a count that takes longer than anybody thought
    is otherwise begun again and again, and never kept.
    """
    return max(CLAIM_LEAST, timedelta(seconds=10 * seconds)) if dead is None else 2 * dead


def images_wanted(images: Mapping[str, int], target: int | None) -> int:
    """Of a batch's images by state, how many are to be done: `target`, or all that were not let go."""
    held = sum(number for state, number in images.items() if state != "released")
    return held if target is None else max(images.get("done", 0), min(held, target))


def quantiles(times: Mapping[float, int], shares: Sequence[float]) -> list[float | None]:
    """Of a histogram (value -> how many), the values that these shares (0 to 1) do not exceed.

    The middle of the two middle ones where a share falls between two; None of nothing.
    """
    total = sum(times.values())
    if not total:
        return [None] * len(shares)
    values = sorted(times)
    return [_quantile(values, times, share * total) for share in shares]


def _quantile(values: Sequence[float], times: Mapping[float, int], wanted: float) -> float:
    """The value at which `wanted` of the histogram's values have been passed."""
    passed = 0
    for place, value in enumerate(values):
        passed += times[value]
        if passed == wanted and place + 1 < len(values):
            return (value + values[place + 1]) / 2
        if passed >= wanted:
            return value
    return values[-1]


def by_type(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """(types joined with a slash, how many) -> how many of each type; one of several types is in each."""
    found: Counter[str] = Counter()
    for types, number in counts:
        for kind in types.split("/"):
            found[kind] += number
    order = {kind: place for place, kind in enumerate(TYPES)}
    return {kind: found[kind] for kind in sorted(found, key=lambda one: order.get(one, len(order)))}


def cost_to_come(judgments: Mapping[str, int], settings: BatchSettings) -> int:
    """What so many judgments by stage will cost in full pages, in the currency's smallest unit.

    Verification questions take their share of the places of a page.
    """
    total = 0
    for stage, number in judgments.items():
        shares = {
            Regime.TRUSTED: settings.control.trusted_share,
            Regime.VERIFICATION: settings.control.verification_share,
        }
        share = shares.get(Regime(settings.regime[stage]), 0.0)
        places = settings.items_a_page[stage] * (1 - share)
        # Rounded first: 0.1 + 0.2 is a little more than 0.3, which must not cost a page.
        pages = math.ceil(round(number / places, 6)) if places > 0 else number
        total += pages * settings.reward[stage]
    return total
