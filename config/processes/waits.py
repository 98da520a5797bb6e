"""How long a statement may wait for a lock and run, and a transaction do nothing, by the kind of process.

Without limits, one lock that is held for long would stop every thread of the web server, and a process that
hangs in a transaction would keep its locks. Commands have none:
whoever runs one sees it wait. SQLite has one lock, for which writers queue (annotation.writer_queue), and no
limit of how long a statement runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from annotation.writer_queue import limit_waiting


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds that a statement may wait for a lock, and that PostgreSQL lets it take (0 is any time).

    After `idle` seconds between the statements of a transaction, PostgreSQL ends its connection.
    """

    lock: int
    statement: int
    idle: int


PAGES = Waits(lock=5, statement=30, idle=15)
TASKS = Waits(lock=60, statement=0, idle=120)


def limit_waits(waits: Waits) -> None:
    """Limit the statements of each connection that this process opens from now on.

    A statement over its limit raises OperationalError. Pages reply 503 to that, and the next scheduled run of
    a task does what is left.
    """

    def limit(connection: BaseDatabaseWrapper, **_: Any) -> None:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":  # for writes outside of the queue
                cursor.execute(f"PRAGMA busy_timeout = {1000 * waits.lock}")
            else:
                cursor.execute(
                    "SELECT set_config('lock_timeout', %s, false), "
                    "set_config('statement_timeout', %s, false), "
                    "set_config('idle_in_transaction_session_timeout', %s, false)",
                    [f"{seconds}s" for seconds in (waits.lock, waits.statement, waits.idle)],
                )

    limit_waiting(waits.lock)
    connection_created.disconnect(dispatch_uid="config.processes.waits")
    connection_created.connect(limit, weak=False, dispatch_uid="config.processes.waits")
