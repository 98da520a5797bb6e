"""The figures of a project's workers as rows of a table: one for each worker and stage."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Prefetch

from annotation.models import Standing
from console.workers.scores import say_trust
from workflows.analysis.models import WorkerCounts
from workflows.core.spreadsheet_cells import safe_cell

COLUMNS = (
    *("provider", "worker", "blocked", "stage", "trust", "pages", "judgments"),
    *("questions_asked", "questions_right", "accuracy", "agreement", "median_seconds", "hours"),
    *("last_active", "counted_at"),
)
AT_ONCE = 500
"""Workers in memory at a time. Each time takes two more queries."""


def rows_of(project_id: int) -> Iterator[list[str]]:
    """Yield the rows, the columns' names first, as their page shows them. Sorted by the workers' names.

    Workers who answered nothing are left out. A cell is empty if its figure is not known.
    """
    yield list(COLUMNS)
    counts = WorkerCounts.objects.filter(project=project_id).select_related("worker")
    counts = counts.order_by("worker__provider", "worker__external_id")
    standings = Standing.objects.select_related("batch").order_by("pk")
    counts = counts.prefetch_related(Prefetch("worker__standings", queryset=standings))
    for one in counts.iterator(AT_ONCE):
        yield from _rows(one)


def _rows(counts: WorkerCounts) -> Iterator[list[str]]:
    worker = counts.worker
    last = counts.last_at.isoformat(timespec="seconds") if counts.last_at else ""
    for stage, own in counts.by_stage().items():
        yield [
            safe_cell(worker.provider),
            safe_cell(worker.external_id),
            "yes" if worker.blocked else "no",
            stage,
            safe_cell(say_trust(row for row in worker.standings.all() if row.stage == stage)),
            "" if own.pages is None else str(own.pages),
            str(own.judgments),
            str(own.questions),
            str(own.right),
            _number(own.accuracy, 4),
            _number(own.agreement, 4),
            _number(own.median_seconds, 1),
            _number(own.hours, 2),
            last,
            counts.counted_at.isoformat(timespec="seconds"),
        ]


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"
