"""The one way to write, in short transactions that neither deadlock nor starve, and to read one state of the
database in several queries."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection, transaction


@contextmanager
def write_transaction() -> Iterator[None]:
    """A transaction that is going to write.

    On SQLite writers queue at a file lock before they begin: the database's own busy handler polls
    with growing pauses, so that under load some writer waits for seconds while others pass it.
    Order of locks on PostgreSQL, everywhere: worker, assignment, image works by id, then their items.
    Only `dispatch` takes items without their work, and it never waits for one.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        with transaction.atomic():
            yield
        return
    path = Path(str(connection.settings_dict["NAME"]))
    if not path.is_file():  # a database in memory has one writer
        with transaction.atomic():
            yield
        return
    with path.with_name(path.name + ".lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with transaction.atomic():
            yield


@contextmanager
def snapshot() -> Iterator[None]:
    """Reads within see one state of the database and keep nobody from writing. Nothing may be written within.

    A transaction that is already open is taken as it is. SQLite's transactions are begun by hand, since
    Django's begin as writers here.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
