"""From a worker's answer to what a hand does on the screen, and how far off that may be: pure rules."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Way = str
DRAG, POINTS, ARROWS = "Drag", "Four points", "arrows"
"""How a box is drawn; the first two are what the page's buttons say."""
SMALL = 8
"""Screen pixels: nobody drags a box with a shorter side, but makes it with the arrow keys."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Where the whole picture is in the window, in screen pixels, and its own size in image pixels."""

    left: float
    top: float
    width: float
    height: float
    size: tuple[int, int]

    @property
    def scale(self) -> float:
        """Screen pixels an image pixel."""
        return self.width / self.size[0]

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """The whole pixel of the screen, on the picture, that is nearest to a point of the image."""
        return (
            _within(self.left + x * self.width / self.size[0], self.left, self.width),
            _within(self.top + y * self.height / self.size[1], self.top, self.height),
        )


def _within(at: float, start: float, length: float) -> int:
    return min(max(round(at), math.ceil(start)), math.ceil(start + length) - 1)


def way_for(edges: Sequence[int], scale: float, likes: Way) -> Way:
    """How somebody who `likes` one way draws this box."""
    left, top, right, bottom = edges
    return ARROWS if min(right - left, bottom - top) * scale < SMALL else likes


def allowed(scale: float) -> int:
    """Whole pixels of the image that an edge may be off: what a pixel of the screen comes to in them."""
    return math.ceil(1 / scale)


def is_as_said(said: Mapping[str, Any], stored: Mapping[str, Any], scale: float) -> bool:
    """Whether an answer arrived as it was meant: a box within `allowed`, everything else exactly."""
    box, other = said.get("box"), stored.get("box")
    if box is None or other is None:
        return dict(said) == dict(stored)
    return all(abs(a - b) <= allowed(scale) for a, b in zip(box, other, strict=True))
