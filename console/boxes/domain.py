"""How near a box is to others of its chain."""

from __future__ import annotations

from collections.abc import Iterable

from annotation.domain.geometry import Box, iou


def nearest(box: Box, others: Iterable[Box]) -> float | None:
    """Return the largest IoU of the box with one of the others, or None if there are none.

    >>> nearest(Box(0, 0, 10, 10), [Box(0, 0, 10, 5), Box(50, 50, 60, 60)])
    0.5
    """
    return max((iou(box, other) for other in others), default=None)


def within(overlap: float | None, low: int | None, high: int | None) -> bool:
    """Return whether an IoU is within these limits, in per cent. Without an IoU, it is within none.

    >>> [within(0.5, 50, None), within(0.5, None, 49), within(None, None, 80), within(None, None, None)]
    [True, False, False, True]
    """
    if low is None and high is None:
        return True
    return overlap is not None and (low or 0) <= 100 * overlap <= (100 if high is None else high)
