"""Draws boxes as people do: good ones, and ones that are clearly wrong in one way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType

from annotation.domain.geometry import Box, encloses, iou
from workflows.questions.domain.known_images import KnownImage

GOOD_FIT, WRONG_FIT = 0.9, 0.55
"""A good box has a higher IoU with the true box than the first, a wrong one a lower IoU than the second.

Between them opinions differ [ours]."""
STILL_MEANT = 0.2
"""From this IoU on one sees what a wrong box was meant for."""
SAME_AGAIN = 0.8
"""A box with a higher IoU than this with a shown box is that box once more."""
_TRIES = 40

Drawing = Callable[[Box, Random], tuple[float, float, float, float]]
"""A function from a true box to the edges that somebody may have drawn instead, even outside the image."""


def steady(box: Box, image: KnownImage, rng: Random, *, fit: float = GOOD_FIT) -> Box | None:
    """Return the box as a careful worker draws it, with an IoU above `fit`, or None if no try succeeded."""
    return _drawn(box, image, rng, lambda one: iou(one, box) > fit, _trembling)


def flawed(
    kind: str, box: Box, image: KnownImage, rng: Random, *, missing: Sequence[Box], shown: Sequence[Box]
) -> Box | None:
    """Return the box drawn wrong in the way of `kind` (one of FLAWS).

    The result fits no missing box and no box that is shown already. Return None if the box does not admit
    this flaw: nothing is looser than a box that fills the image.
    """

    def wrong(one: Box) -> bool:
        right_kind = {
            "loose": encloses(one, box),
            "cut-off": encloses(box, one),
        }.get(kind, not encloses(one, box) and not encloses(box, one))
        return (
            right_kind
            and iou(one, box) >= STILL_MEANT
            and all(iou(one, other) < WRONG_FIT for other in (*missing, *shown))
        )

    return _drawn(box, image, rng, wrong, FLAWS[kind])


def _drawn(
    box: Box, image: KnownImage, rng: Random, accept: Callable[[Box], bool], drawing: Drawing
) -> Box | None:
    """Return the first of some tries that lies in the image, is large enough, and is accepted; else None."""
    for _ in range(_TRIES):
        left, top, right, bottom = map(round, drawing(box, rng))
        left, top = max(left, 0), max(top, 0)
        right, bottom = min(right, image.width), min(bottom, image.height)
        if left < right and top < bottom:
            one = Box(left, top, right, bottom)
            if image.fits(one) and accept(one):
                return one
    return None


def _trembling(box: Box, rng: Random) -> tuple[float, float, float, float]:
    x, y = 0.02 * box.width, 0.02 * box.height
    return (
        box.left + rng.uniform(-x, x),
        box.top + rng.uniform(-y, y),
        box.right + rng.uniform(-x, x),
        box.bottom + rng.uniform(-y, y),
    )


def _shifted(box: Box, rng: Random) -> tuple[float, float, float, float]:
    """Return the box moved in both directions by up to 60% of its size, which changes a little, too."""
    dx = rng.choice((-1, 1)) * rng.uniform(0.05, 0.6) * box.width
    dy = rng.choice((-1, 1)) * rng.uniform(0.05, 0.6) * box.height
    left, top, right, bottom = _trembling(box, rng)
    return left + dx, top + dy, right + dx, bottom + dy


def _loose(box: Box, rng: Random) -> tuple[float, float, float, float]:
    """Return the box enlarged on every side, each by a margin of its own."""
    return (
        box.left - rng.uniform(0.02, 0.6) * box.width,
        box.top - rng.uniform(0.02, 0.6) * box.height,
        box.right + rng.uniform(0.02, 0.6) * box.width,
        box.bottom + rng.uniform(0.02, 0.6) * box.height,
    )


def _cut_off(box: Box, rng: Random) -> tuple[float, float, float, float]:
    """Return a part of the box: much of one end is missing, and a little of an end in the other direction."""
    ends = [0.0, 0.0, 0.0, 0.0]
    most, some = rng.choice(((0, 1), (0, 3), (1, 0), (1, 2), (2, 1), (2, 3), (3, 0), (3, 2)))
    ends[most], ends[some] = rng.uniform(0.3, 0.6), rng.uniform(0, 0.25)
    return (
        box.left + ends[0] * box.width,
        box.top + ends[1] * box.height,
        box.right - ends[2] * box.width,
        box.bottom - ends[3] * box.height,
    )


FLAWS: Mapping[str, Drawing] = MappingProxyType({"shifted": _shifted, "loose": _loose, "cut-off": _cut_off})
"""The ways in which a box round the right thing can be wrong."""
