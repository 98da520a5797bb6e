"""Amounts as people read them."""

from __future__ import annotations

from console.money import amounts


def test_currencies_are_never_added_up() -> None:
    assert amounts({"USD": 1250, "EUR": 300}) == "12.50 USD and 3.00 EUR"
    assert amounts({}) == "nothing"
