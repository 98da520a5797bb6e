"""The strip of a batch's provider, and amounts of one currency."""

from __future__ import annotations

from typing import Any

from django import template

from annotation.models import Batch
from console.crowd.provider_strip import strip_of
from workflows.money.domain.currencies import amount

register = template.Library()


@register.inclusion_tag("crowd/strip.html")
def crowd_strip(batch: Any) -> dict[str, Any]:
    """Return the batch's strip for the template; None if the page is not about a batch."""
    return {"batch": batch, "strip": strip_of(batch)} if isinstance(batch, Batch) else {}


@register.filter
def units(value: float, currency: str) -> str:
    """Format an amount in smallest units of the currency."""
    return amount(value, currency)
