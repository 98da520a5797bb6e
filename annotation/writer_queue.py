"""The queue of SQLite's writers: a lock on a file, for which a process waits only so long."""

from __future__ import annotations

import fcntl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.db import OperationalError

PAUSE = 0.0005
"""Seconds between two looks at the lock of another process: less than a commit takes."""

_most_seconds: float | None = None
_ours = threading.Lock()


def limit_waiting(seconds: float | None) -> None:
    """Have this process wait at most so many seconds for its turn to write. With None, it waits for ever."""
    global _most_seconds
    _most_seconds = seconds


@contextmanager
def writer_turn(path: Path) -> Iterator[None]:
    """Hold the lock on this file while the block runs.

    Threads of one process wait for one another, and the first of them for other processes. It looks again
    and again, since `flock` knows no limit of how long it waits. Raise OperationalError if it takes longer
    than `limit_waiting` says, as PostgreSQL's lock_timeout does.
    """
    end = None if _most_seconds is None else time.monotonic() + _most_seconds
    if not _ours.acquire(timeout=-1 if _most_seconds is None else _most_seconds):
        raise _busy()
    try:
        with path.open("ab") as file:
            if end is None:
                fcntl.flock(file, fcntl.LOCK_EX)
            else:
                while not _take(file):
                    if time.monotonic() > end:
                        raise _busy()
                    time.sleep(PAUSE)
            yield
    finally:
        _ours.release()


def _take(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _busy() -> OperationalError:
    return OperationalError(f"others have been writing to the database for {_most_seconds:g} seconds")
