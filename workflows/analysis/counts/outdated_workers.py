"""Whose figures are not what they were, though they answered nothing since: their items or boxes went on.

What others answer, what the rules make of it, and what is set aside: each is read in the order it was
written, so many rows at a time, up to a mark that is kept for the next time. Nothing is passed over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from types import MappingProxyType
from typing import Any

from annotation.models import Box, Decision, Judgment
from workflows.analysis.counts.activity import SLACK
from workflows.analysis.models import WorkerFigures
from workflows.pipeline.models import Transition

ROWS = 10_000
"""Rows of each table that are looked through at a time; the next count goes on behind them."""
IDS = 2000
"""Ids in one query."""

Marks = Mapping[str, int]
"""Table -> up to which id it was looked through."""
_TABLES: Mapping[str, Any] = MappingProxyType(
    {"judgment": Judgment, "transition": Transition, "decision": Decision}
)
_Times = dict[int, datetime]
"""Id -> when something last happened to it."""
_NOBODY = 0
"""In the place of a worker, for what no worker gave."""


def newest_marks(now: datetime) -> dict[str, int]:
    """Behind everything there is, but for what is young: a row with a lower id may still be committed."""
    marks = {}
    for name, model in _TABLES.items():
        rows = model.objects.order_by("-pk").values_list("pk", "created_at")[:ROWS].iterator(chunk_size=500)
        marks[name] = next((pk for pk, at in rows if at < now - SLACK), 0)
    return marks


def reached_workers(project_id: int, marks: Marks, now: datetime) -> tuple[set[int], dict[str, int]]:
    """Ids of workers whose items or boxes went on after they were counted, and how far was looked."""
    after = dict.fromkeys(_TABLES, 0) | dict(marks)
    workers: _Times = {}
    for worker, at in _by_items(_items(project_id, after, now)):
        _note(workers, worker, at)
    for worker, at in _by_chains(_chains(project_id, after, now)):
        _note(workers, worker, at)
    return set(_stale(workers)), after


def _items(project_id: int, marks: dict[str, int], now: datetime) -> dict[int, _Times]:
    """Item -> who gave a judgment on it, or _NOBODY where one was set aside or counts again -> when."""
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
    """The judgments (ids) that a decision set aside, or lets count again."""
    if "decision" in content:
        undone = Decision.objects.filter(pk=content["decision"]).values_list("content", flat=True).first()
        content = undone or {}
    judgments: Collection[int] = content.get("judgments", ())
    return judgments


def _by_items(items: Mapping[int, _Times]) -> Iterator[tuple[int, datetime]]:
    """Each worker who judged one of them, with when others last did."""
    for some in _some(items):
        given = Judgment.objects.filter(item__in=some).order_by()
        for worker, item in given.values_list("worker", "item").iterator():
            others = [at for giver, at in items[item].items() if giver != worker]
            if others:
                yield worker, max(others)


def _chains(project_id: int, marks: dict[str, int], now: datetime) -> _Times:
    """Chain -> when it last came to another state: with it, what is thought of its boxes."""
    found: _Times = {}
    for at, project, chain in _rows("transition", marks, now, "work__batch__project", "chain"):
        if project == project_id and chain is not None:
            _note(found, chain, at)
    return found


def _by_chains(chains: _Times) -> Iterator[tuple[int, datetime]]:
    """Each worker who drew a box of one of them, with when it changed."""
    for some in _some(chains):
        drawn = Box.objects.filter(chain__in=some, judgment__isnull=False).order_by()
        for worker, chain in drawn.values_list("judgment__worker", "chain").distinct().iterator():
            yield worker, chains[chain]


def _rows(name: str, marks: dict[str, int], now: datetime, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Times and columns of rows behind the mark, which moves on, but not beyond what is young."""
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
    """Those whose figures are older; who has none yet is counted for what they gave."""
    for some in _some(workers):
        counted = WorkerFigures.objects.filter(worker__in=some).values_list("worker_id", "counted_at")
        yield from (worker for worker, at in counted if at < workers[worker] + SLACK)
