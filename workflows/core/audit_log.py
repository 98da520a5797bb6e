"""The audit log: what a researcher did, by whatever way."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from annotation.models import Project
from annotation.transactions import write_transaction
from workflows.core.models import AuditEntry


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
    """Keep one action, in the transaction of what it did where there is one. No secrets in `detail`."""
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
