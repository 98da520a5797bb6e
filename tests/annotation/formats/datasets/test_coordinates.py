"""The rounding of each model, against its definition in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.geometry import Box
from annotation.formats.datasets.coordinates import (
    MAX_PIXELS,
    MIN_PIXELS,
    is_shrunk,
    nearest,
    patches,
    resized,
    resized_pixels,
    steps_of_1023,
    thousand_bins,
    thousandths,
)


@st.composite
def boxes(draw: st.DrawFn, least: int = 1) -> tuple[Box, int, int]:
    width, height = draw(st.integers(least, 10_000)), draw(st.integers(least, 10_000))
    left, top = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
    return (
        Box(left, top, draw(st.integers(left + 1, width)), draw(st.integers(top + 1, height))),
        width,
        height,
    )


@given(boxes())
def test_edges_are_rounded_to_the_nearest_or_are_in_a_bin(drawn: tuple[Box, int, int]) -> None:
    box, width, height = drawn
    shares = [Fraction(edge, side) for edge, side in zip(box.edges, (width, height) * 2, strict=True)]
    assert list(thousandths(*drawn)) == [round(1000 * share) for share in shares]
    assert list(steps_of_1023(*drawn)) == [round(1023 * share) for share in shares]
    assert list(thousand_bins(*drawn)) == [min(floor(1000 * share), 999) for share in shares]
    left, top, right, bottom = shares
    first = floor(32 * top) * 32 + floor(32 * left)
    last = (ceil(32 * bottom) - 1) * 32 + ceil(32 * right) - 1
    assert patches(*drawn) == (first, last) and 0 <= first <= last < 1024


@given(st.integers(0, 1000), st.integers(1, 1000))
def test_a_half_goes_to_the_even_number(dividend: int, divisor: int) -> None:
    assert nearest(dividend, divisor) == round(Fraction(dividend, divisor))


@given(boxes(least=60))
def test_qwens_pixels_are_within_the_resized_image(drawn: tuple[Box, int, int]) -> None:
    box, width, height = drawn
    wide, high = resized(width, height)
    assert wide % 28 == high % 28 == 0 and MIN_PIXELS <= wide * high <= MAX_PIXELS
    shares = [Fraction(edge, side) for edge, side in zip(box.edges, (width, height) * 2, strict=True)]
    expected = [
        min(round(share * side), side - 1) for share, side in zip(shares, (wide, high) * 2, strict=True)
    ]
    assert list(resized_pixels(*drawn)) == expected


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((640, 428), (644, 420)),  # the example of Qwen's process_bbox.ipynb
        ((500, 375), (504, 364)),
        ((70, 28), (112, 56)),  # below the fewest pixels: it grows
        ((8000, 6000), (1148, 840)),  # above the most pixels: it shrinks
        ((5600, 28), (5600, 28)),
    ],
)
def test_an_image_is_resized_as_qwen_does_it(size: tuple[int, int], expected: tuple[int, int]) -> None:
    assert resized(*size) == expected


def test_the_example_of_qwen_comes_out() -> None:
    assert resized_pixels(Box(146, 137, 615, 415), 640, 428) == (147, 134, 619, 407)
    assert thousandths(Box(146, 137, 615, 415), 640, 428) == (228, 320, 961, 970)


@pytest.mark.parametrize("size", [(27, 500), (500, 27), (28, 5601)])
def test_an_image_that_qwen_refuses_is_none(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="takes no images of"):
        resized(*size)


@pytest.mark.parametrize(
    ("size", "shrunk"),
    [
        ((980, 1008), False),  # 987,840 pixels, as they are
        ((1003, 1000), True),  # 1,003,000 pixels, but 1008 x 1008 after rounding
        ((35840, 41), True),  # 35840 x 28 after rounding, which Qwen takes, but LLaMA-Factory does not
        ((1600, 1200), True),
    ],
)
def test_an_image_is_shrunk_if_it_has_too_many_pixels_before_or_after_rounding(
    size: tuple[int, int], shrunk: bool
) -> None:
    assert is_shrunk(*size) is shrunk
