"""Short transactions that write without deadlocks, and snapshots that read one state of the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection, transaction

from annotation.writer_queue import writer_turn


@contextmanager
def write_transaction() -> Iterator[None]:
    """Open a transaction that is going to write.

    On SQLite writers queue at a file lock before they begin: the database's own busy handler polls
    with growing pauses, so that under load some writer waits for seconds while others pass it. Raises
    OperationalError if a lock is held longer than this process may wait (config.processes.waits).
    Order of locks on PostgreSQL, everywhere: worker, assignment, image works by id, then their items.
    Only a claim takes items without their work, and it never waits for one.
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
    with writer_turn(path.with_name(path.name + ".lock")), transaction.atomic():
        yield


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all reads in the block see one state of the database. Nothing may be written in the block.

    Others can write meanwhile. If a transaction is already open, it is used as it is. On SQLite the
    transaction is begun by hand, since Django's begin as writers here.
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
