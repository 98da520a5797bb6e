"""Numbers, money, the progress of jobs, and the strip of a batch's provider, as templates show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from annotation.models import Batch
from console.common.numbers import amounts, say
from console.crowd.provider_strip import strip_of
from console.jobs.labels import done_of
from workflows.jobs.models import Job
from workflows.money.domain.currencies import amount

register = template.Library()


@register.filter
def said(value: float | None) -> str:
    """Format a number as the charts do."""
    return say(value)


@register.filter
def money(by_currency: Mapping[str, float]) -> str:
    """Format amounts by currency."""
    return amounts(by_currency)


@register.filter
def units(value: float, currency: str) -> str:
    """Format an amount in smallest units of the currency."""
    return amount(value, currency)


@register.filter
def done(job: Job) -> str:
    """Return how much the job has done, and of what."""
    return done_of(job)


@register.inclusion_tag("crowd/strip.html")
def crowd_strip(batch: Any) -> dict[str, Any]:
    """Return the batch's strip for the template; None if the page is not about a batch."""
    return {"batch": batch, "strip": strip_of(batch)} if isinstance(batch, Batch) else {}
