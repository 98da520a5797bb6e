"""Amounts as people read them."""

from __future__ import annotations

from console.money import amount, amounts


def test_the_point_stands_where_the_currency_has_it() -> None:
    assert amount(1250, "USD") == "12.50 USD"
    assert amount(1250, "JPY") == "1,250 JPY"
    assert amount(1250, "KWD") == "1.250 KWD"


def test_currencies_are_never_added_up() -> None:
    assert amounts({"USD": 1250, "EUR": 300}) == "12.50 USD and 3.00 EUR"
    assert amounts({}) == "nothing"
