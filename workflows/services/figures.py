"""What a crowd platform says of a worker: screening goes by it (docs/protocol.md, "Quality control")."""

from __future__ import annotations

from annotation.models import Worker
from annotation.transactions import write_transaction
from workflows.services.workers import lock_worker


def set_figures(*, worker_id: int, completed: int | None, approval: float | None) -> None:
    """Keep what the platform says of the worker: tasks finished, and the share (0 to 1) of them approved.

    None where it says nothing. Raises ValueError for numbers that are none of the kind.
    """
    if completed is not None and completed < 0:
        raise ValueError("completed: must be 0 or more tasks")
    if approval is not None and not 0 <= approval <= 1:
        raise ValueError("approval: must be a share from 0 to 1")
    with write_transaction():
        lock_worker(worker_id, may_be_blocked=True)
        Worker.objects.filter(pk=worker_id).update(completed=completed, approval=approval)
