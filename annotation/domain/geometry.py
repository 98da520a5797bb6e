"""Boxes, and how much they overlap. All coordinates are whole pixels of the stored image."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True, order=True)
class Box:
    """A rectangle given by its pixel *edges*, half open: it covers the columns ``left`` to ``right - 1``.

    Inside an image, 0 <= left < right <= width and 0 <= top < bottom <= height. The constructor raises
    ValueError when the box is empty or reaches beyond the left or upper edge.
    """

    left: int
    top: int
    right: int
    bottom: int

    def __post_init__(self) -> None:
        if self.left < 0 or self.top < 0:
            raise ValueError(f"box {self.edges} begins outside the image")
        if self.left >= self.right or self.top >= self.bottom:
            raise ValueError(f"box {self.edges} is empty")

    def to_voc(self) -> tuple[int, int, int, int]:
        """Return the PASCAL VOC corners (xmin, ymin, xmax, ymax): 1-based, both inclusive."""
        return self.left + 1, self.top + 1, self.right, self.bottom

    @property
    def edges(self) -> tuple[int, int, int, int]:
        """Return (left, top, right, bottom)."""
        return self.left, self.top, self.right, self.bottom

    @property
    def width(self) -> int:
        """Return the width in pixels."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Return the height in pixels."""
        return self.bottom - self.top

    @property
    def area(self) -> int:
        """Return the area in square pixels."""
        return (self.right - self.left) * (self.bottom - self.top)


def overlap(a: Box, b: Box) -> int:
    """Return the area that both boxes cover, in square pixels."""
    width = min(a.right, b.right) - max(a.left, b.left)
    height = min(a.bottom, b.bottom) - max(a.top, b.top)
    return width * height if width > 0 and height > 0 else 0


def iou(a: Box, b: Box) -> float:
    """Return the intersection over union of two boxes, from 0 to 1."""
    shared = overlap(a, b)
    return shared / (a.area + b.area - shared)


def clip(box: Box, width: int, height: int) -> Box:
    """Return the part of the box inside an image of ``width`` x ``height`` pixels.

    Raise ValueError when the box lies outside the image.
    """
    right, bottom = min(box.right, width), min(box.bottom, height)
    if box.left >= right or box.top >= bottom:
        raise ValueError(f"box {box.edges} lies outside the image of {width} x {height} pixels")
    return box if (right, bottom) == (box.right, box.bottom) else Box(box.left, box.top, right, bottom)


def encloses(a: Box, b: Box) -> bool:
    """Return whether every pixel of ``b`` is in ``a``."""
    return a.left <= b.left and a.top <= b.top and a.right >= b.right and a.bottom >= b.bottom


def union_area(boxes: Iterable[Box]) -> int:
    """Return the area that at least one of the boxes covers, in square pixels; 0 without boxes.

    A sweep over the distinct left and right edges: quadratic in the few boxes of a chain.
    """
    remaining = sorted(boxes, key=lambda box: box.top)
    columns = sorted({edge for box in remaining for edge in (box.left, box.right)})
    total = 0
    for left, right in pairwise(columns):
        reached = covered = 0
        for box in remaining:
            if box.left <= left and box.right >= right and box.bottom > reached:
                covered += box.bottom - max(box.top, reached)
                reached = box.bottom
        total += covered * (right - left)
    return total


def component_iou(a: Sequence[Box], b: Sequence[Box]) -> float:
    """Return the IoU of the pixels that the boxes of ``a`` cover and those that the boxes of ``b`` cover.

    It is 0.0 when both are empty.
    """
    joint = union_area([*a, *b])
    if not joint:
        return 0.0
    return (union_area(a) + union_area(b) - joint) / joint
