"""Find workers whose figures changed although they answered nothing: their items or boxes changed.

What others answer, what the rules decide and what is set aside are read in the order in which they were
written, a limited number of rows at a time. A mark says for the next time how far they were read, so that
nothing is missed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from types import MappingProxyType
from typing import Any

from annotation.models import Box, Decision, Exposure, Judgment
from workflows.analysis.counts.activity import SLACK, newest_rows
from workflows.analysis.models import WorkerCounts
from workflows.pipeline.models import Transition

ROWS = 10_000
"""Rows of each table that one count reads; the next count goes on after them."""
IDS = 2000
"""Ids in one query."""

Marks = Mapping[str, int]
"""Table -> the id up to which it was read."""
_TABLES: Mapping[str, Any] = MappingProxyType(
    {"judgment": Judgment, "transition": Transition, "decision": Decision}
)
_Times = dict[int, datetime]
"""Id -> when something last happened to it."""
_NOBODY = 0
"""Stands for the worker of a change that no worker made."""


def newest_marks(now: datetime) -> dict[str, int]:
    """Return marks after all rows that are old enough: below a young one, others may be committed later."""
    marks = {}
    for name, model in _TABLES.items():
        rows = newest_rows(model, ROWS, "created_at")
        marks[name] = next((pk for pk, at in rows if at < now - SLACK), 0)
    return marks


def reached_workers(project_id: int, marks: Marks, now: datetime) -> tuple[set[int], dict[str, int]]:
    """Return the workers (ids) whose items or boxes changed after they were counted, and the new marks."""
    after = dict.fromkeys(_TABLES, 0) | dict(marks)
    workers: _Times = {}
    for worker, at in _by_items(_items(project_id, after, now)):
        _note(workers, worker, at)
    for worker, at in _by_questions(project_id, dict(marks), now):
        _note(workers, worker, at)
    for worker, at in _by_chains(_chains(project_id, after, now)):
        _note(workers, worker, at)
    return set(_stale(workers)), after


def _items(project_id: int, marks: dict[str, int], now: datetime) -> dict[int, _Times]:
    """Return when each item changed, by who judged it; _NOBODY if a judgment was set aside or reinstated."""
    found: dict[int, _Times] = defaultdict(dict)
    for at, project, item, worker in _rows("judgment", marks, now, "worker__project", "item", "worker"):
        if project == project_id and item is not None:
            _note(found[item], worker, at)
    for at, project, content in _rows("decision", marks, now, "project", "content"):
        if project == project_id:
            for some in _some(_set_aside(content)):
                for item in Judgment.objects.filter(pk__in=some).values_list("item", flat=True):
                    if item is not None:
                        _note(found[item], _NOBODY, at)
    return found


def _set_aside(content: Mapping[str, Any]) -> Collection[int]:
    """Return the judgments (ids) that a decision set aside or let count again."""
    if "decision" in content:
        undone = Decision.objects.filter(pk=content["decision"]).values_list("content", flat=True).first()
        content = undone or {}
    judgments: Collection[int] = content.get("judgments", ())
    return judgments


def _by_items(items: Mapping[int, _Times]) -> Iterator[tuple[int, datetime]]:
    """Yield each worker who judged one of these items, with the time of the last change by others."""
    for some in _some(items):
        given = Judgment.objects.filter(item__in=some).order_by()
        for worker, item in given.values_list("worker", "item").iterator():
            others = [at for giver, at in items[item].items() if giver != worker]
            if others:
                yield worker, max(others)


def _by_questions(project_id: int, marks: dict[str, int], now: datetime) -> Iterator[tuple[int, datetime]]:
    """Yield each worker who was shown a question that was voided or corrected, with the time of that."""
    kinds = (Decision.Kind.VOID, Decision.Kind.CORRECT)
    for at, project, kind, content in _rows("decision", marks, now, "project", "kind", "content"):
        if project == project_id and kind in kinds:
            shown = Exposure.objects.filter(question__in=content["questions"])
            yield from ((worker, at) for worker in shown.values_list("worker", flat=True).distinct())


def _chains(project_id: int, marks: dict[str, int], now: datetime) -> _Times:
    """Return when each chain last changed its state, and with it the states of its boxes."""
    found: _Times = {}
    for at, project, chain in _rows("transition", marks, now, "work__batch__project", "chain"):
        if project == project_id and chain is not None:
            _note(found, chain, at)
    return found


def _by_chains(chains: _Times) -> Iterator[tuple[int, datetime]]:
    """Yield each worker who drew a box of one of these chains, with the time when the chain changed."""
    for some in _some(chains):
        drawn = Box.objects.filter(chain__in=some, judgment__isnull=False).order_by()
        for worker, chain in drawn.values_list("judgment__worker", "chain").distinct().iterator():
            yield worker, chains[chain]


def _rows(name: str, marks: dict[str, int], now: datetime, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield times and columns of the rows after the mark. The mark moves on, but not beyond young rows."""
    rows = _TABLES[name].objects.filter(pk__gt=marks.get(name, 0)).order_by("pk")
    settled = True
    for pk, at, *row in rows.values_list("pk", "created_at", *columns)[:ROWS]:
        settled = settled and at < now - SLACK
        if settled:
            marks[name] = pk
        yield at, *row


def _note(times: _Times, key: int, at: datetime) -> None:
    times[key] = max(at, times.get(key, at))


def _some(ids: Iterable[int]) -> Iterator[list[int]]:
    rest = iter(ids)
    while some := list(islice(rest, IDS)):
        yield some


def _stale(workers: _Times) -> Iterator[int]:
    """Yield the workers whose figures are older than that. Workers without figures are counted anyway."""
    for some in _some(workers):
        counted = WorkerCounts.objects.filter(worker__in=some).values_list("worker_id", "counted_at")
        yield from (worker for worker, at in counted if at < workers[worker] + SLACK)
