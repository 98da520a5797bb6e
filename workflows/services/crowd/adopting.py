"""Pages that workers whom we pay submitted before there was a ledger: owed only if somebody says so.

Whoever was paid by other means before the upgrade must not be in the next payroll.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time

from annotation.models import Assignment, Project
from annotation.transactions import write_transaction
from workflows.core.audit_log import record_action


def adopt_pages(*, project: Project, before: date | None, by: str, now: datetime) -> int:
    """Owe the project's pages of before the ledger, or those submitted before a day (UTC); returns how many.

    `earning` brings them into the ledger, with its own time: they are in the payroll of these days.
    """
    pages = Assignment.objects.filter(batch__project=project, owed=None, state=Assignment.State.SUBMITTED)
    if before is not None:
        pages = pages.filter(submitted_at__lt=datetime.combine(before, time(), UTC))
    with write_transaction():
        adopted = pages.update(owed=True)
        if adopted:
            record_action(
                by=by,
                action="earnings.adopt",
                now=now,
                project=project,
                kind="project",
                object=project.name,
                object_id=project.pk,
                detail={"pages": adopted, "before": before and before.isoformat()},
            )
    return adopted
