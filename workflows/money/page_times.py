"""How long pages take, for the wage floor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Sum

from annotation.models import Abstention, Assignment, Batch, Judgment
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.money.domain.wage_floor import (
    ENOUGH_PAGES,
    NEWEST_PAGES,
    PageTime,
    page_time,
    seconds_of_page,
)
from workflows.money.ledger_rows import keep_times
from workflows.money.models import Budget

PAGES_AT_ONCE = 500
LATELY = timedelta(minutes=5)
"""The times of a stage are looked at again if a page of it was submitted within this time."""


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


def keep_page_times(*, now: datetime) -> int:
    """Keep the median time of the stages of running batches that got pages lately; return how many stages.

    Workers are shown these times with what a page pays. A stage with too few pages keeps none.
    """
    lately = Assignment.objects.filter(
        state=Assignment.State.SUBMITTED, submitted_at__gt=now - LATELY, batch__state=Batch.State.RUNNING
    )
    stages: dict[int, list[str]] = defaultdict(list)
    for batch_id, stage in lately.order_by().values_list("batch_id", "stage").distinct():
        stages[batch_id].append(stage)
    total = 0
    for batch in Batch.objects.filter(pk__in=stages).order_by("pk"):
        found = page_times(batch.pk, settings_of(batch), stages[batch.pk])
        if measured := {stage: time.milliseconds for stage, time in found.items() if time.pages}:
            keep_times(batch_id=batch.pk, times=measured)
            total += len(measured)
    return total


def usual_times(batch: Batch) -> dict[str, PageTime]:
    """Return how long a full page of each stage takes, as it was kept; else the paper's time. One query."""
    settings = settings_of(batch)
    kept = Budget.objects.filter(batch=batch).values_list("times", flat=True).first() or {}
    return {
        str(stage): PageTime(kept[stage], ENOUGH_PAGES)
        if stage in kept
        else page_time((), stage=stage, items=items)
        for stage, items in settings.items_a_page.items()
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
