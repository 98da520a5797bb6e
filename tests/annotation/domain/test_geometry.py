from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.geometry import Box, clip, component_iou, encloses, iou, overlap, union_area


@st.composite
def boxes(draw: st.DrawFn, size: int = 30) -> Box:
    left, top = draw(st.integers(0, size - 1)), draw(st.integers(0, size - 1))
    return Box(left, top, draw(st.integers(left + 1, size)), draw(st.integers(top + 1, size)))


def pixels(*covering: Box) -> set[tuple[int, int]]:
    return {
        (x, y) for box in covering for x in range(box.left, box.right) for y in range(box.top, box.bottom)
    }


@pytest.mark.parametrize("edges", [(0, 0, 0, 5), (0, 0, 5, 0), (3, 0, 2, 5), (-1, 0, 5, 5), (0, -1, 5, 5)])
def test_a_box_that_is_empty_or_outside_is_refused(edges: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"empty|outside"):
        Box(*edges)


def test_voc_corners_are_one_based_and_inclusive() -> None:
    box = Box(0, 0, 500, 375)
    assert box.to_voc() == (1, 1, 500, 375)
    assert (box.width, box.height, box.area) == (500, 375, 187_500)
    assert Box(0, 0, 1, 1).to_voc() == (1, 1, 1, 1)


@given(boxes(), boxes())
def test_iou_counts_pixels_and_is_symmetric(a: Box, b: Box) -> None:
    assert overlap(a, b) == len(pixels(a) & pixels(b))
    assert iou(a, b) == iou(b, a) == len(pixels(a) & pixels(b)) / len(pixels(a, b))
    assert (iou(a, b) == 1.0) == (a == b)


@given(boxes(), boxes())
def test_a_box_encloses_another_when_all_its_pixels_do(a: Box, b: Box) -> None:
    assert encloses(a, b) == (pixels(b) <= pixels(a))


@given(boxes(), st.integers(1, 40), st.integers(1, 40))
def test_clipping_keeps_what_is_inside_the_image(box: Box, width: int, height: int) -> None:
    image = Box(0, 0, width, height)
    if overlap(box, image):
        clipped = clip(box, width, height)
        assert pixels(clipped) == pixels(box) & pixels(image)
        assert clip(clipped, width, height) == clipped
    else:
        with pytest.raises(ValueError, match="outside the image"):
            clip(box, width, height)


@given(st.lists(boxes(size=12), max_size=6))
def test_union_area_counts_every_pixel_once(covering: list[Box]) -> None:
    assert union_area(covering) == len(pixels(*covering))


@given(st.lists(boxes(size=12), max_size=4), st.lists(boxes(size=12), max_size=4))
def test_component_iou_compares_the_covered_pixels(a: list[Box], b: list[Box]) -> None:
    joint = pixels(*a, *b)
    expected = len(pixels(*a) & pixels(*b)) / len(joint) if joint else 0.0
    assert component_iou(a, b) == component_iou(b, a) == expected


def test_component_iou_does_not_care_how_an_area_is_divided() -> None:
    assert component_iou([Box(0, 0, 5, 10), Box(5, 0, 10, 10)], [Box(0, 0, 10, 10)]) == 1.0
