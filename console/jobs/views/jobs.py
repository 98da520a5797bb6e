"""The jobs of a project, and one of them."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.domain.protocols import Campaign
from annotation.formats.captions.spreadsheet import EXAMPLE
from annotation.models import Image, Project
from annotation.transactions import write_transaction
from console.common.access import may_manage, overseeing, viewing
from console.common.keyset import keyset_page
from console.common.pages import acted, page, read_number, user_name
from console.jobs.labels import STATES, asked_of, counts_of, exported_counts, followed, name_of
from console.jobs.received import PICTURES_OF, kept_pictures
from console.jobs.suggested import suggested
from console.jobs.views.evaluations import version_of
from workflows.jobs.domain.jobs import JobError, can_move
from workflows.jobs.job_queue import cancel_job, import_after, resume_job
from workflows.jobs.models import Job, Snapshot
from workflows.jobs.reports import REPORTED
from workflows.questions.images import free_images
from workflows.tasks import hint_jobs

ROWS = 30
PROBLEMS = 50
NAMED = 20
"""So many images without a photograph are named."""
CRUMBS = {
    "jobs:exports": "Exports",
    "jobs:import": "Import",
    "jobs:pairs": "Pairs to judge",
    "suggestions:project": "Suggested boxes",
}


@viewing
@require_safe
def jobs(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the project's jobs, the newest first."""
    project = get_object_or_404(Project, pk=pk)
    of_project = Job.objects.filter(project=project).defer("problems", "outcome")
    found = keyset_page(of_project, ROWS, before=read_number(request.GET, "before"))
    context = {
        "project": project,
        "place": "import",
        "rows": [(job, name_of(job), STATES[job.state]) for job in found.rows],
        "more": found.next,
    }
    return page(request, "jobs/jobs.html", context, title="Jobs")


@overseeing
def job(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a job's progress, problems and outcome. A POST cancels, resumes, or imports after a dry run."""
    found = get_object_or_404(Job.objects.select_related("project"), pk=pk)
    if request.method == "POST":
        return _act(request, found)
    first = min(read_number(request.GET, "problems") or 0, len(found.problems))
    done = found.state == Job.State.DONE
    exporting, evaluating = found.kind == Job.Kind.EXPORT, found.kind == Job.Kind.EVALUATION
    reported, choosing = found.kind in REPORTED, found.kind == Job.Kind.PAIRS
    suggesting = found.kind == Job.Kind.SUGGESTIONS
    counts = exported_counts if exporting else counts_of
    imported = _imported(found) if found.dry_run else None
    home = _home(found)
    landed = found.kind == Job.Kind.IMPORT and done and not found.dry_run
    bare = Image.objects.in_use().filter(project=found.project_id, file="")
    followed_up = found.state in (Job.State.DONE, Job.State.FAILED) and may_manage(request)
    context = {
        "project": found.project,
        "place": {"jobs:exports": "exports", "jobs:import": "import"}.get(home, "batches"),
        "crumbs": [(CRUMBS[home], reverse(home, args=[found.project_id]))],
        "crumb": name_of(found),
        "job": found,
        "exporting": exporting,
        "asked": asked_of(found),
        "now": followed(found, timezone.now()),
        "counts": counts(found.outcome) if done and not reported and not suggesting else [],
        "suggesting": suggesting,
        "suggested": suggested(found.outcome.get("report", {})) if suggesting else None,
        "set": found.outcome.get("set"),
        "evaluated": version_of(found) if evaluating else None,
        "choosing": choosing,
        "figures": found.outcome.get("figures", ()) if done and reported else (),
        "to_ground": home == "jobs:import" and done and free_images(found.project).exists(),
        "to_describe": landed and _to_describe(found.project),
        "uncaptioned": found.outcome.get("uncaptioned", 0) if done else 0,
        "uncaptioned_names": found.outcome.get("uncaptioned_names", []),
        "unpictured": found.outcome.get("unpictured", 0) if done else 0,
        "unpictured_names": found.outcome.get("unpictured_names", []),
        "bare": bare.count() if landed else 0,
        "bare_images": bare.order_by("name").only("name")[:NAMED] if landed else (),
        "similar_names": found.outcome.get("similar_names", {}),
        "other_files": _other_files(found) if home == "jobs:import" and followed_up else "",
        "long_captions": found.outcome.get("long_captions", 0) if done else 0,
        "long_caption": found.outcome.get("long_caption", ""),
        "example": EXAMPLE if found.state == Job.State.FAILED and found.kind == Job.Kind.IMPORT else "",
        "problems": found.problems[first : first + PROBLEMS],
        "first": first + 1,
        "last": min(first + PROBLEMS, len(found.problems)),
        "kept": len(found.problems),
        "earlier": max(first - PROBLEMS, 0) if first else None,
        "later": first + PROBLEMS if first + PROBLEMS < len(found.problems) else None,
        "snapshot": Snapshot.objects.filter(job=found).first() if done and exporting else None,
        "may_cancel": can_move("cancel", found.state) and not found.cancel_asked,
        "may_resume": can_move("resume", found.state),
        "imported": imported,
        "may_import": done and found.dry_run and not found.outcome.get("refused") and not imported,
    }
    return page(request, "jobs/job.html", context, title=name_of(found))


def _to_describe(project: Project) -> bool:
    """Return whether captions can be collected for any photograph."""
    return free_images(project, Campaign.CAPTIONS).exclude(file="").exists()


def _home(job: Job) -> str:
    """Return the name of the page on which jobs like this one are started."""
    kinds: dict[str, str] = {
        Job.Kind.EXPORT: "jobs:exports",
        Job.Kind.EVALUATION: "jobs:exports",
        Job.Kind.PAIRS: "jobs:pairs",
        Job.Kind.SUGGESTIONS: "suggestions:project",
    }
    return kinds.get(job.kind, "jobs:import")


def _other_files(job: Job) -> str:
    """Return the address at which other files can be chosen, while the photographs of an upload are kept."""
    address = reverse("jobs:import", args=[job.project_id])
    kept = kept_pictures(job.project, job.pk)
    return f"{address}?{urlencode({PICTURES_OF: job.pk})}" if kept else address


def _imported(dry_run: Job) -> Job | None:
    """Return the import made from a dry run's upload, which is deleted after that; None if there is none."""
    if dry_run.kind == Job.Kind.SUGGESTIONS:
        sets = Job.objects.filter(project=dry_run.project_id, kind=dry_run.kind, dry_run=False)
        return sets.filter(state=Job.State.DONE, options__upload=dry_run.options["upload"]).first()
    imports = Job.objects.filter(project=dry_run.project_id, kind=Job.Kind.IMPORT, state=Job.State.DONE)
    return imports.filter(options__after=dry_run.pk).first() if dry_run.options.get("upload") else None


def _act(request: HttpRequest, found: Job) -> HttpResponse:
    action, now = request.POST.get("action", ""), timezone.now()
    try:
        with write_transaction():
            if action == "cancel":
                changed = cancel_job(job=found, now=now)
                acted(request, "job.cancel", found, found.project, name_of(found))
            elif action == "resume":
                changed = resume_job(job=found)
                acted(request, "job.resume", found, found.project, name_of(found))
            elif action == "import":
                changed, new = import_after(job=found, by=user_name(request), now=now)
                if new:
                    acted(request, "import.start", changed, found.project, name_of(changed), dry_run=False)
            else:
                raise JobError("", "Choose what to do with the job.")
    except JobError as error:
        messages.error(request, str(error))
        return redirect("jobs:job", found.pk)
    hint_jobs()
    return redirect("jobs:job", changed.pk)


@viewing
@require_safe
def progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the job's progress as JSON. The page's script asks for it every second."""
    found = get_object_or_404(Job.objects.defer("problems", "outcome", "options"), pk=pk)
    reply = JsonResponse(followed(found, timezone.now()))
    reply["Cache-Control"] = "no-store"
    return reply
