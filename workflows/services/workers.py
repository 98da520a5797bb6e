"""Workers: who may answer for a project."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.models import Project, Worker
from annotation.transactions import write_transaction


def enrol(*, project: Project, external_id: str, provider: str = "direct") -> Worker:
    """The worker a provider knows by `external_id` (at most 128 characters); made on the first call."""
    with write_transaction():
        worker, _ = Worker.objects.get_or_create(project=project, provider=provider, external_id=external_id)
    return worker


def enrol_all(*, project: Project, external_ids: Sequence[str], provider: str = "direct") -> list[Worker]:
    """The same for many, in their order: two statements, however many they are."""
    with write_transaction():
        new = (Worker(project=project, provider=provider, external_id=name) for name in external_ids)
        Worker.objects.bulk_create(new, ignore_conflicts=True)
        found = Worker.objects.filter(project=project, provider=provider, external_id__in=external_ids)
        by_name = {worker.external_id: worker for worker in found}
    return [by_name[name] for name in external_ids]


class WorkerBlockedError(Exception):
    """The worker may not take work."""


def lock_worker(worker_id: int, *, may_be_blocked: bool = False) -> int:
    """Lock the worker for this transaction; returns the project's id.

    Raises WorkerBlockedError for an unknown worker, and for a blocked one unless that does not matter.

    Claims and submissions of one worker happen one after another: a claim never sees half a submission.
    """
    found = (
        Worker.objects.select_for_update(no_key=True)
        .filter(pk=worker_id)
        .values_list("project_id", "blocked")
        .first()
    )
    if found is None or (found[1] and not may_be_blocked):
        raise WorkerBlockedError
    return found[0]


def check_worker(worker_id: int) -> None:
    """Raises WorkerBlockedError for an unknown or a blocked worker."""
    if not Worker.objects.filter(pk=worker_id, blocked=False).exists():
        raise WorkerBlockedError
