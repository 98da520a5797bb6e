"""Areas and overlaps of boxes, exact areas of their unions, and non-maximum suppression.

Boxes are arrays of shape (n, 4) in pixel edges: left, top, right, bottom. All areas are in square pixels. A
box whose right edge is not beyond its left, or whose bottom is not below its top, has no area.
"""

from __future__ import annotations

import numpy as np

from evaluation.arrays import Floats, Ints
from evaluation.dataset import Boxes
from evaluation.ragged import RaggedBoxes

KEPT = 10
"""How many boxes non-maximum suppression keeps: no measure looks beyond the tenth."""
SUPPRESSION = 0.5
"""Of two boxes with a larger IoU, the worse is suppressed (Flickr30k Entities, section 4.1.2)."""


def areas(boxes: Boxes) -> Floats:
    """Return the area of each box, of shape (n,).

    >>> areas(np.array([[0, 0, 10, 20], [5, 5, 5, 9]])).tolist()
    [200.0, 0.0]
    """
    width, height = boxes[..., 2] - boxes[..., 0], boxes[..., 3] - boxes[..., 1]
    return np.asarray(np.maximum(width, 0.0) * np.maximum(height, 0.0), dtype=np.float64)


def intersections(a: Boxes, b: Boxes) -> Floats:
    """Return the area that each box of `a` shares with each box of `b`, of shape (len(a), len(b))."""
    return paired_intersections(a[:, None], b[None])


def paired_intersections(a: Boxes, b: Boxes) -> Floats:
    """Return the area that each box of `a` shares with the box at its place in `b`.

    Both have the shape (…, 4), and shapes are broadcast.
    """
    width = np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
    height = np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
    return np.asarray(np.maximum(width, 0.0) * np.maximum(height, 0.0), dtype=np.float64)


def iou_matrix(a: Boxes, b: Boxes) -> Floats:
    """Return the intersection over union of each box of `a` with each of `b`, of shape (len(a), len(b)).

    >>> iou_matrix(np.array([[0, 0, 10, 10]]), np.array([[0, 0, 10, 10], [5, 0, 15, 10]])).round(4).tolist()
    [[1.0, 0.3333]]
    """
    return paired_iou(a[:, None], b[None])


def paired_iou(a: Boxes, b: Boxes) -> Floats:
    """Return the intersection over union of each box of `a` with the box at its place in `b`.

    Both have the shape (…, 4), and shapes are broadcast. It is 0 where neither has an area.
    """
    return share_of_union(paired_intersections(a, b), areas(a), areas(b))


def share_of_union(shared: Floats, a: Floats, b: Floats) -> Floats:
    """Return intersection over union from the area that two things share and the area of each."""
    union = a + b - shared
    return np.asarray(np.divide(shared, union, out=np.zeros_like(union), where=union > 0))


def enclosing(boxes: Boxes) -> Boxes:
    """Return the smallest box around all of these, of shape (4,). Raises ValueError if there is none.

    >>> enclosing(np.array([[0, 0, 10, 10], [90, 0, 100, 10]])).tolist()
    [0, 0, 100, 10]
    """
    if not len(boxes):
        raise ValueError("no boxes have no enclosing box")
    return np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])


def enclosing_boxes(lists: RaggedBoxes) -> Boxes:
    """Return the enclosing box of each list, of shape (lists, 4); zeros where a list is empty."""
    found = np.zeros((len(lists), 4))
    filled = np.diff(lists.offsets) > 0
    if filled.any():
        begins = lists.offsets[:-1][filled]
        found[filled, :2] = np.minimum.reduceat(lists.boxes[:, :2], begins)
        found[filled, 2:] = np.maximum.reduceat(lists.boxes[:, 2:], begins)
    return found


def disjoint(boxes: Boxes) -> Boxes:
    """Return boxes that cover exactly what these cover, and no two of which overlap.

    The plane is cut at every left and right edge. Within a strip between two cuts, each box that crosses it
    keeps what no box above it covers. So the result is exact, and quadratic in the few boxes of a phrase.

    >>> disjoint(np.array([[0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 2.0, 3.0]])).tolist()
    [[0.0, 0.0, 1.0, 2.0], [1.0, 0.0, 2.0, 2.0], [1.0, 2.0, 2.0, 3.0]]
    """
    boxes = boxes[areas(boxes) > 0]
    if len(boxes) < 2:
        return boxes
    boxes = boxes[np.argsort(boxes[:, 1], kind="stable")]
    cuts = np.unique(boxes[:, [0, 2]])
    crosses = (boxes[:, 0, None] <= cuts[:-1]) & (boxes[:, 2, None] >= cuts[1:])  # boxes x strips
    tops = np.where(crosses, boxes[:, 1, None], np.inf)
    bottoms = np.where(crosses, boxes[:, 3, None], -np.inf)
    # How far down the boxes above reach. Boxes are in the order of their tops.
    reached = np.maximum.accumulate(np.vstack([np.full(len(cuts) - 1, -np.inf), bottoms[:-1]]), axis=0)
    tops = np.maximum(tops, reached)
    strip, box = np.nonzero((tops < bottoms).T)
    return np.stack([cuts[strip], tops[box, strip], cuts[strip + 1], bottoms[box, strip]], axis=1)


def union_area(boxes: Boxes) -> float:
    """Return the exact area that at least one of the boxes covers; 0 without boxes.

    >>> union_area(np.array([[0, 0, 10, 10], [5, 5, 15, 15]]))
    175.0
    """
    return float(areas(disjoint(boxes)).sum())


def suppress(boxes: Boxes, *, threshold: float | None = SUPPRESSION, most: int = KEPT) -> Ints:
    """Return the places of the boxes that greedy non-maximum suppression keeps, the best first.

    `boxes` are the best first. A box is suppressed if its IoU with one that was kept is above
    `threshold`; with None, nothing is suppressed. It stops when `most` boxes are kept.

    >>> suppress(np.array([[0, 0, 10, 10], [1, 0, 11, 10], [20, 0, 30, 10]])).tolist()
    [0, 2]
    """
    kept: Ints = suppress_lists(RaggedBoxes.of([boxes]), threshold=threshold, most=most)[0]
    return kept[kept >= 0]


def suppress_lists(lists: RaggedBoxes, *, threshold: float | None = SUPPRESSION, most: int = KEPT) -> Ints:
    """Do as `suppress` for each list. Return places within the lists, of shape (lists, most).

    -1 stands where fewer boxes are kept. All lists go on together, a place at a time, and a list that has
    `most` boxes is left. So the work is about as large as what is kept, however long the lists are.
    """
    sizes = np.diff(lists.offsets)
    kept = np.full((len(lists), most), -1, dtype=np.int64)
    if threshold is None:
        places = np.arange(most)
        return np.asarray(np.where(places < sizes[:, None], places, -1), dtype=np.int64)
    chosen = np.zeros((len(lists), most, 4))  # zeros overlap nothing
    count = np.zeros(len(lists), dtype=np.int64)
    going = np.flatnonzero(sizes > 0)
    place = 0
    while len(going):
        box = lists.boxes[lists.offsets[going] + place]
        reach = int(count[going].max())  # no list has more boxes
        worst = paired_iou(chosen[going, :reach], box[:, None]).max(axis=1, initial=0.0)
        stays = worst <= threshold
        rows, at = going[stays], count[going[stays]]
        chosen[rows, at], kept[rows, at] = box[stays], place
        count[rows] += 1
        place += 1
        going = going[(sizes[going] > place) & (count[going] < most)]
    return kept
