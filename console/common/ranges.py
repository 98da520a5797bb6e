"""Forecast numbers as pages write them: the middle, and the range in which it probably is."""

from __future__ import annotations

from workflows.batches.domain.forecast import Range
from workflows.batches.domain.plan import Plan
from workflows.money.domain.currencies import amount


def say_range(one: Range) -> tuple[str, str]:
    """Format numbers of things, which are whole, as in ("1,900", "1,500 to 2,400")."""
    return f"{one.middle:,.0f}", f"{one.low:,.0f} to {one.high:,.0f}"


def say_rewards(one: Range, currency: str) -> tuple[str, str]:
    """Format amounts in the currency's smallest unit; "unpaid" and no range for nothing."""
    if not one.high:
        return "unpaid", ""
    low = amount(one.low, currency).removesuffix(f" {currency}")
    return amount(one.middle, currency), f"{low} to {amount(one.high, currency)}"


def say_hours(one: Range) -> tuple[str, str]:
    """Format hours, in minutes if they are less than one."""
    if one.high < 1:
        low, middle, high = (round(60 * hours) for hours in (one.low, one.middle, one.high))
        return f"{middle} min", f"{low} to {high}"
    digits = 1 if one.high < 100 else 0
    return f"{one.middle:,.{digits}f} h", f"{one.low:,.{digits}f} to {one.high:,.{digits}f}"


def say_plan(plan: Plan) -> tuple[str, str, str]:
    """Format judgments, hours and rewards of the forecast of a launch, each with its range."""
    return (
        _both(say_range(plan.judgments)),
        _both(say_hours(plan.hours)),
        _both(say_rewards(plan.rewards, plan.currency)),
    )


def _both(said: tuple[str, str]) -> str:
    middle, span = said
    return f"{middle} ({span})" if span else middle
