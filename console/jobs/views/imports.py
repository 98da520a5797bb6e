"""The pages on which a project is created, and on which a corpus is imported into it."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from annotation.formats.captions.spreadsheet import EXAMPLE
from annotation.formats.recognition import PHOTOGRAPHS
from annotation.models import Caption, Project
from annotation.transactions import write_transaction
from console.common.access import managing, overseeing
from console.common.pages import acted, page, read_number, user_name
from console.jobs.forms import ImportForm, ProjectForm, blame, too_large
from console.jobs.labels import STATES, name_of
from console.jobs.received import PICTURES_OF, KeptPictures, Received, kept_pictures, received
from workflows.core.contacts import ContactError
from workflows.jobs.domain.jobs import ImportAsked, JobError
from workflows.jobs.job_queue import start_job
from workflows.jobs.models import Job
from workflows.jobs.uploads import MAX_PICTURES, TOO_MANY_PICTURES, kept_upload
from workflows.projects.lifecycle import ProjectError, create_project
from workflows.tasks import hint_jobs

RECENT = 5
DRY, AT_ONCE = "dry-run", "import"


@managing
def new_project(request: HttpRequest) -> HttpResponse:
    """Create a project, then go on to its import page."""
    form = ProjectForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            with write_transaction():
                project = create_project(**form.cleaned_data)
                acted(request, "project.create", project)
            return redirect("jobs:import", project.pk)
        except ProjectError as error:
            form.add_error(error.field or None, str(error))
        except ContactError as error:
            form.add_error("contact", f"It {str(error).partition(': ')[2]}.")
    return page(request, "jobs/new_project.html", {"form": form}, title="New project")


@overseeing
@csrf_exempt
def import_corpus(request: HttpRequest, pk: int) -> HttpResponse:
    """Upload a corpus or name its location, and start a dry run or an import.

    The token against forged requests is part of the body. So it is looked for only here, after it is known
    who asks and how much there is to read, and not by the middleware, which would take in any body first.
    """
    project = get_object_or_404(Project, pk=pk)
    if said := too_large(request, "upload it in parts, or name a place"):
        return _refused(request, project, said)
    try:
        return _import(request, project)
    except TooManyFilesSent:
        return _refused(request, project, TOO_MANY_PICTURES)


def _refused(request: HttpRequest, project: Project, said: str, *, status: int = 413) -> HttpResponse:
    """Say why an upload cannot be taken, such as one that is too large and was not read."""
    context = _context(project, ImportForm()) | {"refused": said}
    return page(request, "jobs/import.html", context, title="Import", status=status)


@csrf_protect
def _import(request: HttpRequest, project: Project) -> HttpResponse:
    asked = request.POST if request.method == "POST" else request.GET
    kept = kept_pictures(project, read_number(asked, PICTURES_OF))
    if request.method != "POST":
        return page(request, "jobs/import.html", _context(project, ImportForm(), kept), title="Import")
    if asked.get(PICTURES_OF) and kept is None:
        return _refused(
            request, project, "The photographs are not kept any more: choose them again.", status=409
        )
    try:
        got = received(request, project)
    except JobError as error:
        return _refused(request, project, str(error), status=409)
    form = ImportForm(got.data, got.files, pictures_kept=kept is not None)
    if form.is_valid():
        try:
            job = _started(request, project, form, got, kept)
        except JobError as error:
            blame(form, error)
        else:
            hint_jobs()
            return redirect("jobs:job", job.pk)
    return page(request, "jobs/import.html", _context(project, form, kept), title="Import")


def _context(project: Project, form: ImportForm, kept: KeptPictures | None = None) -> dict[str, object]:
    context = {
        "project": project,
        "place": "import",
        "form": form,
        "limit": settings.MAX_UPLOAD_BYTES,
        "piece_bytes": settings.PIECE_BYTES,
        "most_pictures": MAX_PICTURES,
        "example": EXAMPLE,
        "photographs": PHOTOGRAPHS,
        "captioned": Caption.objects.filter(image__project=project).exists(),
        "kept": kept,
        "pictures_of": PICTURES_OF,
    }
    before = Job.objects.filter(project=project, kind=Job.Kind.IMPORT).defer("problems").order_by("-pk")
    recent = [(job, name_of(job), STATES[job.state]) for job in before[:RECENT]]
    return {**context, "dry": DRY, "at_once": AT_ONCE, "recent": recent}


def _started(
    request: HttpRequest, project: Project, form: ImportForm, got: Received, kept: KeptPictures | None
) -> Job:
    """Start the job. Raises JobError; then no file of this request is kept."""
    data, now = form.cleaned_data, timezone.now()
    asked_for = ("place", "format", "as_gold", "strict", "any_language", "keep_metadata")
    options = {name: data[name] for name in asked_for}
    dry_run = request.POST.get("action") != AT_ONCE
    earlier = kept.upload if kept and not data["pictures"] else ""
    with kept_upload(form.files_by_part(), now=now, sent=got.sent, pictures_of=earlier) as upload:
        asked = ImportAsked(upload=upload, **options)
        with write_transaction():
            by = user_name(request)
            job, new = start_job(project=project, asked=asked, by=by, now=now, dry_run=dry_run)
            if new:
                acted(request, "import.start", job, project, name_of(job), dry_run=dry_run, **options)
    return job
