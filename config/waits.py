"""How long a statement may wait or run on PostgreSQL, by the kind of process.

Without limits, one lock that is held for long would stop every thread of the web server. Commands have none:
whoever runs one sees it wait. SQLite knows no such limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds that a statement may wait for a lock, and that it may take altogether; 0 is any time."""

    lock: int
    statement: int


PAGES = Waits(lock=5, statement=30)
TASKS = Waits(lock=60, statement=0)


def limit_waits(waits: Waits) -> None:
    """Limit the statements of each connection that this process opens from now on.

    A statement over its limit raises OperationalError. Pages reply 503 to that, and the next scheduled run of
    a task does what is left.
    """

    def limit(connection: BaseDatabaseWrapper, **_: Any) -> None:
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                for name, seconds in (("lock_timeout", waits.lock), ("statement_timeout", waits.statement)):
                    cursor.execute("SELECT set_config(%s, %s, false)", [name, f"{seconds}s"])

    connection_created.disconnect(dispatch_uid="config.waits")
    connection_created.connect(limit, weak=False, dispatch_uid="config.waits")
