"""Enrol workers in a project, and block or unblock them when a researcher decides so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from annotation.models import Case, Decision, Judgment, Project, Worker
from annotation.transactions import write_transaction
from workflows.workers.sign_ins import end_sign_ins

OWN = "me"
"""The direct worker as whom a researcher tries the tasks: `make serve` prints this worker's links."""

_WORKER = "SELECT project_id, blocked FROM annotation_worker WHERE id = %s"
"""Finds the worker to lock. Every claim and submission sends it, so it is written by hand."""


def only_trying() -> Q:
    """Return a condition of workers: it is the researcher, who has a link and has not answered anything."""
    answered = Judgment.objects.filter(worker=OuterRef("pk"))
    return Q(~Exists(answered), external_id=OWN, provider="direct")


def enrol_worker(*, project: Project, external_id: str, provider: str = "direct") -> Worker:
    """Return the worker whom the provider knows by `external_id` (at most 128 characters).

    The first call creates the worker.
    """
    with write_transaction():
        worker, _ = Worker.objects.get_or_create(project=project, provider=provider, external_id=external_id)
    return worker


def enrol_workers(*, project: Project, external_ids: Sequence[str], provider: str = "direct") -> list[Worker]:
    """Return these workers in the given order, as `enrol_worker` does, in two statements."""
    with write_transaction():
        new = (Worker(project=project, provider=provider, external_id=name) for name in external_ids)
        Worker.objects.bulk_create(new, ignore_conflicts=True)
        found = Worker.objects.filter(project=project, provider=provider, external_id__in=external_ids)
        by_name = {worker.external_id: worker for worker in found}
    return [by_name[name] for name in external_ids]


class WorkerBlockedError(Exception):
    """The worker is blocked or unknown, and may not take work."""


def lock_worker(worker_id: int, *, may_be_blocked: bool = False) -> int:
    """Lock the worker until the transaction ends, and return the project's id.

    Raises WorkerBlockedError for an unknown worker, and for a blocked one unless `may_be_blocked`.

    The lock lets claims and submissions of one worker happen one after another: a claim never sees half a
    submission.
    """
    lock = "FOR NO KEY UPDATE" if connection.features.has_select_for_update else ""
    with connection.cursor() as cursor:
        cursor.execute(f"{_WORKER} {lock}", [worker_id])
        found = cursor.fetchone()
    if found is None or (found[1] and not may_be_blocked):
        raise WorkerBlockedError
    return int(found[0])


def check_worker(worker_id: int) -> None:
    """Raise WorkerBlockedError if the worker is unknown or blocked."""
    if not Worker.objects.filter(pk=worker_id, blocked=False).exists():
        raise WorkerBlockedError


def block_worker(*, worker_id: int, by: str, note: str, now: datetime) -> Decision | None:
    """Give the worker no new work, and return the decision; None if the worker is blocked already.

    The worker's sign-ins end, cases about their trust and pace are closed, and earlier answers count. A page
    in hand can still be submitted by a worker who came from a platform, or with a new token. Raises
    WorkerBlockedError for an unknown worker.
    """
    return _set(worker_id, Decision.Kind.BLOCK, by, note, now)


def unblock_worker(*, worker_id: int, by: str, note: str, now: datetime) -> Decision | None:
    """Let the worker work again with a new token, and return the decision; None if they are not blocked.

    Raises WorkerBlockedError for an unknown worker.
    """
    return _set(worker_id, Decision.Kind.UNBLOCK, by, note, now)


def _set(worker_id: int, kind: Decision.Kind, by: str, note: str, now: datetime) -> Decision | None:
    with write_transaction():
        project_id = lock_worker(worker_id, may_be_blocked=True)
        blocked = kind == Decision.Kind.BLOCK
        if not Worker.objects.filter(pk=worker_id, blocked=not blocked).update(blocked=blocked):
            return None
        if blocked:
            end_sign_ins(worker_id=worker_id)
        decision = Decision.objects.create(
            project_id=project_id, kind=kind, by=by, note=note, worker_id=worker_id, created_at=now
        )
        if blocked:
            # They ask what to do about the worker, and this is decided now.
            about = Case.objects.filter(worker=worker_id, reason__in=Case.ABOUT_WORKERS)
            about.filter(closed_at=None).update(closed_at=now, decision=decision)
        return decision
