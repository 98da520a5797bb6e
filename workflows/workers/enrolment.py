"""Workers: who may answer for a project, and blocking them, which a researcher decides."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from annotation.models import Decision, Project, Worker
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


def block(*, worker_id: int, by: str, note: str, now: datetime) -> Decision | None:
    """Give the worker no new work; pages in hand can still be submitted, and what was answered counts.

    None where the worker was blocked already. Raises WorkerBlockedError for an unknown worker.
    """
    return _set(worker_id, Decision.Kind.BLOCK, by, note, now)


def unblock(*, worker_id: int, by: str, note: str, now: datetime) -> Decision | None:
    """Let the worker work again; None where nothing stood against it. Errors as in `block`."""
    return _set(worker_id, Decision.Kind.UNBLOCK, by, note, now)


def _set(worker_id: int, kind: Decision.Kind, by: str, note: str, now: datetime) -> Decision | None:
    with write_transaction():
        project_id = lock_worker(worker_id, may_be_blocked=True)
        blocked = kind == Decision.Kind.BLOCK
        if not Worker.objects.filter(pk=worker_id, blocked=not blocked).update(blocked=blocked):
            return None
        return Decision.objects.create(
            project_id=project_id, kind=kind, by=by, note=note, worker_id=worker_id, created_at=now
        )
