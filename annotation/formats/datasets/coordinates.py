"""Coordinates of boxes as vision-language models are taught to say them, each with the model's own rounding.

All functions take a box in pixel edges and the size of its image, and return left, top, right and bottom.
They count in whole numbers, so that no machine rounds differently. *Nearest* means that halves go to the even
number, as Python's `round` does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from annotation.domain.geometry import Box
from evaluation.coordinates import PATCHES, RESIZE_FACTOR, smart_resize

Edges = tuple[int, int, int, int]
Grid = Callable[[Box, int, int], Edges]

MIN_PIXELS, MAX_PIXELS = 56 * 56, 14 * 14 * 4 * 1280
"""The pixels that a resized image has: the defaults of Qwen's `process_bbox.ipynb`."""
MAX_RATIO = 200


def pixels(box: Box, width: int, height: int) -> Edges:
    """Return the edges in pixels of the file."""
    return box.edges


def thousandths(box: Box, width: int, height: int) -> Edges:
    """Return the nearest thousandths of the sides, 0 to 1000, as Qwen2-VL, Qwen3-VL and InternVL."""
    return _scaled(box, (width, height), (1000, 1000))


def thousand_bins(box: Box, width: int, height: int) -> Edges:
    """Return the bins of a thousand in which the edges are, 0 to 999, as Florence-2's `BoxQuantizer`."""
    sides = (width, height) * 2
    left, top, right, bottom = (
        min(edge * 1000 // side, 999) for edge, side in zip(box.edges, sides, strict=True)
    )
    return left, top, right, bottom


def steps_of_1023(box: Box, width: int, height: int) -> Edges:
    """Return the nearest of 1024 places from edge to edge, 0 to 1023, as PaliGemma's `big_vision`."""
    return _scaled(box, (width, height), (1023, 1023))


def resized_pixels(box: Box, width: int, height: int) -> Edges:
    """Return the nearest pixels of the image as Qwen2.5-VL resizes it, at most its sides less 1.

    That is what `process_bbox.ipynb` of Qwen does. Raise ValueError if the model takes no such image.
    """
    sides = resized(width, height)
    left, top, right, bottom = _scaled(box, (width, height), sides)
    return (
        min(left, sides[0] - 1),
        min(top, sides[1] - 1),
        min(right, sides[0] - 1),
        min(bottom, sides[1] - 1),
    )


def resized(width: int, height: int) -> tuple[int, int]:
    """Return the width and height that Qwen2.5-VL resizes an image to. Raise ValueError if it does not."""
    if min(width, height) < RESIZE_FACTOR or max(width, height) > MAX_RATIO * min(width, height):
        raise ValueError(f"Qwen2.5-VL takes no images of {width} x {height} pixels")
    return smart_resize(width, height, min_pixels=MIN_PIXELS, max_pixels=MAX_PIXELS)


def is_shrunk(width: int, height: int) -> bool:
    """Return whether a trainer with the limit MAX_PIXELS makes an image smaller for it.

    Qwen compares the sides after rounding them to multiples of 28, and LLaMA-Factory before.
    """
    rounded = smart_resize(width, height, min_pixels=MIN_PIXELS, max_pixels=sys.maxsize)
    return max(width * height, rounded[0] * rounded[1]) > MAX_PIXELS


def patches(box: Box, width: int, height: int) -> tuple[int, int]:
    """Return the numbers of the first and the last of Kosmos-2's 32 x 32 patches that a box reaches into.

    They are counted from 0, row by row.
    """
    left, top = box.left * PATCHES // width, box.top * PATCHES // height
    right, bottom = -(-box.right * PATCHES // width) - 1, -(-box.bottom * PATCHES // height) - 1
    return top * PATCHES + left, bottom * PATCHES + right


def is_empty(edges: Edges) -> bool:
    """Return whether rounding has left nothing between the edges of a box."""
    return edges[0] >= edges[2] or edges[1] >= edges[3]


def _scaled(box: Box, sides: tuple[int, int], scales: tuple[int, int]) -> Edges:
    left, top, right, bottom = (
        nearest(edge * scale, side)
        for edge, side, scale in zip(box.edges, sides * 2, scales * 2, strict=True)
    )
    return left, top, right, bottom


def nearest(dividend: int, divisor: int) -> int:
    """Return the whole number that is nearest to the quotient; a half goes to the even number."""
    whole, rest = divmod(dividend, divisor)
    return whole + (2 * rest > divisor or (2 * rest == divisor and whole % 2 == 1))
