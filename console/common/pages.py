"""What the console's pages have in common."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from annotation.models import Decision, Project
from console.common.access import advises, may_decide, may_manage
from console.common.reach import MANAGE, Reach, held_in
from workflows.core.audit_log import record_action
from workflows.core.client_addresses import client_address
from workflows.core.models import AuditEntry


def page(
    request: HttpRequest, template: str, context: dict[str, Any], *, title: str, status: int = 200
) -> HttpResponse:
    """Render a page of the console from a template that extends `console/base.html`.

    `project` in the context, where there is one, shows the project's navigation; `place` names the entry
    of it that is current. A list that is filtered by a project offers what one may manage in it.
    """
    project = context.get("project")
    manages = may_manage(request)
    if not manages and isinstance(project, Project):
        manages = MANAGE in held_in(request, project.pk)
    everything = {
        **admin.site.each_context(request),
        "title": title,
        "may_decide": may_decide(request),
        "may_manage": manages,
        "advisor": advises(request),
        **context,
    }
    return render(request, template, everything, status=status)


def user_name(request: HttpRequest) -> str:
    """Return the user's name as decisions and the audit log store it."""
    return request.user.get_username()


def project_named(pk: int | None, reach: Reach) -> Project | None:
    """Return the project that a list is filtered by, so that its page shows the project's tabs; or None."""
    return Project.objects.filter(reach.rows("pk"), pk=pk).first() if pk is not None else None


def project_names(reach: Reach) -> list[tuple[int, str]]:
    """Return the ids and names of the projects that a list can be filtered by."""
    return list(Project.objects.filter(reach.rows("pk")).order_by("name").values_list("pk", "name"))


def read_number(data: Any, name: str) -> int | None:
    """Return the number under this name, or None if it is missing or not a number."""
    value = data.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None


def digest(lines: Sequence[str]) -> str:
    """Return a short text by which a form says what its page told."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def say_done(request: HttpRequest, text: str, decision: Decision | None) -> None:
    """Tell the user what was done, with a link to undo the decision that did it."""
    if decision is None:
        messages.success(request, text)
        return
    address = reverse("review:undo", args=[decision.pk])
    messages.success(request, format_html('{} <a href="{}">Undo</a>', text, address))


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
