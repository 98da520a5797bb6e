"""The error rates that spot checks measure, as a table beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from console.common.numbers import UNKNOWN, say
from workflows.review.domain.spot_checks import BOX, CHAIN, MENTION
from workflows.review.spot_checks import Progress

NAMES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {MENTION: ("mention", "mentions"), CHAIN: ("chain", "chains"), BOX: ("box", "boxes")}
)
PAPER: Mapping[str, str] = MappingProxyType({MENTION: "less than 1%", CHAIN: "less than 1%"})
"""The paper's error rates (section 3.3.3). It does not give one for boxes."""
PAPER_IMAGES = "about 8%"
HEADER = ("", "Wrong", "95% interval", "In the paper")


def rate_rows(progress: Progress) -> list[tuple[str, str, str, str]]:
    """Return a row for each kind of unit, and one for images, with the paper's figures."""
    rows = [
        (
            NAMES[kind][1].capitalize(),
            f"{say(rate.wrong)} of {say(rate.judged)} ({_percent(rate.share)})" if rate.judged else UNKNOWN,
            _interval(rate.low, rate.high) if rate.judged else UNKNOWN,
            PAPER.get(kind, UNKNOWN),
        )
        for kind, rate in progress.rates.items()
    ]
    if (images := progress.images) is None:
        return rows
    share, low, high = images
    return [*rows, ("Images, estimated", _percent(share), _interval(low, high), PAPER_IMAGES)]


def _percent(share: float | None) -> str:
    return say(None if share is None else 100 * share, "%")


def _interval(low: float, high: float) -> str:
    return f"{100 * low:.1f}% to {100 * high:.1f}%"
