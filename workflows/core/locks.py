"""What only one process may do at a time, on however many machines, and for however long."""

from __future__ import annotations

import fcntl
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.db import DatabaseError, InterfaceError, connection

IN_TURN = 1


@contextmanager
def alone(name: str) -> Iterator[bool]:
    """Whether nobody else is in a block of this name; nobody enters until this one, or its process, ends.

    The lock is of the database's session, or with SQLite of a file beside the database: no transaction is
    open, and a process that is killed leaves nothing behind.
    """
    if connection.vendor == "sqlite":
        path = Path(str(connection.settings_dict["NAME"]))
        if not path.is_file():  # a database in memory has one process
            yield True
            return
        with path.with_name(f"{path.name}.{name}.lock").open("ab") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True
        return
    key = zlib.crc32(name.encode())
    if not _ask("SELECT pg_try_advisory_lock(%s)", key):
        yield False
        return
    try:
        yield True
    finally:
        with suppress(DatabaseError, InterfaceError):  # the session is gone, and the lock with it
            _ask("SELECT pg_advisory_unlock(%s)", key)


def in_turn(name: str) -> None:
    """Wait for everybody else's transaction that has called this by the same name.

    Inside a `write_transaction`; on SQLite those come one by one anyway.
    """
    if connection.vendor == "sqlite":
        return
    key = zlib.crc32(name.encode()) - 2**31  # two numbers of 32 bits with a sign: none of `alone`'s
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [IN_TURN, key])


def _ask(query: str, key: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(query, [key])
        return bool(cursor.fetchone()[0])
