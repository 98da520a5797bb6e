"""Seals of everything else that results rest on: the corpus, settings, answers and decisions.

All tables share one chain of seals, so one hash that is kept elsewhere stands for all of them. A seal is
about up to ROWS_PER_SEAL rows of one table, in the order of their ids, and has a digest for each
ROWS_PER_DIGEST rows of a project. So it costs some two bytes a row, and names the rows to look at, not the
very row.

Nothing is written when the rows are: a periodic task reads what was added. What our code changes in such rows
afterwards is kept as a RowChange (annotation.row_changes). A check takes these changes back before it
compares, and demands that the newest change is what the row says now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import Count

from annotation.models import Project, RowChange
from annotation.row_changes import plain
from annotation.transactions import snapshot, write_transaction
from workflows.core.domain.logs import FIRST, Sealed, hash_of
from workflows.core.domain.records import Change, Digests, Row, compare, digests_of, read_digests, unexplained
from workflows.core.locks import try_lock
from workflows.core.models import AuditEntry, Seal
from workflows.core.record_tables import TABLES, Table
from workflows.core.seals import PATIENCE_SECONDS, last_settled

NAME = "records"
ROWS_PER_SEAL = 1000
MAX_SEALS = 200
"""In one run, so that it ends soon. The next one goes on."""


@dataclass(slots=True)
class RecordsCheck:
    """What a check of the records found, and how far they are sealed."""

    mistakes: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    seals: int = 0
    sealed: int = 0
    newer: int = 0  # rows that are not sealed yet
    newest: str = ""
    since: datetime | None = None  # when the first seal was made


def seal_records(*, clock: Callable[[], datetime], patience: float = PATIENCE_SECONDS) -> list[Seal]:
    """Seal the rows that were added to all tables since their last seals; return the new seals.

    A table to which others may still add an earlier row is left to the next run.
    """
    made: list[Seal] = []
    with try_lock(f"seal-{NAME}") as free:
        for label in TABLES if free else ():
            after = _positions().get(label, 0)
            model = apps.get_model(label)
            through = last_settled(model, after, patience)
            while through is not None and after < through and len(made) < MAX_SEALS:
                made.append(_seal_next(label, after, through, clock()))
                after = made[-1].through
    return made


def verify_records(*, expect: str = "") -> RecordsCheck:
    """Compare all tables with their seals, in one state of the database. Others can write meanwhile."""
    found = RecordsCheck()
    with snapshot():
        deleted = _deleted_projects(found)
        windows = _windows(found)
        for label, table in TABLES.items():
            _verify_table(label, table, windows.get(label, []), deleted, found)
        if expect and not Seal.objects.filter(log=NAME, hash=expect).exists():
            found.mistakes.append(
                f"no seal has the hash {expect}: records were cut or written anew since then"
            )
    return found


def _newest() -> Seal | None:
    return Seal.objects.filter(log=NAME).order_by("-number").defer("digests").first()


def _positions() -> dict[str, int]:
    """Return the last sealed id of each table, as the newest seal says."""
    newest = _newest()
    return dict(newest.columns["through"]) if newest else {}


def _seal_next(label: str, after: int, through: int, now: datetime) -> Seal:
    """Seal the next rows of a table, at most ROWS_PER_SEAL and none after the id `through`."""
    table = TABLES[label]
    columns = table.columns(apps.get_model(label))
    with snapshot():
        ids = _rows(label, after, through).values_list("pk", flat=True)[:ROWS_PER_SEAL]
        last = list(ids)[-1]
        rows = list(_read(label, table, columns, after, last))
        changed = RowChange.objects.filter(table=label, key__gt=after, key__lte=last).values("key")
        seen = dict(changed.annotate(n=Count("pk")).order_by("key").values_list("key", "n"))
    with write_transaction():
        before = _newest()
        number = before.number + 1 if before else 1
        positions = dict(before.columns["through"]) if before else {}
        about = {"table": label, "entry": list(columns), "through": {**positions, label: last}}
        seal = Sealed(NAME, number, last, about, digests_of(rows, seen), now, "")
        return Seal.objects.create(
            log=NAME,
            number=number,
            through=last,
            columns=about,
            digests=seal.digests,
            sealed_at=now,
            hash=hash_of(seal, before.hash if before else FIRST),
        )


@dataclass(frozen=True, slots=True)
class _Window:
    """The rows of one seal."""

    after: int
    through: int
    columns: tuple[str, ...]
    digests: Digests


def _windows(found: RecordsCheck) -> dict[str, list[_Window]]:
    """Check the chain of seals, and return the windows of each table in the order of their ids."""
    windows: dict[str, list[_Window]] = defaultdict(list)
    before = FIRST
    for row in Seal.objects.filter(log=NAME).order_by("number").iterator(50):
        label = str(row.columns.get("table", ""))
        seal = Sealed(NAME, row.number, row.through, row.columns, row.digests, row.sealed_at, row.hash)
        if row.number != found.seals + 1:
            found.mistakes.append(f"seal {found.seals + 1} is missing")
        elif row.hash != hash_of(seal, before):
            found.mistakes.append(f"seal {row.number} was changed, or does not follow the one before")
        known = windows[label]
        after = known[-1].through if known else 0
        columns = tuple(row.columns.get("entry", ()))
        known.append(_Window(after, row.through, columns, read_digests(row.digests)))
        found.seals, found.newest, before = row.number, row.hash, row.hash
        found.since = found.since or row.sealed_at
    return windows


def _verify_table(
    label: str, table: Table, windows: list[_Window], deleted: set[int], found: RecordsCheck
) -> None:
    """Compare the rows of one table with its seals. A window of rows is in memory, and all changes."""
    changes = {key: some for key, some in _changes(label).items() if some[0].project not in deleted}
    now = table.columns(apps.get_model(label))
    mistakes = [
        f"{key}: inserted by hand, since the database counts from 1"
        for key in _rows(label, None, 0).values_list("pk", flat=True)
    ]
    for window in windows:
        if gone := sorted(set(window.columns) - set(now)):
            found.remarks.append(f"{label}: {', '.join(gone)} is sealed no more since an upgrade")
            continue
        read = _read(label, table, window.columns, window.after, window.through)
        rows = {row.key: row for row in read if row.project not in deleted}
        some = {key: of for key, of in changes.items() if window.after < key <= window.through}
        kept = [one for one in window.digests.digests if one.project not in deleted]
        mistakes += compare(rows, some, Digests(kept, window.digests.seen))
        found.sealed += len(rows)
    last = windows[-1].through if windows else 0
    found.newer += _rows(label, last, None).count()
    new = {key: of for key, of in changes.items() if key > last}
    there = _rows(label, last, None).filter(pk__in=list(new)) if new else ()
    mistakes += unexplained({row.key: row for row in _read_rows(there, table, now)}, new)
    found.mistakes += [f"{label} {line}" for line in mistakes]


def _changes(label: str) -> dict[int, list[Change]]:
    found: dict[int, list[Change]] = defaultdict(list)
    rows = RowChange.objects.filter(table=label).order_by("pk")
    for key, project, before, after in rows.values_list("key", "project_id", "before", "after").iterator(
        2000
    ):
        found[key].append(Change(project, before, after))
    return found


def _deleted_projects(found: RecordsCheck) -> set[int]:
    """Return the projects whose rows a manager let go. The audit log must say so of each."""
    deleted = dict(Project.everything.filter(deleted_at__isnull=False).values_list("pk", "name"))
    logged = AuditEntry.objects.filter(action="project.delete", project__in=list(deleted))
    said = set(logged.values_list("project_id", flat=True))
    for pk, name in sorted(deleted.items()):
        if pk not in said:
            found.mistakes.append(f"project {name} is deleted, and the audit log does not say so")
        else:
            found.remarks.append(f"project {name} was deleted: its rows were not compared")
    return set(deleted) & said


def _rows(label: str, after: int | None, through: int | None) -> models.QuerySet[Any]:
    rows: models.QuerySet[Any] = apps.get_model(label)._base_manager.order_by("pk")
    if after is not None:
        rows = rows.filter(pk__gt=after)
    return rows if through is None else rows.filter(pk__lte=through)


def _read(label: str, table: Table, columns: Sequence[str], after: int, through: int) -> Iterator[Row]:
    return _read_rows(_rows(label, after, through), table, columns)


def _read_rows(rows: Any, table: Table, columns: Sequence[str]) -> Iterator[Row]:
    if not rows:
        return
    for pk, project, *values in rows.values_list("pk", table.project, *columns).iterator(ROWS_PER_SEAL):
        yield Row(pk, project, dict(zip(columns, map(plain, values), strict=True)))
