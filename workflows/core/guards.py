"""Guards: triggers by which the database itself keeps the rows of append-only tables as they were written.

A guard refuses to change, delete or truncate, whoever asks: our code, a page of the admin, or somebody with a
database shell. Every `migrate` installs the guards, because on SQLite Django makes a table anew to change one
of its columns, and loses the table's triggers without a word. A guard that is in place is left alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection

from annotation.transactions import write_transaction

APPEND_ONLY: Mapping[str, Collection[str]] = {
    # A decision sets judgments aside, says that they count again, or corrects a question's answer.
    "annotation.Judgment": ("set_aside", "regraded"),
    "annotation.Abstention": (),
    "annotation.Decision": (),
    "annotation.InstructionsVersion": (),
    "annotation.JudgeRecord": (),
    "annotation.ModelAnswer": ("set_aside",),
    "annotation.PairScores": (),
    "annotation.RowChange": (),
    "annotation.Suggestion": (),
    "annotation.SuggestionSet": ("completed_at",),
    "annotation.SuggestionStop": ("resumed",),
    "annotation.TypesVersion": (),
    "workflows.Transition": (),
    "workflows.LedgerEntry": (),
    "workflows.LedgerLine": (),
    "workflows.AuditEntry": (),
    "workflows.PriorVersion": (),
    "workflows.Seal": (),
    "workflows.WorkerNote": (),
    "workflows.SpotCheckVerdict": (),
}
"""Every append-only model, with the fields that may change later all the same."""

ERASABLE = frozenset(
    {
        *("annotation.Abstention", "annotation.Judgment", "annotation.Decision"),
        *("annotation.JudgeRecord", "annotation.ModelAnswer", "annotation.TypesVersion"),
        *("annotation.PairScores", "annotation.Suggestion", "annotation.SuggestionSet"),
        *("annotation.RowChange", "annotation.SuggestionStop"),
        *("workflows.PriorVersion", "workflows.SpotCheckVerdict", "workflows.Transition"),
    }
)
"""Models whose rows may be deleted together with their whole project, in a transaction that has a row of
`workflows.core.models.Erasure`. Nobody else sees that row, so nobody else may delete."""

_FUNCTION = "refuse_change"
_ERASURE = "workflows_erasure"
_BODY = (
    f"BEGIN IF TG_NARGS > 1 AND EXISTS (SELECT FROM {_ERASURE}) THEN RETURN OLD; END IF; "
    "RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = TG_ARGV[0]; END"
)


@dataclass(frozen=True, slots=True)
class Guard:
    """One trigger as it has to be: on a `table`, against an `event`."""

    name: str
    table: str
    sql: str


def keep_guards(**_: Any) -> None:
    """Install each guard that is missing or was changed. For `post_migrate`; running it again is no harm."""
    with write_transaction():
        if connection.vendor == "postgresql" and _body() != _BODY:
            _execute(
                f"CREATE OR REPLACE FUNCTION {_FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $${_BODY}$$"
            )
        for guard in _not_in_place():
            _drop(guard)
            _execute(guard.sql)


def remove_guards(tables: Collection[str] | None = None) -> None:
    """Remove the guards of these tables, or of all. The next `migrate` installs them again.

    This is for migrations that must change rows, and for tests. Nothing else may call it.
    """
    with write_transaction():
        for guard in _guards():
            if tables is None or guard.table in tables:
                _drop(guard)


def missing_guards() -> list[str]:
    """Return a line for each append-only table that the database does not hold as it should."""
    tables = sorted({guard.table for guard in _not_in_place()})
    return [
        f"{table}: its rows can be changed, because a trigger is missing, disabled or not ours; "
        "`manage.py migrate` installs it"
        for table in tables
    ]


def _guards() -> Iterator[Guard]:
    """Yield the guards of all tables that exist: within a migration, some may not."""
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        for label, fields in APPEND_ONLY.items():
            meta = apps.get_model(label)._meta
            if meta.db_table in there:
                may_change = [meta.get_field(name).attname for name in fields]
                columns = connection.introspection.get_table_description(cursor, meta.db_table)
                kept = [column.name for column in columns if column.name not in may_change]
                yield from _guards_of(meta.db_table, kept, may_change, erasable=label in ERASABLE)


def _guards_of(
    table: str, kept: Collection[str], may_change: Collection[str], *, erasable: bool
) -> Iterator[Guard]:
    changed = "changed" if not may_change else f"changed (except {', '.join(may_change)})"
    why = f"{table} is append-only: its rows are evidence, and are never {changed} or deleted"
    events = {"update": "UPDATE" if not may_change else f"UPDATE OF {', '.join(kept)}", "delete": "DELETE"}
    if connection.vendor == "postgresql":
        events["truncate"] = "TRUNCATE"
    for event, on in events.items():
        name = f"{table}_no_{event}"
        erasing = erasable and event == "delete"
        if connection.vendor == "postgresql":
            # As `pg_get_triggerdef` writes it, so that both can be compared.
            each = "STATEMENT" if event == "truncate" else "ROW"
            arguments = f"'{why}', 'erasable'" if erasing else f"'{why}'"
            act = f"FOR EACH {each} EXECUTE FUNCTION {_FUNCTION}({arguments})"
        else:
            unless = f"WHEN NOT EXISTS (SELECT 1 FROM {_ERASURE}) " if erasing else ""  # noqa: S608
            act = f"{unless}BEGIN SELECT RAISE(ABORT, '{why}'); END"
        yield Guard(name, table, f"CREATE TRIGGER {name} BEFORE {on} ON {table} {act}")


def _not_in_place() -> list[Guard]:
    there = _triggers()
    return [guard for guard in _guards() if there.get(guard.name) != guard.sql]


def _triggers() -> dict[str, str]:
    """Return the statement behind each trigger that is enabled, by name."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT tgname, pg_get_triggerdef(oid, true) FROM pg_trigger"
                " WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')"
            )
            found = dict(cursor.fetchall())
            return found if _body() == _BODY else {}
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        return dict(cursor.fetchall())


def _body() -> str:
    """Return what the function of the triggers does on PostgreSQL, or "" if it does not exist."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT prosrc FROM pg_proc WHERE oid = to_regproc(%s)", [_FUNCTION])
        row = cursor.fetchone()
    return row[0] if row else ""


def _drop(guard: Guard) -> None:
    on = f" ON {guard.table}" if connection.vendor == "postgresql" else ""
    _execute(f"DROP TRIGGER IF EXISTS {guard.name}{on}")


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
