"""Pure conversions between the ways in which systems write boxes, and pixel edges.

Numbers of boxes have the shape (n, 4), and sizes are (width, height) in pixels. `Order` says which number is
which, and a unit how long one is. Nothing here clips or rounds.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from evaluation.arrays import Floats

Order = Literal["xyxy", "xywh", "yxyx", "cxcywh"]
ORDERS: tuple[Order, ...] = ("xyxy", "xywh", "yxyx", "cxcywh")
"""Left, top, right, bottom; left, top, width, height; top, left, bottom, right; centre, width, height."""
Size = tuple[float, float]
"""Width and height in pixels."""

RESIZE_FACTOR = 28
"""Qwen2-VL and Qwen2.5-VL resize images so that each side is a multiple of this."""
MIN_PIXELS = 4 * 28 * 28
"""Least pixels of an image that Qwen2.5-VL sees, unless somebody sets another number."""
MAX_PIXELS = 16384 * 28 * 28
"""Most pixels of an image that Qwen2.5-VL sees, unless somebody sets another number."""
PATCHES = 32
"""Kosmos-2's grid has so many patches a side."""


def edges_of(numbers: Floats, order: Order) -> Floats:
    """Return boxes as left, top, right, bottom, in the unit in which they are.

    >>> edges_of(np.array([[10.0, 20.0, 30.0, 40.0]]), "xywh").tolist()
    [[10.0, 20.0, 40.0, 60.0]]
    """
    if order == "xyxy":
        return numbers
    if order == "yxyx":
        return numbers[:, [1, 0, 3, 2]]
    first, extent = numbers[:, :2], numbers[:, 2:]
    with np.errstate(invalid="ignore"):  # infinity, which readers count
        if order == "cxcywh":
            first = first - extent / 2
        return np.concatenate([first, first + extent], axis=1)


def from_shares(edges: Floats, size: Size, per: float = 1, shift: float = 0) -> Floats:
    """Return the pixel edges of edges that count in parts of the sides: `per` of them are a side.

    `shift` is added first: 0.5 for bins of which each stands for its middle.

    >>> from_shares(np.array([[250.0, 500.0, 750.0, 1000.0]]), (200, 100), 1000).tolist()
    [[50.0, 50.0, 150.0, 100.0]]
    """
    found: Floats = (edges + shift) * _four(size) / per
    return found


def from_resized(edges: Floats, size: Size, seen: Size) -> Floats:
    """Return the pixel edges in an image of `size` of edges in a copy of `seen` pixels.

    >>> from_resized(np.array([[14.0, 28.0, 28.0, 56.0]]), (100, 50), (28, 56)).tolist()
    [[50.0, 25.0, 100.0, 50.0]]
    """
    found: Floats = edges * _four(size) / _four(seen)
    return found


def from_square(edges: Floats, size: Size) -> Floats:
    """Return the pixel edges of fractions of a square, in the middle of which the image was put.

    >>> from_square(np.array([[0.0, 0.25, 1.0, 0.75]]), (200, 100)).tolist()
    [[0.0, 0.0, 200.0, 100.0]]
    """
    side = max(size)
    found: Floats = edges * side - _four(((side - size[0]) // 2, (side - size[1]) // 2))
    return found


def from_patches(first: int, last: int) -> tuple[float, float, float, float]:
    """Return the box that two patches of Kosmos-2's grid stand for, as fractions of the sides.

    The patches count from 0, row by row. A box goes from the middle of the first to the middle of the last.
    If they are in one row or column, all of both patches belong to it.

    >>> from_patches(0, 33)
    (0.015625, 0.015625, 0.046875, 0.046875)
    """
    top, left = divmod(first, PATCHES)
    bottom, right = divmod(last, PATCHES)
    inset = 0.0 if top == bottom or left == right else 0.5
    return (
        (left + inset) / PATCHES,
        (top + inset) / PATCHES,
        (right + 1 - inset) / PATCHES,
        (bottom + 1 - inset) / PATCHES,
    )


def smart_resize(
    width: float,
    height: float,
    *,
    factor: int = RESIZE_FACTOR,
    min_pixels: int = MIN_PIXELS,
    max_pixels: int = MAX_PIXELS,
) -> tuple[int, int]:
    """Return the width and height of an image as Qwen2-VL and Qwen2.5-VL see it.

    Each side is the multiple of `factor` that is nearest, and the image has `min_pixels` to `max_pixels`.

    >>> smart_resize(500, 375)
    (504, 364)
    """
    across, down = (max(factor, round(side / factor) * factor) for side in (width, height))
    if across * down > max_pixels:
        shrink = math.sqrt(width * height / max_pixels)
        return (
            max(factor, math.floor(width / shrink / factor) * factor),
            max(factor, math.floor(height / shrink / factor) * factor),
        )
    if across * down < min_pixels:
        grow = math.sqrt(min_pixels / (width * height))
        return math.ceil(width * grow / factor) * factor, math.ceil(height * grow / factor) * factor
    return across, down


def _four(size: Size) -> Floats:
    return np.array([*size, *size], dtype=np.float64)
