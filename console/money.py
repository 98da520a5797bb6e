"""Amounts of money as people read them."""

from __future__ import annotations

from collections.abc import Mapping

# ISO 4217: how many digits the smallest unit stands behind the point, where these are not two.
_DIGITS = {
    **dict.fromkeys(
        ("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF"), 0
    ),
    **dict.fromkeys(("XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
}


def amount(units: float, currency: str) -> str:
    """So many of the currency's smallest units, as in "12.50 USD", "1,250 JPY"."""
    digits = _DIGITS.get(currency, 2)
    return f"{units / 10**digits:,.{digits}f} {currency}"


def amounts(by_currency: Mapping[str, float]) -> str:
    """Several, as in "12.50 USD and 3.00 EUR"; "nothing" for none."""
    return " and ".join(amount(units, currency) for currency, units in by_currency.items()) or "nothing"
