"""The processes of a Celery worker, which also survive that one of them ends while the broker is away.

When the broker comes back, Celery watches the end of each process again. A process whose end was seen but
which is not replaced yet has no descriptor any more, and Celery's `_track_child_process` would watch None.
kombu then says "file descriptor is None", which ended the worker (celery/celery #9250: kombu 5.7 raises a
ValueError, and Celery 5.7 expects an AttributeError). It is likely here, since tasks are cancelled when the
broker is lost.
"""

from __future__ import annotations

from typing import Any

from celery.concurrency import asynpool, prefork


class Processes(asynpool.AsynPool):
    """Celery's pool for brokers with an event loop."""

    def _track_child_process(self, proc: Any, hub: Any) -> None:
        """Watch the end of a process, unless it was seen: a timer replaces the process (`maintain_pool`)."""
        if getattr(proc, "_sentinel_poll", self) is not None:
            super()._track_child_process(proc, hub)  # type: ignore[misc]  # the published types lack it


class TaskPool(prefork.TaskPool):
    """Celery's default pool with the processes above."""

    Pool = Processes
