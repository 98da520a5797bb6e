"""The audit log keeps what researchers did, on pages, by commands and at login."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from annotation.models import Project
from annotation.transactions import write_transaction
from workflows.core.models import AuditEntry
from workflows.core.seals import Log

AUDIT = Log("audit", AuditEntry)


def record_action(
    *,
    by: str,
    action: str,
    now: datetime,
    project: Project | None = None,
    kind: str = "",
    object: str = "",
    object_id: object = "",
    detail: Mapping[str, Any] | None = None,
    address: str | None = None,
) -> AuditEntry:
    """Write one action to the audit log and return its entry.

    If the action changes anything, call this in the same transaction. `detail` must not hold secrets.
    """
    with write_transaction():
        return AuditEntry.objects.create(
            by=by[:150],
            action=action,
            project=project,
            kind=kind,
            object=object.replace("\0", "")[:200],
            object_id=str(object_id)[:40],
            detail=dict(detail or {}),
            address=address,
            created_at=now,
        )
