"""The pages on which versions of the data set are made, shown and downloaded."""

from __future__ import annotations

import base64
import json

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.models import Image, ImageWork, Project
from annotation.transactions import write_transaction
from console.common.access import overseeing, viewing
from console.common.keyset import keyset_page
from console.common.pages import acted, page, read_number, user_name
from console.jobs.forms import ExportForm, blame
from console.jobs.labels import FORMATS, STATES, asked_of, changes_of, exported_counts, extent_of, name_of
from workflows.core.byte_ranges import part_of
from workflows.jobs.domain.jobs import UNFINISHED, JobError
from workflows.jobs.job_queue import start_job
from workflows.jobs.models import Job, Snapshot
from workflows.tasks import hint_jobs

ROWS = 30
LINK_SECONDS = 300
_NO_COUNTS: dict[str, int | None] = dict.fromkeys(("images", "chains", "boxes"))


@overseeing
def exports(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the versions, the newest first, and a form that starts the next export."""
    project = get_object_or_404(Project, pk=pk)
    form = ExportForm(request.POST if request.method == "POST" else None, project=project)
    if request.method == "POST" and form.is_valid():
        try:
            with write_transaction():
                asked = form.asked()
                by, now = user_name(request), timezone.now()
                job, new = start_job(project=project, asked=asked, by=by, now=now)
                if new:
                    acted(request, "export.start", job, project, name_of(job), **form.cleaned_data)
        except JobError as error:
            blame(form, error)
        else:
            hint_jobs()
            return redirect("jobs:job", job.pk)
    versions = Snapshot.objects.filter(project=project).select_related("job")
    found = keyset_page(versions, ROWS, before=read_number(request.GET, "before"), key="version")
    waiting = Job.objects.filter(project=project, kind=Job.Kind.EXPORT, state__in=UNFINISHED).order_by("pk")
    context = {
        "project": project,
        "place": "exports",
        "form": form,
        "rows": [
            (one, extent_of(one.job), _NO_COUNTS | one.manifest.get("counts", {})) for one in found.rows
        ],
        "more": found.next,
        "images": _images(project),
        "waiting": [(job, name_of(job), STATES[job.state]) for job in waiting[:ROWS]],
    }
    return page(request, "jobs/exports.html", context, title="Exports")


def _images(project: Project) -> dict[str, int]:
    """Count the images of the project, and those that are done. Two queries."""
    done = ImageWork.objects.grounding().filter(
        batch__project=project, active=True, state=ImageWork.State.DONE
    )
    return {
        "all": Image.objects.filter(project=project, withdrawn_at=None).count(),
        "done": done.filter(image__withdrawn_at=None).count(),
    }


@viewing
@require_safe
def snapshot(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what is in a version, and what changed since the one before."""
    found = get_object_or_404(Snapshot.objects.select_related("project", "job", "batch"), pk=pk)
    left_out = [
        (kind, reason, count)
        for kind, reasons in found.manifest.get("left_out", {}).items()
        for reason, count in reasons.items()
    ]
    context = {
        "project": found.project,
        "place": "exports",
        "crumbs": [("Exports", reverse("jobs:exports", args=[found.project_id]))],
        "crumb": f"Version {found.version}",
        "snapshot": found,
        "format": FORMATS.get(found.format, found.format),
        "asked": asked_of(found.job),
        "counts": exported_counts(found.manifest.get("counts", {})),
        "left_out": left_out,
        "not_in_format": sorted(found.manifest.get("not_in_format", {}).items()),
        "written_but": sorted(found.manifest.get("written_but", {}).items()),
        "unresolved": sorted(found.manifest.get("unresolved", {}).items()),
        "changes": changes_of(found.changes),
        "manifest": json.dumps(found.manifest, indent=2, ensure_ascii=False),
    }
    return page(request, "jobs/snapshot.html", context, title=f"Version {found.version}")


@viewing
@require_safe
def download(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Stream the archive or a part of it, or redirect to a link to the bucket that works for five minutes."""
    found = get_object_or_404(Snapshot.objects.select_related("project"), pk=pk)
    name = f"{found.project.name}-v{found.version}-{found.format}.zip"
    if not settings.IMAGES_ARE_LOCAL:
        if request.method != "GET":  # the link is as good as the file
            return HttpResponse(content_type="application/zip")
        says = {
            "ResponseContentDisposition": f'attachment; filename="{name}"',
            "ResponseContentType": "application/zip",
        }
        address = default_storage.url(str(found.file), parameters=says, expire=LINK_SECONDS)  # type: ignore[call-arg]
        _told(request, found)
        return redirect(address)
    try:
        file = default_storage.open(str(found.file))
    except FileNotFoundError as error:
        raise Http404("the archive is not there any more") from error
    _told(request, found)
    reply = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    reply["Cache-Control"] = "private, no-store"
    reply["Repr-Digest"] = f"sha-256=:{base64.b64encode(bytes.fromhex(found.sha256)).decode()}:"  # RFC 9530
    reply["ETag"] = f'"{found.sha256}"'
    return part_of(request, reply)


def _told(request: HttpRequest, found: Snapshot) -> None:
    if request.method == "GET":
        acted(request, "snapshot.download", found, found.project, f"version {found.version}")
