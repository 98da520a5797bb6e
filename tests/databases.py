"""How test databases are made, and how they are emptied after a test with transactions of its own.

The first process of a run migrates its database and leaves a copy of it as a template. The others copy that.

To empty a database, Django empties every table, and PostgreSQL makes new files for each table and index. Then
Django makes content types, permissions and the researchers' groups anew. A short test spends most of its time
on this. Here only tables that have rows are emptied, and what was there from the start is only written again
if it was changed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, OperationalError, connection, transaction
from django.test import TransactionTestCase

from tests.unguarded import unguarded

Rows = Sequence[tuple[Any, ...]]

TEMPLATE = "test_groundcrew_template"
AT_ONCE = 500
"""Rows in one statement. SQLite allows 32,766 values."""


@contextmanager
def made_from_template(make: Callable[[], object]) -> Iterator[None]:
    """Call `make`, which makes and migrates the test database, and let it start from the template.

    If no process of this run has left a template, `make` starts from nothing, and what it made becomes the
    template until the end of the block.
    """
    folder = Path(os.environ["GROUNDCREW_TEST_VAR"]) / "template"
    folder.mkdir(exist_ok=True)
    template = _SqliteTemplate(folder) if connection.vendor == "sqlite" else _PostgresTemplate(folder)
    with _locked(folder):
        first = not template.made.exists()
        if first:
            make()
            template.keep()
            template.made.touch()
    if not first:
        with pytest.MonkeyPatch.context() as patch:
            template.use(patch)
            make()
    yield
    if first:
        with _locked(folder):
            template.made.unlink()
            template.drop()


class _PostgresTemplate:
    """A database on the same server as those of the tests."""

    def __init__(self, folder: Path) -> None:
        self.made = folder / "postgresql"

    def keep(self) -> None:
        self.drop()
        name = connection.settings_dict["NAME"]
        self._execute(f"CREATE DATABASE {TEMPLATE} TEMPLATE {_quoted(name)}")

    def use(self, patch: pytest.MonkeyPatch) -> None:
        patch.setitem(connection.settings_dict["TEST"], "TEMPLATE", TEMPLATE)

    def drop(self) -> None:
        self._execute(f"DROP DATABASE IF EXISTS {TEMPLATE}")

    def _execute(self, statement: str) -> None:
        connection.close()  # a database can only be copied if it has no connections
        with connection._nodb_cursor() as cursor:
            cursor.execute(statement)


class _SqliteTemplate:
    """A copy of the database's file."""

    def __init__(self, folder: Path) -> None:
        self.made = folder / "sqlite"
        self._file = folder / "template.sqlite3"

    def keep(self) -> None:
        connection.close()  # the last connection that ends writes what is still in the log into the file
        shutil.copyfile(connection.settings_dict["NAME"], self._file)

    def use(self, patch: pytest.MonkeyPatch) -> None:
        def create(*_: object) -> str:
            name = str(connection.settings_dict["TEST"]["NAME"])
            shutil.copyfile(self._file, name)
            return name

        patch.setattr(connection.creation, "_create_test_db", create)

    def drop(self) -> None:
        self._file.unlink()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process of the run at a time run the block."""
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def emptied_after_tests() -> Iterator[None]:
    """Let tests with transactions of their own restore the rows that the database has now.

    This holds while the block runs.
    """
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    kept = {table: rows_of(table) for table in filled(tables)}

    def empty(test: TransactionTestCase) -> None:
        assert test.available_apps is None and not test.serialized_rollback and test.databases == {"default"}
        empty_tables(tables, kept)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty)
        yield


def empty_tables(tables: Sequence[str], kept: Mapping[str, Rows]) -> None:
    """Delete all rows of these tables, but leave those of `kept` with exactly these rows.

    A service of a test may still write what it was told to. If it does so meanwhile, this begins again.
    """
    for last in (False, False, True):
        try:
            return _empty_once(tables, kept)
        except (IntegrityError, OperationalError):  # such as a deadlock with it
            if last:
                raise


def _empty_once(tables: Sequence[str], kept: Mapping[str, Rows]) -> None:
    """Foreign keys are only checked when the transaction ends, so the order does not matter."""
    with transaction.atomic():
        full = filled(tables)
        changed = [table for table, rows in kept.items() if table not in full or rows_of(table) != rows]
        with unguarded(full), connection.cursor() as cursor:
            for table in [*(table for table in full if table not in kept), *changed]:
                cursor.execute(f"DELETE FROM {_quoted(table)}")  # noqa: S608
            for table in changed:
                write_rows(table, kept[table])
    if changed:
        ContentType.objects.clear_cache()


def filled(tables: Sequence[str]) -> list[str]:
    """Return those of the tables that have rows."""
    parts = (
        f"SELECT {place} WHERE EXISTS (SELECT 1 FROM {_quoted(name)})"  # noqa: S608  (our own tables)
        for place, name in enumerate(tables)
    )
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts))
        return [tables[place] for (place,) in cursor.fetchall()]


def rows_of(table: str) -> Rows:
    """Return all rows of the table as the database gives them."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {_quoted(table)} ORDER BY 1")  # noqa: S608
        return list(cursor.fetchall())


def write_rows(table: str, rows: Rows) -> None:
    """Insert rows that `rows_of` returned."""
    row = f"({', '.join(['%s'] * len(rows[0]))})"
    with connection.cursor() as cursor:
        for start in range(0, len(rows), AT_ONCE):
            some = rows[start : start + AT_ONCE]
            values = ", ".join([row] * len(some))
            cursor.execute(f"INSERT INTO {_quoted(table)} VALUES {values}", [*chain(*some)])  # noqa: S608


def _quoted(table: str) -> str:
    return connection.ops.quote_name(table)
