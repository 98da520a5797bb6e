"""Keeps figures for pages: counts what is due and changed, and writes it down. docs/figures.md has the rules.

Counting reads without a transaction; only claiming a count and keeping its outcome are writes, and short.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from django.db.models import QuerySet

from annotation.models import Batch, Project
from annotation.transactions import write_transaction
from workflows.counting.activity import Activity, corpus_mark, look
from workflows.counting.results import count_corpus, count_links, count_queue, count_results
from workflows.counting.targets import Target
from workflows.counting.work import count_hours, count_items, count_judgments, count_money
from workflows.counting.workers import changed_workers, newest_judgment
from workflows.domain.counted import OF_BATCHES, OF_PROJECTS, Counted
from workflows.domain.counting import is_due
from workflows.models import Figures
from workflows.services.counting_workers import WORKERS, keep_workers

logger = logging.getLogger(__name__)

COUNTS: Mapping[str, Callable[[Target, datetime], Counted]] = MappingProxyType(
    {
        "corpus": count_corpus,
        "items": count_items,
        "judgments": count_judgments,
        "hours": count_hours,
        "results": count_results,
        "links": count_links,
        "money": count_money,
        "queue": count_queue,
    }
)
CLAIM = timedelta(hours=1)
"""After this, whoever was counting is taken for dead."""
SLACK = timedelta(seconds=60)
"""Between the time that a row says it was made and the moment when others can see it, at the most."""
RECENT = timedelta(minutes=3)
"""Figures older than this, of work that goes on, are counted again without asking what changed."""
RUN_SECONDS = 20.0
"""After which a run begins no further count: other tasks wait for the process."""
_OVER = (Batch.State.FINISHED, Batch.State.CANCELLED)
_LEASES = ("items", "money")
"""Kinds that pages in somebody's hands are part of."""

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class _Count:
    """One kind of figures of one target, to be counted or looked at."""

    target: Target
    kind: str
    state: str  # of the batch; "" of a project
    row: Figures | None


def count_due(*, clock: Clock, project_id: int | None = None, force: bool = False) -> int:
    """Count what changed and has rested long enough; returns how many groups of figures that were.

    `clock` tells the time. `force` counts everything, changed or not, of the project or of all. A run ends
    after RUN_SECONDS unless forced, and the next goes on with what waited longest. Two runs at once share the
    work. Raises ExceptionGroup at the end, with the error of each count that failed.
    """
    begin, counted = time.monotonic(), 0
    now = clock()
    activity = look(now - RECENT - SLACK)
    unchanged: list[int] = []
    errors: list[Exception] = []
    for one in sorted(_counts(project_id), key=_waited):
        mark = _mark(one, activity)
        if not force:
            if one.row is not None and not _changed(one, activity, mark, now):
                unchanged += [one.row.pk] if one.state not in _OVER else []
                continue
            if time.monotonic() - begin > RUN_SECONDS or (one.row and not _rested(one.row, now)):
                continue
        try:
            counted += _count(one, mark, clock, force=force)
        except Exception as error:  # one that cannot be counted must not stop the others
            logger.exception("counting %s of %s failed", one.kind, one.target)
            errors.append(error)
    # Nothing happened since, so that they are true now.
    Figures.objects.filter(pk__in=unchanged, counted_at__lt=now).update(counted_at=now)
    if errors:
        raise ExceptionGroup("figures that cannot be counted", errors)
    return counted


def _counts(project_id: int | None) -> Iterator[_Count]:
    projects = Project.objects.order_by("pk")
    if project_id is not None:
        projects = projects.filter(pk=project_id)
    for project in projects.values_list("pk", flat=True):
        batches = dict(Batch.objects.filter(project=project).order_by("pk").values_list("pk", "state"))
        rows = {(row.batch_id, row.kind): row for row in Figures.objects.filter(project=project)}
        everything = Target(project, None, tuple(batches))
        for kind in (*OF_PROJECTS, WORKERS):
            yield _Count(everything, kind, "", rows.get((None, kind)))
        for batch, state in batches.items():
            for kind in OF_BATCHES:
                yield _Count(Target(project, batch, (batch,)), kind, state, rows.get((batch, kind)))


def _waited(one: _Count) -> tuple[bool, float]:
    """What was never counted comes first, and then what was counted longest ago."""
    return (False, 0.0) if one.row is None else (True, one.row.counted_at.timestamp())


def _mark(one: _Count, activity: Activity) -> dict[str, Any]:
    """What is kept beside the figures, to tell later whether they are still true."""
    mark: dict[str, Any] = {"state": one.state}
    if one.kind in _LEASES:
        mark["held"] = sum(activity.held.get(batch, 0) for batch in one.target.batch_ids)
    elif one.kind == "corpus":
        mark["corpus"] = corpus_mark(one.target.project_id)
    return mark


def _changed(one: _Count, activity: Activity, mark: Mapping[str, Any], now: datetime) -> bool:
    assert one.row is not None
    kept = one.row.data.get("mark")
    if kept is None or kept.get("state") != mark["state"]:
        return True
    if one.kind == "queue":
        return True  # cases are opened by many, and counted in a moment
    if one.kind == "corpus":
        return bool(kept.get("corpus") != mark["corpus"])
    if mark.get("held") or kept.get("held"):
        return True
    if one.state not in _OVER and one.row.counted_at < now - RECENT:
        return True
    if one.state == "" and sorted(one.row.data.get("batches", ())) != sorted(one.target.batch_ids):
        return True
    project = one.target.project_id
    return activity.since(one.target.batch_ids, project, one.row.counted_at - SLACK)


def _rested(row: Figures, now: datetime) -> bool:
    return "mark" not in row.data or is_due(counted_at=row.counted_at, seconds=row.seconds, now=now)


def _count(one: _Count, mark: Mapping[str, Any], clock: Clock, *, force: bool) -> bool:
    """Count it unless somebody else does; whether it was counted here."""
    at, claim = clock(), uuid4().hex
    if not _take(one, claim, at, force=force):
        return False
    begin = time.perf_counter()
    try:
        if one.kind == WORKERS:
            data = _count_workers(one, clock, force=force)
        else:
            data = {"figures": COUNTS[one.kind](one.target, at).to_json()}
    except BaseException:
        _keep(one, claim, None)
        raise
    data |= {"mark": dict(mark), "batches": list(one.target.batch_ids)}
    return _keep(one, claim, {"data": data, "counted_at": at, "seconds": time.perf_counter() - begin})


def _count_workers(one: _Count, clock: Clock, *, force: bool) -> dict[str, Any]:
    """Workers are kept in rows of their own; here stands up to which judgment that was done."""
    project, mark = one.target.project_id, newest_judgment()
    before = 0 if force or one.row is None else one.row.data.get("through", 0)
    keep_workers(project_id=project, workers=changed_workers(project, mark=before), clock=clock)
    return {"through": mark}


def _rows(one: _Count) -> QuerySet[Figures]:
    return Figures.objects.filter(project=one.target.project_id, batch=one.target.batch_id, kind=one.kind)


def _empty(one: _Count, at: datetime) -> Figures:
    owner = {"project_id": one.target.project_id, "batch_id": one.target.batch_id}
    return Figures(**owner, kind=one.kind, counted_at=at, seconds=0)


def _take(one: _Count, claim: str, at: datetime, *, force: bool) -> bool:
    """Claim the count: nobody else does it meanwhile. False where somebody has it, or has just done it."""
    with write_transaction():
        if one.target.batch_id and not Batch.objects.filter(pk=one.target.batch_id).exists():
            return False
        Figures.objects.bulk_create([_empty(one, at)], ignore_conflicts=True)
        row = _rows(one).select_for_update().get()
        held = row.data.get("claim")
        if held is not None and at - datetime.fromisoformat(held["at"]) < CLAIM:
            return False
        if not force and not _rested(row, at):
            return False
        row.data["claim"] = {"by": claim, "at": at.isoformat()}
        row.save(update_fields=["data"])
    return True


def _keep(one: _Count, claim: str, counted: Mapping[str, Any] | None) -> bool:
    """Write down what was counted, or with None only let others count; False where the claim was lost."""
    with write_transaction():
        row = _rows(one).select_for_update().first()
        if row is None or row.data.get("claim", {}).get("by") != claim:
            return False  # the draft was deleted, or this took so long that another run took over
        if counted is None:
            del row.data["claim"]
        else:
            row.data, row.counted_at, row.seconds = counted["data"], counted["counted_at"], counted["seconds"]
        row.save(update_fields=["data", "counted_at", "seconds"])
    return counted is not None
