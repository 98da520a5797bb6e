"""Numbers as pages write them."""

from __future__ import annotations

import math

UNKNOWN = "–"


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
