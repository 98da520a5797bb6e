"""Currencies: how amounts in smallest units are written, and which codes are in use."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_NONE = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
_THREE = "BHD IQD JOD KWD LYD OMR TND"
_DIGITS: Mapping[str, int] = MappingProxyType(
    {**dict.fromkeys(_NONE.split(), 0), **dict.fromkeys(_THREE.split(), 3)}
)

_TWO = """
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY
COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR
ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK
MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP
SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER
ZAR ZMW ZWG
"""
CODES = frozenset((*_DIGITS, *_TWO.split()))
"""The codes of money in use, by ISO 4217 as of 1 January 2026, when the euro replaced BGN. Codes of metals,
funds, units of account and tests are left out. Settings with an older code can still be read."""


def digits(currency: str) -> int:
    """Return how many digits follow the decimal point (ISO 4217)."""
    return _DIGITS.get(currency, 2)


def plain(units: int, currency: str) -> str:
    """Write an amount of smallest units as a number for other programs, such as "1250.50"."""
    behind = digits(currency)
    sign, text = "-" * (units < 0), str(abs(units)).rjust(behind + 1, "0")
    return f"{sign}{text[:-behind]}.{text[-behind:]}" if behind else f"{sign}{text}"


def amount(units: float, currency: str) -> str:
    """Write an amount of smallest units for people, such as "12.50 USD" or "1,250 JPY"."""
    behind = digits(currency)
    return f"{units / 10**behind:,.{behind}f} {currency}"
