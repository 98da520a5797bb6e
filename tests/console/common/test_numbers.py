"""Numbers are written as people read them."""

from __future__ import annotations

import math

import pytest

from console.common.numbers import amounts, read_amount, say, say_count
from console.common.ranges import say_range
from workflows.batches.domain.forecast import Range


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


def test_currencies_are_never_added_up() -> None:
    assert amounts({"USD": 1250, "EUR": 300}) == "12.50 USD and 3.00 EUR"
    assert amounts({}) == "nothing"


@pytest.mark.parametrize(
    ("typed", "currency", "units"),
    [
        ("1.50", "USD", 150),
        ("1,500", "USD", 150_000),
        ("1,500.25 USD", "USD", 150_025),
        ("1,234,567", "JPY", 1_234_567),
    ],
)
def test_a_comma_parts_thousands(typed: str, currency: str, units: int) -> None:
    assert read_amount(typed, currency) == units


@pytest.mark.parametrize(
    ("typed", "currency", "says"),
    [
        ("1,50", "USD", "write 1.50"),
        ("25,50 USD", "USD", "write 25.50"),
        ("1,5000", "USD", "write 1,250.00"),
        ("1500,000", "USD", "write 1,250.00"),
        ("1,50", "JPY", "write 125,000"),
        ("1.500,25", "USD", "write 1,250.00"),
        (",50", "USD", "write 1,250.00"),
    ],
)
def test_any_other_comma_is_refused(typed: str, currency: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_amount(typed, currency)


def test_things_are_whole_in_forecasts() -> None:
    assert say_range(Range(1.6, 2.5, 4.4)) == ("2", "2 to 4")
    assert say_range(Range(1_200.2, 1_900.7, 2_400)) == ("1,901", "1,200 to 2,400")
