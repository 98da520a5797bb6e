"""The pages of a project's settings, of its deletion, and of the archived projects."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone

from annotation.models import Project
from console.common.access import managing, viewing
from console.common.keyset import keyset_page
from console.common.pages import acted, page, read_number
from console.common.reach import reach_of
from console.jobs.forms import ProjectForm
from workflows.core.contacts import ContactError
from workflows.projects.erasure import content_of
from workflows.projects.lifecycle import (
    ProjectError,
    archive_project,
    change_project,
    delete_project,
    restore_project,
)
from workflows.tasks import hint_erase

ROWS = 50


@viewing
def archived(request: HttpRequest) -> HttpResponse:
    """List the archived projects, the newest first."""
    rows = Project.objects.filter(reach_of(request).rows("pk"), archived_at__isnull=False)
    found = keyset_page(rows, ROWS, before=read_number(request.GET, "before") or 0)
    context = {"rows": found.rows, "more": found.next}
    return page(request, "projects/archived.html", context, title="Archived projects")


@managing
def settings(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the project's settings. A POST changes them, or archives or restores the project.

    `?batch=` names a draft to whose launch its page goes back after they are saved.
    """
    project = get_object_or_404(Project, pk=pk)
    if request.method != "POST":
        form = ProjectForm(initial=_settings_of(project))
        return _show(request, project, form)
    if request.POST.get("action") in ("archive", "restore"):
        return _move(request, project, request.POST["action"])
    form = ProjectForm(request.POST)
    if not form.is_valid():
        return _show(request, project, form, status=422)
    before = _settings_of(project)
    if form.cleaned_data == before:
        messages.info(request, "Nothing was changed.")
        return _after(request, project)
    changes: dict[str, Any] = {
        f"{field} {when}": value[field]
        for field in before
        for when, value in (("before", before), ("now", form.cleaned_data))
        if form.cleaned_data[field] != before[field]
    }
    try:
        change_project(
            project_id=pk,
            **form.cleaned_data,
            also=lambda: acted(request, "project.change", project, **changes),
        )
    except ProjectError as error:
        form.add_error(error.field or None, str(error))
    except ContactError as error:
        form.add_error("contact", f"It {str(error).partition(': ')[2]}.")
    if form.errors:
        return _show(request, project, form, status=422)
    messages.success(request, "The settings were saved.")
    return _after(request, project)


def _after(request: HttpRequest, project: Project) -> HttpResponse:
    """Go back to the launch that the settings were changed for, or to the settings."""
    if launched := project.batches.filter(pk=read_number(request.GET, "batch") or 0).first():
        return redirect("batches:move", launched.pk, "launch")
    return redirect("projects:settings", project.pk)


def _settings_of(project: Project) -> dict[str, str]:
    return {"name": project.name, "contact": project.contact, "language": project.language}


def _move(request: HttpRequest, project: Project, action: str) -> HttpResponse:
    """Archive or restore the project."""
    try:
        if action == "archive":
            archive_project(
                project_id=project.pk,
                now=timezone.now(),
                also=lambda: acted(request, "project.archive", project),
            )
            messages.success(request, f"{project.name} was archived. You find it under Archived projects.")
            return redirect("admin:index")
        restore_project(project_id=project.pk, also=lambda: acted(request, "project.restore", project))
        messages.success(request, f"{project.name} was restored.")
    except ProjectError as error:
        messages.error(request, str(error))
    return redirect("projects:settings", project.pk)


@managing
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what the project's deletion erases and keeps. A POST with the project's name deletes it."""
    project = Project.objects.filter(pk=pk).first()
    if project is None:
        raise Http404
    content = content_of(project)
    context = {"project": project, "content": content, "error": ""}
    if request.method == "POST":
        try:
            delete_project(
                project_id=pk,
                typed=request.POST.get("name", ""),
                now=timezone.now(),
                also=lambda: acted(
                    request,
                    "project.delete",
                    project,
                    images=content.images,
                    judgments=content.judgments,
                    judgments_at=content.judgments_at and content.judgments_at.isoformat(),
                ),
            )
        except ProjectError as error:
            context["error"] = str(error)
            return page(request, "projects/delete.html", context, title=_title(project), status=422)
        hint_erase()
        messages.success(request, f"{project.name} was deleted. Its files are being erased.")
        return redirect("admin:index")
    return page(request, "projects/delete.html", context, title=_title(project))


def _title(project: Project) -> str:
    return f"Delete {project.name}?"


def _show(request: HttpRequest, project: Project, form: ProjectForm, *, status: int = 200) -> HttpResponse:
    context = {"project": project, "place": "settings", "form": form}
    return page(request, "projects/settings.html", context, title="Settings", status=status)
