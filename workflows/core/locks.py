"""Advisory locks: what only one process may do at a time, on all machines together."""

from __future__ import annotations

import fcntl
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from django.db import DatabaseError, InterfaceError, connection

IN_TURN = 1

_sessions: ContextVar[tuple[list[object], ...]] = ContextVar("sessions that hold locks", default=())
"""For each lock that this thread has, a list with its session. So two locks of one session are told apart."""


class LockLostError(Exception):
    """The database ended the session that held a lock, so another process may have the lock now."""


def check_locks() -> None:
    """Raise LockLostError if a lock that this thread took was lost with its session.

    After a session has ended, Django opens another one by itself. So a block goes on without its lock while
    another process has it. Call this before what must not be done by both.
    """
    if any(session is not connection.connection for (session,) in _sessions.get()):
        raise LockLostError("The database ended the session that held a lock.")


@contextmanager
def try_lock(name: str) -> Iterator[bool]:
    """Try to take the lock `name` without waiting, and yield whether this process has it.

    The lock is held until the block or the process ends. It belongs to the database's session, or with SQLite
    to a file beside the database. So no transaction stays open, and a killed process leaves no lock behind.
    If the database ends the session, the lock is free while the block goes on: see `check_locks`.
    """
    with _lock(name, wait=False) as taken:
        yield taken


@contextmanager
def one_at_a_time(name: str) -> Iterator[bool]:
    """Wait until no other process runs the block of this name, and yield True.

    Yield False without waiting if another process waits already: its turn is still to come, so it will see
    everything that was committed before this call. So of many calls that come while one is at work, one is
    enough. The lock is as that of `try_lock`.
    """
    with ExitStack() as turn:
        if not turn.enter_context(try_lock(f"{name}-next")):
            yield False
            return
        with _lock(name, wait=True):
            turn.close()
            yield True


@contextmanager
def _lock(name: str, *, wait: bool) -> Iterator[bool]:
    if connection.vendor == "sqlite":
        path = Path(str(connection.settings_dict["NAME"]))
        if not path.is_file():  # a database in memory has one process
            yield True
            return
        with path.with_name(f"{path.name}.{name}.lock").open("ab") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
            else:
                yield True
        return
    key = zlib.crc32(name.encode())
    if wait:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [key])
    elif not _ask("SELECT pg_try_advisory_lock(%s)", key):
        yield False
        return
    session: list[object] = [connection.connection]
    _sessions.set((*_sessions.get(), session))
    try:
        yield True
    finally:
        # Locks need not be released in the order in which they were taken: see `one_at_a_time`.
        _sessions.set(tuple(one for one in _sessions.get() if one is not session))
        with suppress(DatabaseError, InterfaceError):  # the session is gone, and the lock with it
            _ask("SELECT pg_advisory_unlock(%s)", key)


def lock_until_commit(name: str) -> None:
    """Take the lock `name` until the transaction ends; wait while another transaction has it.

    Call it inside a `write_transaction`. On SQLite these run one after the other anyway.
    """
    if connection.vendor == "sqlite":
        return
    key = zlib.crc32(name.encode()) - 2**31  # two signed 32-bit numbers: never a key of `try_lock`
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [IN_TURN, key])


def _ask(query: str, key: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(query, [key])
        return bool(cursor.fetchone()[0])
