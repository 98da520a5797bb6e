"""Currencies: where the point stands in an amount of smallest units."""

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
"""Money that is in use, by ISO 4217 as of 1 January 2026, when Bulgaria took the euro and BGN went; not
metals, funds, units of account or codes for tests. What a batch was given before can still be read."""


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
