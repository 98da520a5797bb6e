"""Workers: who may answer for a project."""

from __future__ import annotations

from annotation.models import Project, Worker


def enrol(*, project: Project, external_id: str, provider: str = "direct") -> Worker:
    """The worker a provider knows by `external_id` (at most 128 characters); made on the first call."""
    worker, _ = Worker.objects.get_or_create(project=project, provider=provider, external_id=external_id)
    return worker


class WorkerBlockedError(Exception):
    """The worker may not take or submit work."""


def lock_worker(worker_id: int) -> int:
    """Lock the worker for this transaction; returns the project's id. Raises WorkerBlockedError.

    Claims and submissions of one worker happen one after another: a claim never sees half a submission.
    """
    found = (
        Worker.objects.select_for_update(no_key=True)
        .filter(pk=worker_id)
        .values_list("project_id", "blocked")
        .first()
    )
    if found is None or found[1]:
        raise WorkerBlockedError
    return found[0]
