"""Amounts of money as people read them."""

from __future__ import annotations

from collections.abc import Mapping

from workflows.domain.currencies import amount
from workflows.domain.currencies import digits as digits_of

__all__ = ["amount", "amounts", "read_amount"]


def amounts(by_currency: Mapping[str, float]) -> str:
    """Several, as in "12.50 USD and 3.00 EUR"; "nothing" for none."""
    return " and ".join(amount(units, currency) for currency, units in by_currency.items()) or "nothing"


def read_amount(text: str, currency: str) -> int:
    """Smallest units of what was typed as people write it, as in "12.50". Raises ValueError saying why."""
    digits = digits_of(currency)
    typed = text.strip().replace(",", "").removesuffix(currency).strip()
    whole, point, rest = typed.partition(".")
    if not (whole.isascii() and whole.isdigit()) or len(whole) > 12 or (point and not rest.isdigit()):
        raise ValueError(f"write an amount of {currency}, as in {amount(1250, currency).split()[0]}")
    if not rest.isascii() or len(rest) > digits:
        raise ValueError(f"{currency} has {digits} digits behind the point")
    return int(whole + rest.ljust(digits, "0"))
