"""Numbers and money in templates, as pages write them."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from console.common.money import amounts
from console.common.numbers import say

register = template.Library()


@register.filter
def said(value: float | None) -> str:
    """Format a number as the charts do."""
    return say(value)


@register.filter
def money(by_currency: Mapping[str, float]) -> str:
    """Format amounts by currency."""
    return amounts(by_currency)
