"""Keep the figures for pages up to date: count what is due and changed. docs/kept-counts.md has the rules.

Counting reads without a transaction. Only claiming a count and storing its result write, and both are short.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from annotation.models import Batch, Project
from annotation.transactions import write_transaction
from workflows.analysis.counts.activity import SLACK, Activity, corpus_mark, find_activity
from workflows.analysis.counts.claims import (
    Count,
    claim_count,
    note_changes,
    release_count,
    rested,
    store_count,
)
from workflows.analysis.counts.outdated_workers import newest_marks, reached_workers
from workflows.analysis.counts.results import count_corpus, count_links, count_queue, count_results
from workflows.analysis.counts.suggestions import count_suggestions
from workflows.analysis.counts.targets import Target
from workflows.analysis.counts.work import count_hours, count_items, count_judgments, count_money
from workflows.analysis.counts.workers import all_workers, changed_workers, count_workers, newest_judgment
from workflows.analysis.domain.kept_counts import OF_BATCHES, OF_PROJECTS, SUGGESTIONS, Counted
from workflows.analysis.models import KeptCounts, WorkerCounts
from workflows.core.heartbeats import begin_beat
from workflows.core.models import Beat

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
        SUGGESTIONS: count_suggestions,
    }
)
LOOKED = "counts"
"""The name of the heartbeat that says until when changes were looked for."""
RECENT = timedelta(minutes=3)
"""If figures of unfinished work are older than this, they are counted again whether they changed or not."""
RUN_SECONDS = 20.0
"""After this time a run begins no further count, since other tasks wait for the process."""
_LEASES = ("items", "money")
"""The kinds of figures in which live pages are counted."""

Clock = Callable[[], datetime]
RULES = 4
"""The version of the rules of counting. Raise it if a rule changes: then everything is counted again."""


def count_due(*, clock: Clock, project_id: int | None = None, force: bool = False) -> int:
    """Count the figures that changed and have rested long enough. Return how many groups were counted.

    `clock` returns the time. With `force`, everything is counted, of the project or of all projects. Without
    it, a run begins no count after RUN_SECONDS, and the next run begins with those that waited longest.
    Two runs at once share the work. Raises ExceptionGroup at the end, with the error of each failed count.
    """
    begin, counted = time.monotonic(), 0
    now = clock()
    counts = sorted(_counts(project_id), key=_waited)
    activity = find_activity(min(now - RECENT, _looked(counts, now)) - SLACK)
    _note_changes(counts, activity, now)
    if project_id is None:
        begin_beat(LOOKED, now=now)
    unchanged: list[int] = []
    errors: list[Exception] = []
    for one in counts:
        mark = _mark(one, activity)
        if not force:
            if one.row is not None and not _changed(one, activity, mark, now):
                unchanged += [one.row.pk] if one.state not in Batch.OVER else []
                continue
            if time.monotonic() - begin > RUN_SECONDS or (one.row and not rested(one.row, now)):
                continue
        try:
            counted += _count(one, mark, clock, force=force)
        except Exception as error:  # one that cannot be counted must not stop the others
            logger.exception("counting %s of %s failed", one.kind, one.target)
            errors.append(error)
    # Nothing changed since, so these figures are still right.
    KeptCounts.objects.filter(pk__in=unchanged, counted_at__lt=now).update(counted_at=now)
    if errors:
        raise ExceptionGroup("figures that cannot be counted", errors)
    return counted


def _counts(project_id: int | None) -> Iterator[Count]:
    projects = Project.objects.order_by("pk")
    if project_id is not None:
        projects = projects.filter(pk=project_id)
    for project in projects.values_list("pk", flat=True):
        about = Batch.objects.filter(project=project).order_by("pk")
        told = list(about.values_list("pk", "state", "settings__suggestions__set"))
        batches = {batch: state for batch, state, _ in told}
        shown = {batch for batch, _, number in told if number is not None}
        rows = {(row.batch_id, row.kind): row for row in KeptCounts.objects.filter(project=project)}
        everything = Target(project, None, tuple(batches))
        for kind in (*OF_PROJECTS, WORKERS):
            yield Count(everything, kind, "", rows.get((None, kind)))
        for batch, state in batches.items():
            for kind in (*OF_BATCHES, SUGGESTIONS) if batch in shown else OF_BATCHES:
                yield Count(Target(project, batch, (batch,)), kind, state, rows.get((batch, kind)))


def _looked(counts: Sequence[Count], now: datetime) -> datetime:
    """Return until when changes were looked for.

    That is when the last run began or, without one, the time of the oldest count of a batch that is over.
    Other figures are counted again anyway once they are older than RECENT.
    """
    if (beat := Beat.objects.filter(pk=LOOKED).first()) is not None:
        return beat.began_at
    return min((one.row.counted_at for one in counts if one.row and one.state in Batch.OVER), default=now)


def _note_changes(counts: Sequence[Count], activity: Activity, now: datetime) -> None:
    """Store for batches that are over when something happened in them.

    They may not be counted in this run, and the next run does not look so far back.
    """
    found: dict[int, datetime] = {}
    for one in counts:
        if one.row is None or one.state not in Batch.OVER:
            continue
        newest = activity.newest(one.target.batch_ids, one.target.project_id)
        at = now if activity.everywhere else newest
        if at is not None and at > max(one.row.counted_at - SLACK, _changed_at(one.row) or at - SLACK):
            found[one.row.pk] = at
            one.row.data["changed"] = at.isoformat()
    note_changes(found)


def _changed_at(row: KeptCounts) -> datetime | None:
    noted = row.data.get("changed")
    return None if noted is None else datetime.fromisoformat(noted)


def _waited(one: Count) -> tuple[bool, float]:
    """Sort key: what was never counted comes first, then what was counted longest ago."""
    return (False, 0.0) if one.row is None else (True, one.row.counted_at.timestamp())


def _mark(one: Count, activity: Activity) -> dict[str, Any]:
    """Return the mark that is stored with the figures, to find out later whether they are still right."""
    mark: dict[str, Any] = {"state": one.state, "rules": RULES}
    if one.kind in _LEASES:
        mark["held"] = sum(activity.held.get(batch, 0) for batch in one.target.batch_ids)
    elif one.kind == "corpus":
        mark["corpus"] = corpus_mark(one.target.project_id)
    return mark


def _changed(one: Count, activity: Activity, mark: Mapping[str, Any], now: datetime) -> bool:
    assert one.row is not None
    kept = one.row.data.get("mark")
    if kept is None or any(kept.get(name) != mark[name] for name in ("state", "rules")):
        return True
    if one.kind == "queue":
        return True  # cases are opened by many, and counted in a moment
    if one.row.counted_at > now + SLACK:
        return True  # the clock was set back, so times do not say what is new
    if one.kind == "corpus":
        return bool(kept.get("corpus") != mark["corpus"])
    if mark.get("held") or kept.get("held"):
        return True
    if one.state not in Batch.OVER and one.row.counted_at < now - RECENT:
        return True
    if one.state == "" and sorted(one.row.data.get("batches", ())) != sorted(one.target.batch_ids):
        return True
    noted, since = _changed_at(one.row), one.row.counted_at - SLACK
    if noted is not None and noted > since:
        return True
    project = one.target.project_id
    return activity.since(one.target.batch_ids, project, since)


def _count(one: Count, mark: Mapping[str, Any], clock: Clock, *, force: bool) -> bool:
    """Count the figures unless another process does. Return whether they were counted here."""
    at = clock()
    claim = claim_count(one, at, force=force)
    if claim is None:
        return False
    begin = time.perf_counter()
    try:
        if one.kind == WORKERS:
            data = _count_workers(one, clock, force=force)
        else:
            data = {"figures": COUNTS[one.kind](one.target, at).to_json()}
    except BaseException as error:
        # If the process is told to stop, the count itself did not fail.
        release_count(one, claim, failed_at=clock() if isinstance(error, Exception) else None)
        raise
    data |= {"mark": dict(mark), "batches": list(one.target.batch_ids)}
    return store_count(one, claim, {"data": data, "counted_at": at, "seconds": time.perf_counter() - begin})


def _count_workers(one: Count, clock: Clock, *, force: bool) -> dict[str, Any]:
    """Count the workers that changed. Return up to which judgment they were counted, and the marks.

    The figures of workers have rows of their own.
    """
    project, mark, now = one.target.project_id, newest_judgment(), clock()
    before: dict[str, Any] = {} if force or one.row is None else one.row.data
    if "through" in before and before.get("mark", {}).get("rules") == RULES:
        workers, marks = reached_workers(project, before.get("reached", {}), now)
        workers.update(changed_workers(project, mark=before["through"], now=now))
    else:
        workers, marks = set(all_workers(project)), newest_marks(now)
    keep_workers(project_id=project, workers=sorted(workers), clock=clock)
    return {"through": mark, "reached": marks}


WORKERS = "workers"
"""The kind of the row that says how far the workers of a project were counted."""
AT_ONCE = 50
"""Workers whose times are in memory at once."""
_COLUMNS = (
    *("judgments", "questions", "right", "agreement", "median_seconds", "earned", "stages"),
    *("last_at", "through", "counted_at"),
)


def keep_workers(*, project_id: int, workers: Sequence[int], clock: Callable[[], datetime]) -> None:
    """Count these workers (ids) of the project and store their figures, AT_ONCE at a time."""
    for start in range(0, len(workers), AT_ONCE):
        counted = count_workers(project_id, workers[start : start + AT_ONCE], clock())
        with write_transaction():
            WorkerCounts.objects.bulk_create(
                counted, update_conflicts=True, unique_fields=["worker"], update_fields=_COLUMNS
            )
