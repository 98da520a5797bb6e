"""Show a project's models, add one, end its tokens, and take its answers back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone

from annotation.models import ModelVersion, Project
from console.common.access import overseeing
from console.common.forms import NoteForm
from console.common.pages import acted, page, user_name
from console.judges.forms import ModelForm
from console.judges.page import parts_of
from workflows.api.model_views import make_model_token
from workflows.judges.distrust import distrust_model
from workflows.judges.versions import ModelVersionError, add_model, end_tokens
from workflows.tasks import hint_advance

MODELS_SHOWN = 30
"""The newest models that a page lists."""


@overseeing
def models(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the models, the newest first. A POST adds one, and shows its token on the page that follows."""
    project = get_object_or_404(Project, pk=pk)
    form = ModelForm(request.POST or None, label_suffix="")
    if request.method == "POST" and form.is_valid():
        try:
            model, new = add_model(project=project, now=timezone.now(), **form.cleaned_data)
        except ModelVersionError as error:
            form.add_error(error.field if error.field in form.fields else None, error.message)
        else:
            if new:
                acted(request, "model.add", model, project)
            return _show(request, project, ModelForm(label_suffix=""), token_of=model)
    return _show(request, project, form, status=422 if form.errors else 200)


def _show(
    request: HttpRequest,
    project: Project,
    form: ModelForm,
    *,
    token_of: ModelVersion | None = None,
    status: int = 200,
) -> HttpResponse:
    found = ModelVersion.objects.filter(project=project).order_by("-pk")[:MODELS_SHOWN]
    context = {
        "project": project,
        "place": "batches",
        "crumbs": [("Batches", reverse("batches:list", args=[project.pk]))],
        "parts": parts_of(found, project.batches.order_by("pk")),
        "form": form,
        "token_of": token_of,
        "token": make_model_token(token_of) if token_of else "",
    }
    return page(request, "judges/project.html", context, title="Models", status=status)


@overseeing
def model(request: HttpRequest, pk: int) -> HttpResponse:
    """End the tokens of a model, or take its answers back. Both go back to the list."""
    found = get_object_or_404(ModelVersion.objects.select_related("project"), pk=pk)
    back = redirect("judges:project", found.project_id)
    if request.method != "POST":
        return back
    if "end-tokens" in request.POST:
        end_tokens(model=found)
        acted(request, "model.end-tokens", found, found.project)
        messages.success(request, f"No token of {found} is valid any more. Add it again for a new one.")
        return back
    form = NoteForm(request.POST)
    if not form.is_valid() or not form.cleaned_data["note"].strip():
        messages.error(request, "Nothing was changed: say why its answers are taken back.")
        return back
    weighed = distrust_model(
        model=found, by=user_name(request), note=form.cleaned_data["note"], now=timezone.now()
    )
    acted(request, "model.distrust", found, found.project, answers=weighed)
    hint_advance()
    messages.success(
        request,
        f"No answer of {found} counts any more. {weighed:,} did; workers are asked where it had settled "
        "something.",
    )
    return back
