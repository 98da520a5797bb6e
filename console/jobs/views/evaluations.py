"""The pages on which a version of the data set is evaluated, and the reports on it."""

from __future__ import annotations

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_safe

from annotation.transactions import write_transaction
from console.common.access import overseeing, viewing
from console.common.pages import acted, page, user_name
from console.jobs.forms import EvaluationForm, blame, too_large
from console.jobs.labels import STATES, TASKS, figures_of, name_of
from console.jobs.received import Received, received
from evaluation.report.page import POLICY
from workflows.jobs.domain.jobs import COMPONENTS, EvaluationAsked, JobError, parse_options
from workflows.jobs.job_queue import NOT_EVALUATED, start_job
from workflows.jobs.models import Job, Snapshot
from workflows.jobs.reports import MAX_REPORT, REPORTED
from workflows.jobs.upload_storage import PREDICTIONS
from workflows.jobs.uploads import kept_upload
from workflows.tasks import hint_jobs

ROWS = 50
REPORT_POLICY = f"{POLICY}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""What a report may do: show itself. It has names from uploaded files, which are escaped, and no script."""


@overseeing
@csrf_exempt
def evaluate(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the reports on a version, and start an evaluation, with uploaded predictions or without.

    The token against forged requests is looked for only here, for the same reason as in `import_corpus`.
    """
    version = get_object_or_404(Snapshot.objects.select_related("project"), pk=pk)
    if said := too_large(request, "pack the predictions with gzip"):
        return _page(request, version, EvaluationForm(), refused=said)
    return _evaluate(request, version)


@csrf_protect
def _evaluate(request: HttpRequest, version: Snapshot) -> HttpResponse:
    if request.method != "POST":
        return _page(request, version, EvaluationForm())
    try:
        got = received(request, version.project)
    except JobError as error:
        return _page(request, version, EvaluationForm(), refused=str(error))
    form = EvaluationForm(_DATASET if "dataset" in request.POST else got.data, got.files)
    if form.is_valid():
        try:
            job = _started(request, version, form, got)
        except JobError as error:
            blame(form, error, {"upload": "predictions"})
        else:
            hint_jobs()
            return redirect("jobs:job", job.pk)
    return _page(request, version, form)


_DATASET = {"task": COMPONENTS, "rule": "merged", "iou": 0.5}
"""The answers of the form for the report on the data set itself."""


def _started(request: HttpRequest, version: Snapshot, form: EvaluationForm, got: Received) -> Job:
    """Start the job. Raises JobError; then no file of this request is kept."""
    file, now = form.cleaned_data["predictions"], timezone.now()
    with kept_upload({PREDICTIONS: [file] if file else []}, now=now, sent=got.sent) as upload:
        asked = form.asked(version.pk, upload)
        with write_transaction():
            by = user_name(request)
            job, new = start_job(project=version.project, asked=asked, by=by, now=now)
            if new:
                name = f"version {version.version}"
                said = {"task": asked.task, "file": asked.file, "rule": asked.rule, "iou": asked.iou}
                acted(request, "snapshot.evaluate", version, version.project, name, **said)
    return job


def _page(
    request: HttpRequest, version: Snapshot, form: EvaluationForm, *, refused: str = ""
) -> HttpResponse:
    exports = reverse("jobs:exports", args=[version.project_id])
    context = {
        "project": version.project,
        "place": "exports",
        "crumbs": [
            ("Exports", exports),
            (f"Version {version.version}", reverse("jobs:snapshot", args=[version.pk])),
        ],
        "crumb": "Evaluate",
        "snapshot": version,
        "unreadable": version.format in NOT_EVALUATED,
        "form": form,
        "refused": refused,
        "limit": settings.MAX_UPLOAD_BYTES,
        "piece_bytes": settings.PIECE_BYTES,
        "rows": [_row(job) for job in evaluations_of(version)],
    }
    status = 413 if refused else 422 if form.errors else 200
    return page(request, "jobs/evaluate.html", context, title="Evaluate", status=status)


def evaluations_of(version: Snapshot) -> list[Job]:
    """Return the newest evaluations of a version. One query."""
    jobs = Job.objects.filter(project=version.project_id, kind=Job.Kind.EVALUATION)
    return list(jobs.filter(options__version=version.pk).defer("problems").order_by("-pk")[:ROWS])


def _row(job: Job) -> dict[str, object]:
    try:
        asked = parse_options(EvaluationAsked, job.options)
        what, file = TASKS[asked.task], asked.file
    except JobError:
        what, file = "", ""
    return {
        "job": job,
        "name": name_of(job),
        "what": what,
        "file": file,
        "state": STATES[job.state],
        "done": job.state == Job.State.DONE,
        "figures": figures_of(job),
    }


def version_of(job: Job) -> Snapshot | None:
    """Return the version that an evaluation is about. One query."""
    return Snapshot.objects.filter(project=job.project_id, pk=job.options.get("version")).first()


@viewing
@require_safe
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the page of a report, as the command writes it."""
    reply = HttpResponse(_stored(pk, "html"), content_type="text/html; charset=utf-8")
    reply["Content-Security-Policy"] = REPORT_POLICY
    reply["Cache-Control"] = "private, no-store"
    return reply


@viewing
@require_safe
def report_numbers(request: HttpRequest, pk: int) -> HttpResponse:
    """Download the numbers of a report as JSON."""
    reply = HttpResponse(_stored(pk, "json"), content_type="application/json")
    reply["Content-Disposition"] = f'attachment; filename="evaluation-{pk}.json"'
    reply["Cache-Control"] = "private, no-store"
    return reply


def _stored(pk: int, kind: str) -> bytes:
    """Return a file of an evaluation that is done. Raises Http404."""
    job = get_object_or_404(Job, pk=pk, kind__in=REPORTED, state=Job.State.DONE)
    try:
        with default_storage.open(str(job.outcome.get(kind, ""))) as file:
            content: bytes = file.read(MAX_REPORT + 1)
    except (FileNotFoundError, OSError) as error:
        raise Http404("the report is not there any more") from error
    return content
