"""Runs calls at the same moment, each in a thread with its own database connection."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

T = TypeVar("T")


def at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Return the calls' results in order.

    Raises what one of them raised: a deadlock, "database is locked", or anything else.
    """
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], T]) -> T:
        try:
            connection.ensure_connection()
            gate.wait(timeout=30)
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(run, call) for call in calls]]
