"""Show, edit, preview and restore the instructions of a project."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone

from annotation.domain.protocols import ALL_STAGES
from annotation.models import Image, InstructionsVersion, Project
from console.common.access import may_manage, overseeing, viewing
from console.common.assets import INSTRUCTIONS, PREVIEW, built
from console.common.keyset import first_rows
from console.common.labels import STAGES, say_error
from console.common.pages import acted, page, read_number, user_name
from console.instructions.setup import content_of, editor_setup, photograph, preview_setup
from workflows.analysis.counts.targets import stages_used
from workflows.instructions.domain import Content, InstructionsError, parse_content, with_photographs
from workflows.instructions.selectors import newest, newest_by_stage, usable_photographs
from workflows.instructions.versions import (
    NoSuchVersionError,
    StaleInstructionsError,
    restore_instructions,
    save_instructions,
)

VERSIONS = 30
"""How many versions a page lists."""
PHOTOGRAPHS = 24
"""How many photographs the editor offers at a time."""


@viewing
def stages(request: HttpRequest, pk: int) -> HttpResponse:
    """List the stages, and say whose instructions each has."""
    project = get_object_or_404(Project, pk=pk)
    versions = newest_by_stage(pk)
    context = {
        "project": project,
        "place": "instructions",
        "rows": [
            (stage, STAGES[stage].capitalize(), versions.get(stage)) for stage in stages_used(project_id=pk)
        ],
    }
    return page(request, "instructions/list.html", context, title="Instructions")


@overseeing
def stage(request: HttpRequest, pk: int, stage: str) -> HttpResponse:
    """Show a stage's instructions and their versions. A POST saves them as JSON, or restores a version."""
    project = _project(pk, stage)
    if request.method == "POST":
        if "restore" in request.POST:
            return _restore(request, project, stage)
        return _save(request, project, stage)
    versions = InstructionsVersion.objects.filter(project=project, stage=stage).defer("content")
    before = read_number(request.GET, "before")
    if before:
        versions = versions.filter(number__lt=before)
    rows, more = first_rows(versions.order_by("-number"), VERSIONS)
    current = newest(pk, stage)
    context = {
        "project": project,
        "place": "instructions",
        "stage": stage,
        "name": STAGES[stage],
        "current": current,
        "content": content_of(current),
        "rows": rows,
        "more": rows[-1].number if more else None,
        "setup": editor_setup(project, stage, current) if may_manage(request) else None,
        "script": built(INSTRUCTIONS),
        "crumbs": [("Instructions", reverse("instructions:list", args=[pk]))],
    }
    return page(request, "instructions/stage.html", context, title=STAGES[stage].capitalize())


def _save(request: HttpRequest, project: Project, stage: str) -> HttpResponse:
    try:
        data = json.loads(request.body)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or not _is_number(data.get("based_on")):
        return JsonResponse(
            {"error": "The instructions were sent in another form than this page has."}, status=422
        )
    try:
        saved, created = save_instructions(
            project_id=project.pk,
            stage=stage,
            content=parse_content(data.get("content"), stage),
            based_on=data["based_on"],
            by=user_name(request),
            now=timezone.now(),
            also=lambda made: acted(request, "instructions.save", project, stage=stage, version=made.number),
        )
    except InstructionsError as error:
        return JsonResponse({"field": error.field, "error": say_problem(error)}, status=422)
    except StaleInstructionsError as error:
        return JsonResponse({"error": str(error), "newest": error.newest.number}, status=409)
    if created and saved:
        messages.success(request, f"Version {saved.number} is saved. Workers see it on their next page.")
    else:
        messages.info(request, "Nothing was changed.")
    return JsonResponse({"next": reverse("instructions:stage", args=[project.pk, stage])})


def _restore(request: HttpRequest, project: Project, stage: str) -> HttpResponse:
    number = read_number(request.POST, "restore") or 0
    try:
        made, created = restore_instructions(
            project_id=project.pk,
            stage=stage,
            number=number,
            by=user_name(request),
            now=timezone.now(),
            also=lambda made: acted(
                request,
                "instructions.restore",
                project,
                stage=stage,
                version=made.number,
                restored=number,
            ),
        )
    except NoSuchVersionError:
        messages.error(request, "There is no such version.")
    else:
        if created:
            messages.success(
                request, f"Version {made.number} says what version {number} said. Workers see it from now on."
            )
        else:
            messages.info(request, "Nothing was changed: workers see this already.")
    return redirect("instructions:stage", project.pk, stage)


@overseeing
def preview(request: HttpRequest, pk: int, stage: str) -> HttpResponse:
    """Show a worker's page with the newest instructions, or a version; a POST shows what is being edited."""
    project = _project(pk, stage)
    version, problem = newest(pk, stage), ""
    content, says = content_of(version), "Preview of the built-in instructions. Nothing is sent."
    if request.method == "POST":
        says = "Preview of what is not saved yet. Nothing is sent."
        try:
            content = _draft(request, project, stage)
        except InstructionsError as error:
            problem = say_problem(error)
    else:
        if wanted := read_number(request.GET, "version"):
            version = get_object_or_404(InstructionsVersion, project=project, stage=stage, number=wanted)
            content = content_of(version)
        if version:
            says = f"Preview of version {version.number}. Nothing is sent."
    context = {
        "project": project,
        "name": STAGES[stage],
        "problem": problem,
        "setup": None
        if problem
        else preview_setup(
            project,
            stage,
            content,
            number=version.number if version else 0,
            says=says,
            now=timezone.now(),
        ),
        "script": built(PREVIEW),
    }
    return render(request, "instructions/preview.html", context, status=422 if problem else 200)


def _draft(request: HttpRequest, project: Project, stage: str) -> Content:
    """Return what is being edited. Raise InstructionsError."""
    try:
        data = json.loads(request.POST.get("content", ""))
    except (ValueError, RecursionError):
        raise InstructionsError("", "There is nothing to preview.") from None
    content = parse_content(data, stage)
    return with_photographs(content, usable_photographs(project.pk, content))


@viewing
def photographs(request: HttpRequest, pk: int) -> JsonResponse:
    """Return some of the project's photographs, by name, for the editor."""
    project = get_object_or_404(Project, pk=pk)
    images = Image.objects.in_use().filter(
        project=project, width__isnull=False, height__isnull=False, name__gt=request.GET.get("after", "")
    )
    if name := request.GET.get("name", "").strip():
        images = images.filter(name__startswith=name)
    rows, more = first_rows(images.exclude(file="").order_by("name"), PHOTOGRAPHS)
    return JsonResponse(
        {"images": [photograph(image) for image in rows], "more": rows[-1].name if more else ""}
    )


def say_problem(error: InstructionsError) -> str:
    """Return the error as a sentence that names the field as the page does."""
    head, _, rest = error.field.partition(".")
    name, _, place = head.rstrip("]").partition("[")
    words: Any = {
        "texts": {"en": "The English text", "de": "The German text"}.get(rest, "The text"),
        "examples": f"Example {int(place) + 1}" if place else "The list of examples",
    }
    subject = words.get(name, "")
    if name == "examples" and rest:
        part = rest.partition(".")[0].partition("[")[0]
        subject += f": {_PARTS.get(part, 'it')}"
    return say_error("", f"{subject} {error.message}") if subject else say_error("", error.message)


_PARTS = {
    "image": "the image",
    "view": "the part to show",
    "boxes": "the boxes",
    "good": "good or bad",
    "why": "the reason",
    "words": "the marked words",
}


def _project(pk: int, stage: str) -> Project:
    if stage not in ALL_STAGES:
        raise Http404
    return get_object_or_404(Project, pk=pk)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
