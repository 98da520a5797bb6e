"""Currencies: where the point stands in an amount of smallest units."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_NONE = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
_THREE = "BHD IQD JOD KWD LYD OMR TND"
_DIGITS: Mapping[str, int] = MappingProxyType(
    {**dict.fromkeys(_NONE.split(), 0), **dict.fromkeys(_THREE.split(), 3)}
)


def digits(currency: str) -> int:
    """How many stand behind the point (ISO 4217)."""
    return _DIGITS.get(currency, 2)


def plain(units: int, currency: str) -> str:
    """So many of the currency's smallest units as a number for other programs, as in "1250.50"."""
    behind = digits(currency)
    sign, text = "-" * (units < 0), str(abs(units)).rjust(behind + 1, "0")
    return f"{sign}{text[:-behind]}.{text[-behind:]}" if behind else f"{sign}{text}"


def amount(units: float, currency: str) -> str:
    """So many of the currency's smallest units as people read it, as in "12.50 USD", "1,250 JPY"."""
    behind = digits(currency)
    return f"{units / 10**behind:,.{behind}f} {currency}"
