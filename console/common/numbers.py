"""Numbers and amounts of money as pages write them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from workflows.money.domain.currencies import amount
from workflows.money.domain.currencies import digits as digits_of

UNKNOWN = "–"
_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?")


def say(value: float | None, unit: str = "", *, exact: bool = True) -> str:
    """Format a number: 1,234,567; 12.3; 90.6%. Axes use `exact` False."""
    if value is None or not math.isfinite(value):
        return UNKNOWN
    after = unit if unit in ("", "%") else f" {unit}"
    if value == int(value) and not (exact and unit == "%"):
        return f"{int(value):,}{after}"
    if unit == "%" or abs(value) >= 10:
        return f"{value:,.1f}{after}"
    return f"{value:.2f}{after}" if abs(value) >= 0.1 else f"{value:.3g}{after}"


def say_count(number: int, one: str, many: str = "") -> str:
    """Write how many things there are: 1 image; 1,234 images; with `many`, 2 boxes."""
    return f"{say(number)} {one if number == 1 else many or f'{one}s'}"


def share(right: int, asked: int) -> str:
    """Format a share in per cent; a dash if `asked` is 0."""
    return f"{100 * right / asked:.1f}%" if asked else "–"


def per_cent(part: float | None) -> str:
    """Format a share from 0 to 1 in per cent; a dash for None."""
    return "–" if part is None else f"{part:.1%}"


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
