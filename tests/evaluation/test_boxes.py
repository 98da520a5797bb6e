"""Areas against a raster of pixels, and suppression against the plain loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.boxes import (
    areas,
    disjoint,
    enclosing,
    enclosing_boxes,
    intersections,
    iou_matrix,
    suppress,
    suppress_lists,
    union_area,
)
from evaluation.dataset import Boxes
from evaluation.ragged import RaggedBoxes
from tests.evaluation.made_up import random_boxes, raster, some_boxes


@given(some_boxes())
def test_the_area_of_a_union_is_its_pixels(boxes: Boxes) -> None:
    assert union_area(boxes) == raster(boxes).sum()


@given(some_boxes(), some_boxes())
def test_the_shared_area_of_two_unions_is_their_shared_pixels(a: Boxes, b: Boxes) -> None:
    assert intersections(disjoint(a), disjoint(b)).sum() == (raster(a) * raster(b)).sum()


@given(some_boxes())
def test_disjoint_boxes_cover_the_same_and_share_nothing(boxes: Boxes) -> None:
    parts = disjoint(boxes)
    np.testing.assert_array_equal(raster(parts), raster(boxes))
    shared = intersections(parts, parts)
    np.testing.assert_array_equal(shared, np.diag(areas(parts)))


@given(some_boxes(), some_boxes())
def test_iou_is_that_of_the_pixels(a: Boxes, b: Boxes) -> None:
    found = iou_matrix(a, b)
    assert found.shape == (len(a), len(b))
    for row, one in enumerate(a):
        for column, other in enumerate(b):
            first, second = raster(one[None]), raster(other[None])
            assert found[row, column] == (first * second).sum() / np.maximum(first, second).sum()


def test_boxes_without_area_overlap_nothing() -> None:
    flat = np.array([[5.0, 5.0, 5.0, 9.0], [9.0, 9.0, 5.0, 5.0]])
    whole = np.array([[0.0, 0.0, 10.0, 10.0]])
    assert areas(flat).tolist() == [0, 0]
    assert iou_matrix(flat, whole).tolist() == [[0], [0]]
    assert iou_matrix(flat, flat).tolist() == [[0, 0], [0, 0]]
    assert union_area(np.concatenate([flat, whole])) == 100


def test_no_boxes_have_no_enclosing_box() -> None:
    with pytest.raises(ValueError, match="no enclosing box"):
        enclosing(np.empty((0, 4)))


@given(st.lists(some_boxes(), max_size=5))
def test_enclosing_boxes_of_lists_are_those_of_each_list(lists: list[Boxes]) -> None:
    found = enclosing_boxes(RaggedBoxes.of(lists))
    for one, box in zip(lists, found, strict=True):
        np.testing.assert_array_equal(box, enclosing(one) if len(one) else np.zeros(4))


def plain_suppression(boxes: Boxes, threshold: float, most: int) -> list[int]:
    kept: list[int] = []
    for place in range(len(boxes)):
        if len(kept) < most and all(
            iou_matrix(boxes[[place]], boxes[[other]])[0, 0] <= threshold for other in kept
        ):
            kept.append(place)
    return kept


@given(st.lists(some_boxes(most=14), max_size=4), st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.integers(1, 5))
def test_suppression_is_the_plain_loop(lists: list[Boxes], threshold: float, most: int) -> None:
    found = suppress_lists(RaggedBoxes.of(lists), threshold=threshold, most=most)
    assert found.shape == (len(lists), most)
    for boxes, kept in zip(lists, found.tolist(), strict=True):
        expected = plain_suppression(boxes, threshold, most)
        assert kept == expected + [-1] * (most - len(expected))


def test_suppression_can_be_switched_off() -> None:
    boxes = np.tile([0.0, 0.0, 9.0, 9.0], (3, 1))
    assert suppress(boxes).tolist() == [0]
    assert suppress(boxes, threshold=None).tolist() == [0, 1, 2]
    assert suppress(boxes, threshold=None, most=2).tolist() == [0, 1]


def test_what_is_kept_first_does_not_depend_on_how_many_are_kept() -> None:
    boxes = random_boxes(np.random.default_rng(2), 300)
    many = suppress(boxes, most=300)
    assert suppress(boxes).tolist() == many[:10].tolist()
    overlaps = iou_matrix(boxes[many], boxes[many])
    assert (overlaps[~np.eye(len(many), dtype=bool)] <= 0.5).all()
