"""Pages of the audit log, the newest entries first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.db.models import QuerySet
from django.http import HttpRequest

from console.audit.labels import link, say_action, say_detail
from console.common.keyset import keyset_page
from console.common.pages import project_names, read_number
from console.common.reach import EVERYWHERE, Reach, reach_of
from workflows.core.models import AuditEntry

ROWS = 50
AT_ONCE = 5_000
"""Rows that each query of a download reads."""
MAX_ENTRIES = 100_000
"""The most rows of one download."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries are shown. Empty fields filter nothing."""

    by: str = ""
    action: str = ""
    project: int | None = None
    kind: str = ""
    object: str = ""
    reach: Reach = EVERYWHERE

    def entries(self) -> QuerySet[AuditEntry]:
        """Return the matching entries, the newest first."""
        rows = AuditEntry.objects.filter(self.reach.rows()).order_by("-pk")
        if self.by:
            rows = rows.filter(by=self.by)
        if self.action:
            rows = rows.filter(action=self.action)
        if self.project is not None:
            rows = rows.filter(project=self.project)
        if self.kind and self.object:
            rows = rows.filter(kind=self.kind, object_id=self.object)
        return rows

    def query(self, **more: Any) -> str:
        """Return the filter as a query string."""
        fields = ("by", "action", "project", "kind", "object")
        words = {name: value for name in fields if (value := getattr(self, name))} | more
        return f"?{urlencode(words)}" if words else ""


def read_wanted(request: HttpRequest) -> Wanted:
    """Read the filter from the address. Raises BadRequest for a NUL character, which no database accepts."""
    query = request.GET
    texts = {name: query.get(name, "").strip()[:150] for name in ("by", "action", "kind", "object")}
    if any("\0" in text for text in texts.values()):
        raise BadRequest("nothing in the log has a NUL character")
    return Wanted(project=read_number(query, "project"), reach=reach_of(request), **texts)


@dataclass(frozen=True, slots=True)
class Line:
    """An entry as the page shows it."""

    entry: AuditEntry
    says: str
    link: str
    detail: list[tuple[str, str]]
    about: str  # the query for everything about the same object


@dataclass(frozen=True, slots=True)
class Log:
    """A page of the log; `more` is the id to go on before, or 0."""

    lines: list[Line]
    projects: list[tuple[int, str]]
    more: int


def log_page(wanted: Wanted, *, before: int = 0) -> Log:
    """Return the page of the log that continues below the id `before` (0: the first). Two queries."""
    found = keyset_page(wanted.entries().select_related("project"), ROWS, before=before)
    projects = project_names(wanted.reach)
    return Log([_line(row) for row in found.rows], projects, found.next)


def all_entries(wanted: Wanted, *, before: int = 0) -> Iterator[AuditEntry]:
    """Yield the newest entries, at most MAX_ENTRIES, read in portions while they are sent."""
    for _ in range(0, MAX_ENTRIES, AT_ONCE):
        found = keyset_page(wanted.entries().select_related("project"), AT_ONCE, before=before)
        yield from found.rows
        if not found.next:
            return
        before = found.next


def _line(row: AuditEntry) -> Line:
    about = Wanted(kind=row.kind, object=row.object_id).query() if row.kind and row.object_id else ""
    return Line(row, say_action(row.action), link(row), say_detail(row.detail), about)
