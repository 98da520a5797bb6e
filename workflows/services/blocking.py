"""Whether a worker may take work at all: decided by a researcher, and kept as a decision."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Decision, Worker
from annotation.transactions import write_transaction
from workflows.services.workers import lock_worker


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
