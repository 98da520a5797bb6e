"""Keeps the figures of workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from annotation.transactions import write_transaction
from workflows.counting.workers import count_workers
from workflows.models import WorkerFigures

WORKERS = "workers"
"""The name under which it is kept how far the figures of a project's workers are."""
AT_ONCE = 50
"""Workers whose times are in memory."""
_COLUMNS = (
    *("judgments", "questions", "right", "agreement", "median_seconds", "earned", "stages"),
    *("last_at", "through", "counted_at"),
)


def keep_workers(*, project_id: int, workers: Sequence[int], clock: Callable[[], datetime]) -> None:
    """Count these workers (ids) of the project and keep their figures, so many at a time."""
    for start in range(0, len(workers), AT_ONCE):
        counted = count_workers(project_id, workers[start : start + AT_ONCE], clock())
        with write_transaction():
            WorkerFigures.objects.bulk_create(
                counted, update_conflicts=True, unique_fields=["worker"], update_fields=_COLUMNS
            )
