"""Writing what a user does on a page into the audit log."""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from django.http import HttpRequest
from django.utils import timezone

from annotation.models import Project
from console.common.pages import user_name
from workflows.core.audit_log import record_action
from workflows.core.client_addresses import client_address
from workflows.core.models import AuditEntry


def acted(
    request: HttpRequest,
    action: str,
    obj: Model | None = None,
    project: Project | None = None,
    name: str = "",
    **detail: Any,
) -> AuditEntry:
    """Log that the request's user did `action` to `obj`. Call it within the action's transaction, if any.

    `name` is what people call the object, where its own words say only a number. `detail` must fit into
    JSON, and holds no secret.
    """
    if project is None and isinstance(obj, Project):
        project = obj
    return record_action(
        by=user_name(request),
        action=action,
        now=timezone.now(),
        project=project,
        kind=str(obj._meta.model_name)[:24] if obj is not None else "",
        object=name or (str(obj) if obj is not None else ""),
        object_id=obj.pk if obj is not None else "",
        detail=detail,
        address=client_address(request),
    )
