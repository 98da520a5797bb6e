"""Rules for what a hand does on the screen to give an answer, and how far off the result may be."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Way = str
DRAG, POINTS, ARROWS = "Drag", "Four points", "arrows"
"""How a box is drawn. The first two are the words on the page's buttons."""
SMALL = 8
"""Screen pixels. A box with a shorter side is not dragged, but made with the arrow keys."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Where the whole picture is in the window, in screen pixels, and its size in image pixels."""

    left: float
    top: float
    width: float
    height: float
    size: tuple[int, int]

    @property
    def scale(self) -> float:
        """Return the screen pixels for each image pixel."""
        return self.width / self.size[0]

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """Return the whole pixel of the screen, on the picture, that is nearest to a point of the image."""
        return (
            _within(self.left + x * self.width / self.size[0], self.left, self.width),
            _within(self.top + y * self.height / self.size[1], self.top, self.height),
        )


def _within(at: float, start: float, length: float) -> int:
    return min(max(round(at), math.ceil(start)), math.ceil(start + length) - 1)


def way_for(edges: Sequence[int], scale: float, likes: Way) -> Way:
    """Return how somebody who `likes` one way draws this box."""
    left, top, right, bottom = edges
    return ARROWS if min(right - left, bottom - top) * scale < SMALL else likes


def allowed(scale: float) -> int:
    """Return by how many whole image pixels an edge may be off: as many as a screen pixel covers."""
    return math.ceil(1 / scale)


def is_as_said(said: Mapping[str, Any], stored: Mapping[str, Any], scale: float) -> bool:
    """Return whether an answer arrived as it was meant: a box within `allowed`, everything else exactly."""
    box, other = said.get("box"), stored.get("box")
    if box is None or other is None:
        return dict(said) == dict(stored)
    return all(abs(a - b) <= allowed(scale) for a, b in zip(box, other, strict=True))
