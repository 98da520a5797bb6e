"""The page on which pairs to judge are chosen: what systems rank first, or all that share enough words."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from annotation.models import Caption, Project
from annotation.transactions import write_transaction
from console.common.access import managing
from console.common.pages import acted, page, user_name
from console.jobs.forms import PairsForm, blame, too_large
from console.jobs.labels import STATES, asked_of, name_of, remaining_of
from console.jobs.received import Received, received
from workflows.jobs.domain.jobs import JobError
from workflows.jobs.job_queue import start_job
from workflows.jobs.models import Job
from workflows.jobs.upload_storage import GRADES, PREDICTIONS
from workflows.jobs.uploads import kept_upload
from workflows.tasks import hint_jobs

ROWS = 20


@managing
@csrf_exempt
def pairs(request: HttpRequest, pk: int) -> HttpResponse:
    """Show which pairs were chosen, and choose others.

    The token against forged requests is looked for only here, for the same reason as in `import_corpus`.
    """
    project = get_object_or_404(Project, pk=pk)
    if said := too_large(request, "pack the files with gzip"):
        return _page(request, project, PairsForm(), refused=said)
    return _choose(request, project)


@csrf_protect
def _choose(request: HttpRequest, project: Project) -> HttpResponse:
    if request.method != "POST":
        return _page(request, project, PairsForm())
    try:
        got = received(request, project)
    except JobError as error:
        return _page(request, project, PairsForm(), refused=str(error))
    form = PairsForm(got.data, got.files)
    if form.is_valid():
        try:
            job = _started(request, project, form, got)
        except JobError as error:
            blame(form, error, {"upload": "predictions"})
        else:
            hint_jobs()
            return redirect("jobs:job", job.pk)
    return _page(request, project, form)


def _started(request: HttpRequest, project: Project, form: PairsForm, got: Received) -> Job:
    """Start the job. Raises JobError; then no file of this request is kept."""
    now, data = timezone.now(), form.cleaned_data
    files = {PREDICTIONS: data["predictions"], GRADES: [data["grades"]] if data["grades"] else []}
    with kept_upload(files, now=now, sent=got.sent) as upload:
        asked = form.asked(upload)
        with write_transaction():
            job, new = start_job(project=project, asked=asked, by=user_name(request), now=now)
            if new:
                acted(request, "pairs.choose", job, project, name_of(job), **dict(asked_of(job)))
    return job


def _page(request: HttpRequest, project: Project, form: PairsForm, *, refused: str = "") -> HttpResponse:
    jobs = Job.objects.filter(project=project, kind=Job.Kind.PAIRS).defer("problems").order_by("-pk")[:ROWS]
    captions = Caption.objects.in_use().filter(image__project=project, image__withdrawn_at__isnull=True)
    context = {
        "project": project,
        "place": "batches",
        "crumbs": [("Batches", reverse("batches:list", args=[project.pk]))],
        "crumb": "Pairs to judge",
        "captions": captions.exists(),
        "form": form,
        "refused": refused,
        "limit": settings.MAX_UPLOAD_BYTES,
        "piece_bytes": settings.PIECE_BYTES,
        "rows": [
            (job, name_of(job), dict(asked_of(job)).get("pairs", ""), STATES[job.state], remaining_of(job))
            for job in jobs
        ],
    }
    status = 413 if refused else 422 if form.errors else 200
    return page(request, "jobs/pairs.html", context, title="Pairs to judge", status=status)
