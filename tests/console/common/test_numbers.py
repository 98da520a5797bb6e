"""Numbers are written as people read them."""

from __future__ import annotations

import math

import pytest

from console.common.numbers import say, say_count


@pytest.mark.parametrize(
    ("value", "unit", "says"),
    [
        (None, "%", "–"),
        (math.inf, "", "–"),
        (1234567, "", "1,234,567"),
        (90.64, "%", "90.6%"),
        (90, "%", "90.0%"),
        (12.34, "s", "12.3 s"),
        (0.5, "", "0.50"),
        (0.00123, "", "0.00123"),
    ],
)
def test_numbers_as_people_read_them(value: float | None, unit: str, says: str) -> None:
    assert say(value, unit) == says


@pytest.mark.parametrize(
    ("number", "words", "says"),
    [
        (0, ("image",), "0 images"),
        (1, ("image",), "1 image"),
        (1234, ("image",), "1,234 images"),
        (1, ("box", "boxes"), "1 box"),
        (2, ("box", "boxes"), "2 boxes"),
        (1, ("case waits", "cases wait"), "1 case waits"),
    ],
)
def test_one_thing_and_several(number: int, words: tuple[str, ...], says: str) -> None:
    assert say_count(number, *words) == says
