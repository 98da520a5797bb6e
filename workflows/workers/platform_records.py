"""What a crowd platform says of its workers: screening goes by it (docs/protocol.md, "Quality control")."""

from __future__ import annotations

from collections.abc import Mapping

from annotation.models import Project, Worker
from annotation.transactions import write_transaction
from workflows.workers.domain import Figures
from workflows.workers.enrolment import lock_worker

ROWS_AT_ONCE = 500


def set_figures(*, worker_id: int, completed: int | None, approval: float | None) -> None:
    """Keep what the platform says of the worker: tasks finished, and the share (0 to 1) of them approved.

    None where it says nothing. Raises FiguresError, a ValueError, for numbers that are none of the kind.
    """
    figures = Figures(completed, approval)
    with write_transaction():
        lock_worker(worker_id, may_be_blocked=True)
        Worker.objects.filter(pk=worker_id).update(completed=figures.completed, approval=figures.approval)


def set_figures_of(*, project: Project, provider: str, figures: Mapping[str, Figures]) -> int:
    """The same for many workers by the provider's names, all or none; returns how many are enrolled by it.

    Who did not come yet is enrolled, since screening is before the first page.
    """
    names = sorted(figures)
    groups = [names[start : start + ROWS_AT_ONCE] for start in range(0, len(names), ROWS_AT_ONCE)]
    workers = Worker.objects.filter(project=project, provider=provider)
    with write_transaction():
        known = [
            pk
            for group in groups
            for pk in workers.filter(external_id__in=group).values_list("pk", flat=True)
        ]
        known.sort()
        # In the order of their ids, as whoever else locks several.
        for start in range(0, len(known), ROWS_AT_ONCE):
            some = Worker.objects.filter(pk__in=known[start : start + ROWS_AT_ONCE]).order_by("pk")
            list(some.select_for_update(no_key=True).values_list("pk", flat=True))
        for group in groups:
            Worker.objects.bulk_create(
                [
                    Worker(
                        project=project,
                        provider=provider,
                        external_id=name,
                        completed=figures[name].completed,
                        approval=figures[name].approval,
                    )
                    for name in group
                ],
                update_conflicts=True,
                unique_fields=["project", "provider", "external_id"],
                update_fields=["completed", "approval"],
            )
    return len(names) - len(known)
