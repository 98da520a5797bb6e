"""Show, change and restore a project's own types of mentions."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone

from annotation.domain.own_types import MAX_LABEL, TypesError, from_json
from annotation.domain.types import TYPES
from annotation.models import Project, TypesVersion
from console.common.access import may_manage, overseeing
from console.common.keyset import first_rows
from console.common.labels import say_error
from console.common.pages import acted, page, read_number, user_name
from console.mention_types.form import Row, read_rows, rows_of, types_of_rows, with_blank
from evaluation.dataset import MAX_TYPE
from workflows.mention_types.versions import (
    NoSuchVersionError,
    StaleTypesError,
    newest,
    restore_types,
    save_types,
)

VERSIONS = 30
"""How many versions a page lists."""


@overseeing
def types(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the project's own types and their versions. A POST saves them, or restores a version."""
    project = get_object_or_404(Project, pk=pk)
    if request.method == "POST":
        return _restore(request, project) if "restore" in request.POST else _save(request, project)
    current = newest(pk)
    rows = rows_of(from_json(current.content) if current else ())
    return _show(request, project, rows, based_on=current.number if current else 0)


def _save(request: HttpRequest, project: Project) -> HttpResponse:
    based_on = read_number(request.POST, "based_on") or 0
    rows = read_rows(request.POST)
    try:
        saved, created = save_types(
            project_id=project.pk,
            types=types_of_rows(rows),
            based_on=based_on,
            by=user_name(request),
            now=timezone.now(),
            also=lambda made: acted(request, "types.save", project, version=made.number),
        )
    except TypesError as error:
        # A row's own error stands at its field.
        wrong = say_error(error.field, error.message) if error.message else ""
        return _show(request, project, rows, based_on=based_on, error=wrong, status=422)
    except StaleTypesError as error:
        said = (
            f"{error.newest.by} saved version {error.newest.number} meanwhile; you find it below. Your types "
            "are not saved yet: save them again to put them in its place."
        )
        return _show(request, project, rows, based_on=error.newest.number, error=said, status=409)
    if created and saved:
        messages.success(
            request, f"Version {saved.number} is saved. Captions that come from now on are typed by it."
        )
    else:
        messages.info(request, "Nothing was changed.")
    return redirect("types:project", project.pk)


def _restore(request: HttpRequest, project: Project) -> HttpResponse:
    number = read_number(request.POST, "restore") or 0
    try:
        made, created = restore_types(
            project_id=project.pk,
            number=number,
            by=user_name(request),
            now=timezone.now(),
            also=lambda made: acted(request, "types.restore", project, version=made.number, restored=number),
        )
    except NoSuchVersionError:
        messages.error(request, "There is no such version.")
    else:
        if created:
            messages.success(request, f"Version {made.number} says what version {number} said.")
        else:
            messages.info(request, "Nothing was changed: the newest version says this already.")
    return redirect("types:project", project.pk)


def _show(
    request: HttpRequest,
    project: Project,
    rows: Sequence[Row],
    *,
    based_on: int,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    versions = TypesVersion.objects.filter(project=project)
    if before := read_number(request.GET, "before"):
        versions = versions.filter(number__lt=before)
    current = newest(project.pk)
    found, more = first_rows(versions.order_by("-number"), VERSIONS)
    context = {
        "project": project,
        "place": "settings",
        "crumbs": [("Settings", reverse("projects:settings", args=[project.pk]))]
        if may_manage(request)
        else [],
        "current": current,
        "own": from_json(current.content) if current else (),
        "rows": with_blank(rows) if may_manage(request) else rows,
        "based_on": based_on,
        "error": error,
        "wrong": error or any(row.errors for row in rows),
        "eight": TYPES,
        "longest": MAX_TYPE,
        "longest_label": MAX_LABEL,
        "versions": [(one, from_json(one.content)) for one in found],
        "more": found[-1].number if more else None,
    }
    return page(request, "mention_types/project.html", context, title="Types of mentions", status=status)
