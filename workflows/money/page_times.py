"""How long pages take, for the wage floor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Sum

from annotation.models import Abstention, Assignment, Judgment
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.money.domain.wage_floor import NEWEST_PAGES, PageTime, page_time, seconds_of_page

PAGES_AT_ONCE = 500


def page_times(batch_id: int, settings: BatchSettings, stages: Iterable[str]) -> dict[str, PageTime]:
    """Return the median time of each stage's newest pages in the batch, or the paper's time if they are few.

    This reads up to NEWEST_PAGES pages of a stage: call it once for many pages, not for each page.
    """
    return {
        stage: page_time(
            list(_seconds(batch_id, stage).values()), stage=stage, items=settings.items_a_page[stage]
        )
        for stage in stages
    }


def seconds_worked(pages: Iterable[Assignment]) -> dict[UUID, float]:
    """Return the seconds that each of these submitted pages took; see `seconds_of_page`."""
    rows = {page.pk: page for page in pages if page.submitted_at is not None}
    answering = _answering(list(rows))
    return {
        pk: seconds_of_page(
            answering=_with_late(answering.get(pk), page.late),
            elapsed=(page.submitted_at - page.created_at).total_seconds() if page.submitted_at else 0.0,
        )
        for pk, page in rows.items()
    }


def _seconds(batch_id: int, stage: str) -> dict[UUID, float]:
    pages = Assignment.objects.filter(batch=batch_id, stage=stage, state=Assignment.State.SUBMITTED)
    newest = pages.order_by("-submitted_at").only("created_at", "submitted_at", "late")
    return seconds_worked(newest[:NEWEST_PAGES])


def _answering(pages: list[UUID]) -> dict[UUID, float]:
    """Return the seconds that the answers of each page say; pages whose answers say nothing are left out."""
    found: dict[UUID, float] = defaultdict(float)
    for start in range(0, len(pages), PAGES_AT_ONCE):
        for model in (Judgment, Abstention):
            some = model._default_manager.filter(
                assignment__in=pages[start : start + PAGES_AT_ONCE], seconds__isnull=False
            )
            for page, seconds in some.order_by().values_list("assignment").annotate(Sum("seconds")):
                found[page] += seconds
    return found


def _with_late(seconds: float | None, late: list[dict[str, Any]] | None) -> float | None:
    """Add the answers that came too late to count, because they were work as well."""
    more = [one["seconds"] for one in late or () if one.get("seconds") is not None]
    return None if seconds is None and not more else (seconds or 0.0) + sum(more)
