"""Finds where things are on the screen, from nothing but a screenshot: in fractions of device pixels.

An edge that lies between pixels shows as a mixed colour. The edge is where the mixture is half and half.
"""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import PIL.Image
from playwright.sync_api import Page

Floats = npt.NDArray[np.float64]
Place = tuple[float, float, float, float]
"""Left, top, right, bottom."""

PAPER, TARGET = (235, 240, 235), (205, 30, 40)
"""The two colours of a test picture."""
MARK = 255, 0, 255
"""The colour of a mark that a test puts on a picture for a moment."""
_TARGET_REDNESS = TARGET[0] - TARGET[1]
_FAINT = 0.5
"""The share of the target's redness below which a pixel does not belong to the target."""
_OUTLINE = 60
"""The yellowness of the new box's line.

Yellowness is the lesser of red and green, minus blue. The line has 168, and half of that where it is thin.
"""
_NOISE = 15
"""The yellowness that JPEG gives to grey."""
_REACH = 16
"""Device pixels. On all of these screens, the line is narrower."""


class NotSeenError(AssertionError):
    """What is looked for is not on the screen."""


@dataclass(frozen=True)
class Shot:
    """A part of a screenshot of the viewport, as an array of rows, and where it begins."""

    pixels: npt.NDArray[np.int16]
    begins: tuple[int, int]

    def same_as(self, other: Shot) -> bool:
        return self.begins == other.begins and np.array_equal(self.pixels, other.pixels)

    def marked(self) -> bool:
        return bool((np.abs(self.pixels - np.array(MARK, dtype=np.int16)).max(axis=2) < _NOISE).any())

    def target(self) -> Place:
        """Return the one rectangle in the colour TARGET."""
        red = (self.pixels[:, :, 0] - self.pixels[:, :, 1]) / np.float64(_TARGET_REDNESS)
        left, top, right, bottom = _bounds(red > _FAINT)
        x = _crossing(_middle(red, top, bottom, axis=0), left, right)
        y = _crossing(_middle(red, left, right, axis=1), top, bottom)
        return self._in_window(x[0], y[0], x[1], y[1])

    def outline(self) -> Place:
        """Return the middle of the new box's line on each of its sides."""
        yellow = np.minimum(self.pixels[:, :, 0], self.pixels[:, :, 1]) - self.pixels[:, :, 2]
        left, top, right, bottom = _bounds(yellow > _OUTLINE)
        # A quarter along the side, there is no handle.
        row, column = top + (bottom - top) // 4, left + (right - left) // 4
        across, down = yellow[row : row + 2].mean(axis=0), yellow[:, column : column + 2].mean(axis=1)
        return self._in_window(
            _weight(across, left),
            _weight(down, top),
            _weight(across, right),
            _weight(down, bottom),
        )

    def _in_window(self, left: float, top: float, right: float, bottom: float) -> Place:
        x, y = self.begins
        return left + x, top + y, right + x, bottom + y


def take_shot(page: Page, area: Place) -> Shot:
    """Take a screenshot of the viewport in the screen's own pixels.

    Only what lies in `area` (device pixels) is looked at, since the page also has colours of its own.
    """
    if page.viewport_size:
        png = page.screenshot()
    else:  # the screen is not emulated: otherwise Playwright would scale by the browser's zoom
        protocol = page.context.new_cdp_session(page)
        shot: Any = protocol.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        protocol.detach()
        png = base64.b64decode(shot["data"])
    image = PIL.Image.open(io.BytesIO(png)).convert("RGB")
    left, top, right, bottom = (max(0, round(side)) for side in area)
    return Shot(np.asarray(image.crop((left, top, right, bottom)), dtype=np.int16), (left, top))


def _bounds(mask: npt.NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """Return the first and last column and row with at least six such pixels, so that specks do not count.

    The last ones are not included.
    """
    columns, rows = (np.flatnonzero(mask.sum(axis=axis) >= 6) for axis in (0, 1))
    if not (columns.size and rows.size):
        raise NotSeenError("it is not to be seen")
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def _middle(values: Floats, low: int, high: int, *, axis: int) -> Floats:
    """Return the mean of the lines in the middle third."""
    third = (high - low) // 3
    lines = values.take(range(low + third, max(high - third, low + third + 1)), axis=axis)
    return np.asarray(lines.mean(axis=axis))


def _crossing(line: Floats, low: int, high: int) -> tuple[float, float]:
    """Return where the values rise through a half and fall again, seen from their middle.

    Places are between the centres of pixels.
    """
    middle = (low + high) // 2
    inside = float(line[middle])

    def between(outer: int, inner: int) -> float:
        a, b = float(line[outer]) / inside, float(line[inner]) / inside
        return outer + 0.5 + (inner - outer) * (0.5 - a) / (b - a)

    first = next(x for x in range(middle, -1, -1) if line[x] < 0.5 * inside)
    last = next(x for x in range(middle, line.size) if line[x] < 0.5 * inside)
    return between(first, first + 1), between(last, last - 1)


def _weight(line: Floats, near: int) -> float:
    """Return the middle of what is yellow near a place."""
    low = max(near - _REACH, 0)
    part = np.clip(line[low : near + _REACH] - _NOISE, 0, None)
    if not part.sum() > 0:
        raise NotSeenError("there is yellow, but no line")
    return float((part * (np.arange(part.size) + low + 0.5)).sum() / part.sum())
