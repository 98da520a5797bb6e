"""The list of workers, those who worked last first or by another count, in pages by key along the indexes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from annotation.models import Standing, Worker
from console.common.keyset import first_rows
from console.common.numbers import amounts, per_cent, share
from console.common.pages import project_names, read_number
from console.common.reach import EVERYWHERE, Reach, reach_of
from workflows.analysis.models import WorkerCounts
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.workers.enrolment import OWN

ROWS = 30

ORDERS: Mapping[str, tuple[str, str, bool]] = MappingProxyType(
    {
        "": ("Lately active first", "last_at", True),
        "judgments": ("Most judgments", "judgments", True),
        "agreement": ("Lowest agreement", "agreement", False),
        "speed": ("Fastest", "median_seconds", False),
        "newest": ("Newest first", "", True),
    }
)
"""By the word in the address: the words for people, the figure, and whether the highest goes first.

Those without a judgment follow those who are lately active. Other orders leave out who lacks the figure.
"""
_OF_ALL_PROJECTS = ("", "newest")
BLOCKED = ("yes", "no")
_BETWEEN = "~"
_Cursor = tuple[Any, int]
"""The value and the id of the worker where the last page ended. None: among those without a judgment."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which workers are shown, in which order. Empty fields filter nothing."""

    project: int | None = None
    name: str = ""
    blocked: str = ""
    standing: str = ""
    order: str = ""
    beside: int | None = None  # a worker (id) with whom one of these is to be compared
    reach: Reach = EVERYWHERE

    def query(self, **more: object) -> str:
        """Return the filter as a query string."""
        named = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "reach"}
        words = {name: value for name, value in (named | more).items() if value}
        return f"?{urlencode(words)}" if words else "?"


def read_wanted(request: HttpRequest) -> Wanted:
    """Read the filter from the address. Unknown words are ignored. Raises BadRequest for a NUL character."""
    query = request.GET
    name = query.get("name", "").strip()[:128]
    if "\0" in name:
        raise BadRequest("a name has no NUL character")
    blocked, standing, order = (query.get(word, "") for word in ("blocked", "standing", "order"))
    return Wanted(
        project=read_number(query, "project"),
        name=name,
        blocked=blocked if blocked in BLOCKED else "",
        standing=standing if standing in Standing.State.values else "",
        order=order if order in ORDERS else "",
        beside=read_number(query, "beside"),
        reach=reach_of(request),
    )


@dataclass(frozen=True, slots=True)
class Row:
    """A worker; `counts` is None until they were counted."""

    worker: Worker
    counts: WorkerCounts | None

    @property
    def tries(self) -> bool:
        """Whether this is the researcher, who has a link from `make serve`."""
        return (self.worker.provider, self.worker.external_id) == (DIRECT, OWN)

    @property
    def right(self) -> str:
        """Of the verification questions."""
        return share(self.counts.right, self.counts.questions) if self.counts else "–"

    @property
    def agreement(self) -> str:
        """With what came of their judgments."""
        return per_cent(self.counts.agreement if self.counts else None)

    @property
    def rewards(self) -> str:
        """Of submitted pages."""
        return amounts(self.counts.earned) if self.counts and self.counts.earned else "–"


@dataclass(frozen=True, slots=True)
class WorkerList:
    """A page of workers; `more` is the query for the next, or empty."""

    rows: list[Row]
    wanted: Wanted  # with the project that an order needs
    projects: list[tuple[int, str]]
    more: str


def worker_list(wanted: Wanted, *, before: str = "") -> WorkerList:
    """Return a page of workers. An order by a figure is of one project: the first one where none is given.

    `before` is where the last page ended. At most four queries.
    """
    projects = project_names(wanted.reach)
    if wanted.order not in _OF_ALL_PROJECTS and wanted.project is None and projects:
        wanted = replace(wanted, project=projects[0][0])
    cursor = _cursor(before, wanted.order)
    if wanted.order == "newest":
        rows, follows = _newest(wanted, cursor)
    elif wanted.order:
        rows, follows = _ordered(wanted, cursor)
    else:
        rows, follows = _lately_active(wanted, cursor)
    more = ""
    if follows:
        last, column = rows[-1].worker, ORDERS[wanted.order][1]
        value = getattr(rows[-1].counts, column, None) if column else None
        said = value.isoformat() if isinstance(value, datetime) else "" if value is None else str(value)
        more = wanted.query(before=f"{said}{_BETWEEN}{last.pk}")
    return WorkerList(rows, wanted, projects, more)


def _lately_active(wanted: Wanted, cursor: _Cursor | None) -> tuple[list[Row], bool]:
    """Those with judgments, the latest first; then those without, the newest first."""
    active: list[Row] = []
    if cursor is None or cursor[0] is not None:
        active, more = _ordered(wanted, cursor)
        if more:
            return active, True
        cursor = None
    others = _newest_workers(wanted, cursor).filter(counts__last_at=None)
    found, more = first_rows(others, ROWS - len(active))
    return [*active, *_rows(found)], more


def _newest(wanted: Wanted, cursor: _Cursor | None) -> tuple[list[Row], bool]:
    found, more = first_rows(_newest_workers(wanted, cursor), ROWS)
    return _rows(found), more


def _newest_workers(wanted: Wanted, cursor: _Cursor | None) -> QuerySet[Worker]:
    workers = Worker.objects.filter(wanted.reach.rows())
    workers = workers.select_related("project", "counts").prefetch_related("standings")
    if cursor:
        workers = workers.filter(pk__lt=cursor[1])
    if wanted.project is not None:
        workers = workers.filter(project=wanted.project)
    return _narrowed(workers, wanted, "").order_by("-pk")


def _rows(workers: list[Worker]) -> list[Row]:
    return [Row(worker, getattr(worker, "counts", None)) for worker in workers]


def _ordered(wanted: Wanted, cursor: _Cursor | None) -> tuple[list[Row], bool]:
    _, column, highest_first = ORDERS[wanted.order]
    kept = WorkerCounts.objects.filter(wanted.reach.rows(), **{f"{column}__isnull": False})
    if wanted.order or wanted.project is not None:
        kept = kept.filter(project=wanted.project)
    kept = kept.select_related("worker__project").prefetch_related("worker__standings")
    if cursor:
        value, pk = cursor
        then = "lt" if highest_first else "gt"
        # The first condition is what an index is read by.
        kept = kept.filter(
            Q(**{f"{column}__{then}": value}) | Q(**{column: value, f"worker__{then}": pk}),
            **{f"{column}__{then}e": value},
        )
    sign = "-" if highest_first else ""
    kept = _narrowed(kept, wanted, "worker__").order_by(f"{sign}{column}", f"{sign}worker")
    found, more = first_rows(kept, ROWS)
    return [Row(one.worker, one) for one in found], more


def _narrowed(rows: QuerySet[Any], wanted: Wanted, worker: str) -> QuerySet[Any]:
    """By name, blocked and standing; `worker` leads from these rows to the worker."""
    if wanted.name:
        rows = rows.filter(**{f"{worker}external_id__startswith": wanted.name})
    if wanted.blocked:
        rows = rows.filter(**{f"{worker}blocked": wanted.blocked == "yes"})
    if wanted.standing:
        # Found once: asked worker by worker, SQLite would read all standings each time.
        standing = Standing.objects.filter(state=wanted.standing).values("worker")
        rows = rows.filter(**{"worker__in" if worker else "pk__in": standing})
    return rows


def _cursor(said: str, order: str) -> _Cursor | None:
    """Where the last page ended; None for the first page, and for what is no cursor."""
    value, _, pk = said.rpartition(_BETWEEN)
    if not (pk.isascii() and pk.isdigit() and len(pk) < 16):
        return None
    try:
        read: Mapping[str, Any] = {"": datetime.fromisoformat, "newest": str, "judgments": int}
        if not value and not order:
            return None, int(pk)
        return read.get(order, float)(value), int(pk)
    except ValueError:
        return None
