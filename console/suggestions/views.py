"""Show a project's sets of suggestions, look through one, and preview and import a file of boxes."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from annotation.domain.suggested import MAX_FILE
from annotation.models import Batch, Project, SuggestionSet
from annotation.selectors import all_type_names
from annotation.transactions import write_transaction
from console.common.access import deciding, overseeing, viewing
from console.common.pages import acted, page, read_number, user_name
from console.jobs.forms import blame, too_large
from console.jobs.labels import STATES, asked_of, name_of
from console.jobs.received import received
from console.jobs.suggested import suggested
from console.suggestions.forms import ChoiceForm, UploadForm
from console.suggestions.phrases import ORDERS, Wanted, phrases
from console.suggestions.sets import rows_of
from workflows.jobs.domain.jobs import JobError, SuggestionsAsked, parse_options
from workflows.jobs.job_queue import start_job
from workflows.jobs.models import Job
from workflows.jobs.upload_storage import PREDICTIONS
from workflows.jobs.uploads import kept_upload
from workflows.limits.stops import ResumeError, resume_suggestions
from workflows.suggestions.selectors import stops_of
from workflows.tasks import hint_jobs

SETS, RECENT = 50, 5
"""The newest sets and jobs that the page lists."""


@overseeing
@csrf_exempt
def sets(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the sets. A POST starts a preview of a file, or another one of a file that was uploaded.

    The token against forged requests is looked for only here, for the same reason as in `import_corpus`.
    """
    project = get_object_or_404(Project, pk=pk)
    if said := too_large(request, "pack the boxes with gzip, or make several sets"):
        return _page(request, project, UploadForm(project=project), refused=said)
    return _preview(request, project)


@csrf_protect
def _preview(request: HttpRequest, project: Project) -> HttpResponse:
    if request.method != "POST":
        return _page(request, project, UploadForm(project=project))
    if "before" in request.POST:
        return _again(request, project)
    try:
        got = received(request, project, {PREDICTIONS: "boxes"})
    except JobError as error:
        return _page(request, project, UploadForm(project=project), refused=str(error))
    form = UploadForm(got.data, got.files, project=project)
    if form.is_valid():
        files = {PREDICTIONS: [form.cleaned_data["boxes"]]}
        try:
            with kept_upload(files, now=timezone.now(), sent=got.sent) as upload:
                job = _started(request, project, form.asked(upload))
        except JobError as error:
            blame(form, error, {"upload": "boxes", PREDICTIONS: "boxes"})
        else:
            return redirect("jobs:job", job.pk)
    return _page(request, project, form)


def _again(request: HttpRequest, project: Project) -> HttpResponse:
    """Start another preview of the same upload, with other numbers."""
    text = request.POST["before"]
    pk = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
    previews = Job.objects.filter(project=project, kind=Job.Kind.SUGGESTIONS, dry_run=True)
    before = get_object_or_404(previews, pk=pk)
    form = ChoiceForm(request.POST)
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        messages.error(request, f"{form.fields[name].label}: {errors[0]}")
        return redirect("jobs:job", before.pk)
    try:
        asked = replace(parse_options(SuggestionsAsked, before.options), **form.cleaned_data)
        job = _started(request, project, asked)
    except JobError as error:
        messages.error(request, str(error))
        return redirect("jobs:job", before.pk)
    return redirect("jobs:job", job.pk)


def _started(request: HttpRequest, project: Project, asked: SuggestionsAsked) -> Job:
    """Start the preview. Raises JobError."""
    with write_transaction():
        job, new = start_job(
            project=project, asked=asked, by=user_name(request), now=timezone.now(), dry_run=True
        )
        if new:
            acted(request, "suggestions.preview", job, project, name_of(job), **dict(asked_of(job)))
    hint_jobs()
    return job


def _page(request: HttpRequest, project: Project, form: UploadForm, *, refused: str = "") -> HttpResponse:
    found = SuggestionSet.objects.filter(project=project).select_related("model").order_by("-number")
    jobs = Job.objects.filter(project=project, kind=Job.Kind.SUGGESTIONS).defer("problems", "outcome")
    context = {
        "project": project,
        "place": "batches",
        "crumbs": [("Batches", reverse("batches:list", args=[project.pk]))],
        "crumb": "Suggested boxes",
        "rows": rows_of(found[:SETS], project.batches.order_by("pk")),
        "form": form,
        "models": len(form.fields["model"].choices),  # type: ignore[attr-defined]
        "refused": refused,
        "limit": min(settings.MAX_UPLOAD_BYTES, MAX_FILE),
        "piece_bytes": settings.PIECE_BYTES,
        "recent": [(job, name_of(job), STATES[job.state]) for job in jobs.order_by("-pk")[:RECENT]],
    }
    status = 413 if refused else 422 if form.errors else 200
    return page(request, "suggestions/project.html", context, title="Suggested boxes", status=status)


@deciding
@require_POST
def resume(request: HttpRequest, pk: int) -> HttpResponse:
    """Let suggestions be shown again that a `stop` switched off in a batch, or for one of its workers."""
    batch = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    back = redirect("dashboards:batch", pk)
    stop = read_number(request.POST, "stop")
    found = next((one for one in stops_of(batch) if one.pk == stop), None)
    if found is None:
        messages.error(request, "Nothing was changed: suggestions were not switched off like this here.")
        return back
    about = found.worker or batch
    try:
        decision = resume_suggestions(
            stop_id=found.pk,
            by=user_name(request),
            note=request.POST.get("note", ""),
            now=timezone.now(),
            also=lambda _: acted(request, "suggestions.resume", about, batch.project),
        )
    except ResumeError as error:
        messages.error(request, f"Nothing was changed: the note {error.message}.")
        return back
    if decision is None:
        messages.info(request, "Nothing to do: somebody has decided this before.")
    else:
        messages.success(request, "Pages that are claimed from now on show suggestions again.")
    return back


@viewing
@require_safe
def one_set(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show a set: what is in it, and its phrases with their boxes, filtered and in an order."""
    found = get_object_or_404(
        SuggestionSet.objects.select_related("project", "model"), project=pk, number=number
    )
    wanted = Wanted.read(request.GET, scored=found.report.get("scored", True))
    (row,) = rows_of([found], found.project.batches.order_by("pk"))
    context = {
        "project": found.project,
        "place": "batches",
        "crumbs": [("Suggested boxes", reverse("suggestions:project", args=[pk]))],
        "crumb": f"Set {number}",
        "row": row,
        "suggested": suggested(found.report),
        "wanted": wanted,
        "orders": ORDERS.items(),
        "types": all_type_names(pk),
        "found": phrases(found, wanted, request.GET.get("after", "")),
    }
    return page(request, "suggestions/set.html", context, title=f"Set {number}")
