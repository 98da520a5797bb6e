"""The audit log and notes about workers: written once, and never changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.factories import NOW, make_project, make_worker
from workflows.core.audit_log import record_action
from workflows.core.models import AppendOnlyError, AuditEntry
from workflows.workers.models import WorkerNote
from workflows.workers.notes import NoteError, note_worker

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def _entry() -> AuditEntry:
    return record_action(by="ada", action="batch.launch", now=NOW, project=make_project(), object="main")


def _note() -> WorkerNote:
    return note_worker(worker=make_worker(make_project()), by="ada", text=" wrote to me ", now=NOW)


@pytest.mark.parametrize("make", [_entry, _note])
def test_what_is_written_is_neither_changed_nor_deleted(make: Callable[[], AuditEntry | WorkerNote]) -> None:
    row = make()
    rows: Any = type(row).objects.all()
    row.by = "eve"
    tries: list[Callable[[], object]] = [
        *(row.save, row.delete, rows.delete, rows.filter(by="ada").delete),
        *(lambda: rows.update(by="eve"), lambda: rows.bulk_update([row], ["by"])),
        lambda: rows.update_or_create(pk=row.pk),
        lambda: rows.bulk_create([row], update_conflicts=True, update_fields=["by"], unique_fields=["id"]),
    ]
    for attempt in tries:
        with pytest.raises(AppendOnlyError, match="neither changed nor deleted"):
            attempt()
    assert type(row).objects.get().by == "ada"


def test_no_entry_is_moved_to_another_project() -> None:
    entry = _entry()
    home, other = entry.project, make_project()
    assert home is not None
    tries: list[Callable[[], object]] = [
        *(home.audit_entries.clear, lambda: home.audit_entries.remove(entry)),
        lambda: other.audit_entries.add(entry),
    ]
    for attempt in tries:
        with pytest.raises(AppendOnlyError):
            attempt()
    assert AuditEntry.objects.get().project == home


def test_a_note_is_kept_without_its_margins() -> None:
    assert _note().text == "wrote to me"


@pytest.mark.parametrize("text", ["", "  ", "x" * 2001, "a\0b"])
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(NoteError, match="1 to 2000 characters"):
        note_worker(worker=make_worker(make_project()), by="ada", text=text, now=NOW)
    assert not WorkerNote.objects.exists()


def test_long_names_are_cut_to_what_a_row_holds() -> None:
    entry = record_action(by="a" * 200, action="x.y", now=NOW, object="b\0" * 300, object_id=10**50)
    entry.refresh_from_db()
    assert (len(entry.by), entry.object, len(entry.object_id)) == (150, "b" * 200, 40)


@pytest.mark.django_db(transaction=True)
def test_an_entry_waits_in_the_queue_of_writers(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not wait for SQLite's own lock, where others might pass it for ever."""
    if connection.vendor != "sqlite" or not Path(str(connection.settings_dict["NAME"])).is_file():
        pytest.skip("only a database file has a queue")
    queued: list[bool] = []
    monkeypatch.setattr("fcntl.flock", lambda *_: queued.append(connection.in_atomic_block))
    record_action(by="ada", action="login", now=NOW)
    assert queued == [False], "before the transaction begins"
