"""Jobs in templates, in words."""

from __future__ import annotations

from django import template

from console.jobs.labels import done_of
from workflows.jobs.models import Job

register = template.Library()


@register.filter
def done(job: Job) -> str:
    """Return how much the job has done, and of what."""
    return done_of(job)
