"""Store what a crowd platform says about its workers, for screening (docs/protocol.md, "Quality control")."""

from __future__ import annotations

from collections.abc import Mapping

from annotation.models import Project, Worker
from annotation.transactions import write_transaction
from workflows.workers.domain.platform_records import PlatformRecord
from workflows.workers.enrolment import lock_worker

ROWS_AT_ONCE = 500


def set_platform_record(*, worker_id: int, completed: int | None, approval: float | None) -> None:
    """Keep what the platform says about the worker: tasks completed, and the share (0 to 1) of them approved.

    None means that the platform does not say. Raises PlatformRecordError for numbers out of range, and
    WorkerBlockedError for an unknown worker.
    """
    record = PlatformRecord(completed, approval)
    with write_transaction():
        lock_worker(worker_id, may_be_blocked=True)
        Worker.objects.filter(pk=worker_id).update(completed=record.completed, approval=record.approval)


def set_platform_records(*, project: Project, provider: str, records: Mapping[str, PlatformRecord]) -> int:
    """Store records by the workers' names at the provider, all or none; return how many workers are new.

    Workers who have not come yet are enrolled, because screening comes before the first page.
    """
    names = sorted(records)
    groups = [names[start : start + ROWS_AT_ONCE] for start in range(0, len(names), ROWS_AT_ONCE)]
    workers = Worker.objects.filter(project=project, provider=provider)
    with write_transaction():
        known = [
            pk
            for group in groups
            for pk in workers.filter(external_id__in=group).values_list("pk", flat=True)
        ]
        known.sort()
        # In the order of their ids, like everybody who locks several: so nobody waits in a circle.
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
                        completed=records[name].completed,
                        approval=records[name].approval,
                    )
                    for name in group
                ],
                update_conflicts=True,
                unique_fields=["project", "provider", "external_id"],
                update_fields=["completed", "approval"],
            )
    return len(names) - len(known)
