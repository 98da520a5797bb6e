"""Amounts of money as people read them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from workflows.money.domain.currencies import amount
from workflows.money.domain.currencies import digits as digits_of

__all__ = ["amount", "amounts", "read_amount"]

_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?")


def amounts(by_currency: Mapping[str, float]) -> str:
    """Format amounts of several currencies, as in "12.50 USD and 3.00 EUR"; "nothing" for none."""
    return " and ".join(amount(units, currency) for currency, units in by_currency.items()) or "nothing"


def read_amount(text: str, currency: str) -> int:
    """Smallest units of what was typed as people write it, as in "12.50" or "1,500". Raises ValueError saying
    why: a comma only parts thousands, so that "1,50" is nobody's 150.
    """
    digits = digits_of(currency)
    typed = text.strip().removesuffix(currency).strip()
    if "," in typed and not _GROUPED.fullmatch(typed):
        whole, _, rest = typed.partition(",")
        fits = (whole + rest).isascii() and whole.isdigit() and rest.isdigit() and len(rest) <= digits
        meant = f"{whole}.{rest}" if fits else amount(125000, currency).split()[0]
        raise ValueError(f"write {meant}: a comma only parts thousands, and a point is before the fraction")
    whole, point, rest = typed.replace(",", "").partition(".")
    if not (whole.isascii() and whole.isdigit()) or len(whole) > 12 or (point and not rest.isdigit()):
        raise ValueError(f"write an amount of {currency}, as in {amount(1250, currency).split()[0]}")
    if not rest.isascii() or len(rest) > digits:
        raise ValueError(f"{currency} has {digits} digits behind the point")
    return int(whole + rest.ljust(digits, "0"))
