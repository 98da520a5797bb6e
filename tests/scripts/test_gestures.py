"""From answers to gestures. None of this needs a browser."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.gestures import ARROWS, DRAG, POINTS, SMALL, Shown, allowed, is_as_said, way_for

SIDES = st.integers(20, 3000)
PLACES = st.floats(0, 400)
SHARES = st.floats(0, 1)


@given(st.tuples(SIDES, SIDES), PLACES, PLACES, st.floats(0.2, 8), SHARES, SHARES)
def test_a_hand_on_whole_pixels_is_off_by_no_more_than_is_allowed(
    size: tuple[int, int], left: float, top: float, scale: float, across: float, down: float
) -> None:
    shown = Shown(left, top, size[0] * scale, size[1] * scale, size)
    meant = round(across * size[0]), round(down * size[1])
    x, y = shown.pixel(*meant)
    # The page's calculation in reverse, on whole pixels of the image.
    got = round((x - left) / scale), round((y - top) / scale)
    assert all(abs(a - b) <= allowed(shown.scale) + 1e-6 for a, b in zip(got, meant, strict=True))


@given(st.tuples(SIDES, SIDES), PLACES, PLACES, st.floats(0.2, 8), SHARES, SHARES)
def test_it_points_at_the_picture_itself(
    size: tuple[int, int], left: float, top: float, scale: float, across: float, down: float
) -> None:
    shown = Shown(left, top, size[0] * scale, size[1] * scale, size)
    x, y = shown.pixel(across * size[0], down * size[1])
    assert left <= x < left + shown.width
    assert top <= y < top + shown.height


@pytest.mark.parametrize("likes", [DRAG, POINTS])
def test_a_box_too_small_to_be_dragged_is_made_with_keys(likes: str) -> None:
    assert way_for((10, 10, 10 + SMALL, 90), 1.0, likes) == likes
    assert way_for((10, 10, 9 + SMALL, 90), 1.0, likes) == ARROWS
    assert way_for((10, 10, 90, 9 + SMALL), 1.0, likes) == ARROWS
    assert way_for((10, 10, 9 + SMALL, 90), 2.0, likes) == likes


@pytest.mark.parametrize(
    ("said", "stored", "scale", "same"),
    [
        ({"same": True}, {"same": True}, 1.0, True),
        ({"same": True}, {"same": False}, 1.0, False),
        ({"box": None}, {"box": None}, 1.0, True),
        ({"box": None}, {"box": [0, 0, 9, 9]}, 1.0, False),
        ({"box": [0, 0, 9, 9]}, {"box": None}, 1.0, False),
        ({"box": [0, 0, 9, 9]}, {"box": [1, 0, 9, 8]}, 4.0, True),
        ({"box": [0, 0, 9, 9]}, {"box": [2, 0, 9, 9]}, 1.0, False),
        ({"box": [0, 0, 9, 9]}, {"box": [2, 0, 9, 9]}, 0.5, True),
    ],
)
def test_what_arrived_is_compared_with_what_was_meant(
    said: dict[str, Any], stored: dict[str, Any], scale: float, same: bool
) -> None:
    assert is_as_said(said, stored, scale) is same
