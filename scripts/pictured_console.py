"""What a manager sees of the photographed site: batches, forecasts, jobs, workers, the log, a crowd."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING

from scripts.pictured_crowd import PAGES as CROWD
from scripts.pictured_crowd import make_crowd
from scripts.pictured_review import USER
from scripts.pictured_site import FAST, FREE, SETTINGS

if TYPE_CHECKING:
    from annotation.models import Project

PAGES = (
    *("batches", "batch-new", "batch-new-known", "batch-new-paid", "batch-new-fast", "batch-copy"),
    *("batch-settings", "batch-forecast", "batch-launch", "batch-links"),
    *("batch-pause", "batch-cancel", "batch-delete", "batch-questions"),
    *("fast-batch", "fast-forecast", "fast-gallery", "fast-instructions"),
    *("project-new", "project-settings", "project-delete", "projects-archived"),
    *("import", "import-failed", "jobs", "job", "exports", "snapshot", "evaluate", "evaluation-report"),
    *("statistics", "agreement", "priors"),
    *("own-instructions", "own-instructions-stage", "own-instructions-preview"),
    *("workers", "worker-judgments", "audit", "list-judgments", "list-users", "user", "password"),
    *CROWD,
)


EXPORT_SECONDS = 120


class Managed:
    """A draft, an export and statistics in the site's project.

    They are made when the first page that shows them is wanted.
    """

    def __init__(self, project_name: str) -> None:
        self.project_name = project_name

    @cached_property
    def paths(self) -> dict[str, str]:
        """Return the address below /admin/ of each page."""
        from django.contrib.auth import get_user_model
        from django.core.files.base import ContentFile
        from django.utils import timezone

        from annotation.models import Batch, Chain, Judgment, Project
        from workflows.analysis.counts.refresh import count_due
        from workflows.analysis.dataset_statistics import keep_statistics, want_statistics
        from workflows.batch_settings.domain.settings import parse_settings
        from workflows.batches.lifecycle import create_batch
        from workflows.core.audit_log import record_action
        from workflows.jobs.domain.jobs import EvaluationAsked, ExportAsked, ImportAsked
        from workflows.jobs.job_queue import start_job
        from workflows.jobs.models import Snapshot
        from workflows.jobs.run_job import run_job
        from workflows.jobs.uploads import CORPUS, keep_upload
        from workflows.priors.fit_prior import fit_prior
        from workflows.projects.lifecycle import archive_project, create_project
        from workflows.questions.images import free_images
        from workflows.questions.make import promote_chains

        now = timezone.now()
        project = Project.objects.get(name=self.project_name)
        launched = Batch.objects.get(project=project, name="under-way")
        free = Project.objects.get(name=FREE)
        crowd = make_crowd(free, project, USER)
        some = free_images(free).order_by("pk").values_list("pk", flat=True)[:2]
        draft = create_batch(project=free, name="winter", settings=parse_settings(SETTINGS), images=some)
        fast = Project.objects.get(name=FAST)
        working = Batch.objects.get(project=fast, name="under-way")
        finished = Chain.objects.filter(work__batch__project=fast, work__state="done").order_by("pk")
        promote_chains(chain_ids=list(finished.values_list("pk", flat=True)), by=USER, now=now)
        archive_project(project_id=create_project(name="tried-out").pk, now=now)
        worker = Judgment.objects.filter(item__work__batch=launched).order_by("pk")[0].worker_id
        job, _ = start_job(
            project=project,
            asked=ExportAsked("flickr30k-entities", include_unfinished=True, pictures=True),
            by=USER,
            now=now,
        )
        run_job(job_id=job.pk, clock=timezone.now)  # unless the site's own worker was faster
        sheet = ContentFile(b"Foto;Satz\na.jpg;A man .\n", name="captions.csv")
        upload = keep_upload({CORPUS: [sheet]}, now=now)
        failed, _ = start_job(project=project, asked=ImportAsked(upload=upload), by=USER, now=now)
        run_job(job_id=failed.pk, clock=timezone.now)
        until = time.monotonic() + EXPORT_SECONDS
        while not (version := Snapshot.objects.filter(job=job).first()):
            job.refresh_from_db()
            if job.error or time.monotonic() > until:
                raise RuntimeError(f"the export is {job.state}: {job.error}")
            time.sleep(0.2)
        reports = [
            start_job(project=project, asked=EvaluationAsked(version.pk, task=task), by=USER, now=now)[0]
            for task in ("localization", "components")
        ]
        for evaluated in reports:
            run_job(job_id=evaluated.pk, clock=timezone.now)
        for one in (project, free, fast):
            count_due(clock=timezone.now, project_id=one.pk, force=True)
        want_statistics(project=project, source="gold", batch=None, now=now)
        want_statistics(project=project, source="agreement", batch=None, now=now)
        for source in ("gold", "agreement"):
            keep_statistics(project_id=project.pk, source=source, batch_id=None, clock=timezone.now)
        for action, batch in (("batch.create", draft), ("batch.launch", launched), ("batch.pause", launched)):
            record_action(by=USER, action=action, now=now, project=project, kind="batch", object=batch.name)
        _write_instructions(free)
        fit_prior(project=project, by=USER, now=now)
        user = get_user_model().objects.get(username=USER)
        ours, own = f"projects/{project.pk}", f"batches/{launched.pk}"
        theirs = f"projects/{free.pk}"
        return {
            "batches": f"{ours}/batches/",
            "batch-new": f"{theirs}/batches/new/",
            "batch-new-known": f"{theirs}/batches/new/?preset=known",
            "batch-new-paid": f"{theirs}/batches/new/?preset=paid",
            "batch-new-fast": f"{ours}/batches/new/?preset=known&protocol=entities-fast",
            "batch-copy": f"{own}/clone/",
            "batch-settings": f"batches/{draft.pk}/settings/",
            "batch-forecast": f"{own}/forecast/",
            "batch-launch": f"batches/{draft.pk}/launch/",
            "batch-links": f"{own}/links/",
            "batch-pause": f"{own}/pause/",
            "batch-cancel": f"{own}/cancel/",
            "batch-delete": f"batches/{draft.pk}/delete/",
            "batch-questions": f"{theirs}/batches/questions/",
            "fast-batch": f"batches/{working.pk}/",
            "fast-forecast": f"batches/{working.pk}/forecast/",
            "fast-gallery": f"review/projects/{fast.pk}/proposed-questions/",
            "fast-instructions": f"projects/{fast.pk}/instructions/boxes/",
            "project-new": "projects/new/",
            "project-settings": f"{ours}/settings/",
            "project-delete": f"{ours}/delete/",
            "projects-archived": "projects/archived/",
            "import": f"{ours}/import/",
            "import-failed": f"jobs/{failed.pk}/",
            "jobs": f"{ours}/jobs/",
            "job": f"jobs/{job.pk}/",
            "exports": f"{ours}/exports/",
            "snapshot": f"snapshots/{version.pk}/",
            "evaluate": f"snapshots/{version.pk}/evaluate/",
            "evaluation-report": f"jobs/{reports[0].pk}/report/",
            "statistics": f"{ours}/statistics/?source=gold",
            "agreement": f"{ours}/agreement/",
            "priors": f"{ours}/priors/",
            "own-instructions": f"{theirs}/instructions/",
            "own-instructions-stage": f"{theirs}/instructions/drawing/",
            "own-instructions-preview": f"{theirs}/instructions/drawing/preview/",
            "workers": f"review/worker/?project={project.pk}",
            "worker-judgments": f"review/worker/{worker}/judgments/",
            "audit": "audit/",
            "list-judgments": "annotation/judgment/",
            "list-users": "auth/user/",
            "user": f"auth/user/{user.pk}/change/",
            "password": "password_change/",
            **crowd,
        }


def _write_instructions(project: Project) -> None:
    """Let the project have its own instructions for drawing, with a good and a bad example."""
    from django.utils import timezone

    from annotation.models import Image
    from workflows.instructions.domain import parse_content
    from workflows.instructions.versions import save_instructions

    image = Image.objects.in_use().filter(project=project).exclude(file="").order_by("pk")[0]
    width, height = image.width or 0, image.height or 0
    view, box = [0, 0, width, height], [width // 4, height // 4, width // 2, 3 * height // 4]
    example = {"image": image.pk, "view": view, "words": ["a thing"]}
    content = {
        "texts": {"en": "Draw one box round one thing.\n\n- All of it is inside\n- Every side touches it"},
        "usual_examples": False,
        "examples": [
            {**example, "boxes": [box], "good": True, "why": {"en": "Every side touches it."}},
            {**example, "boxes": [view], "good": False, "why": {"en": "The box is far too wide."}},
        ],
    }
    save_instructions(
        project_id=project.pk,
        stage="drawing",
        content=parse_content(content, "drawing"),
        based_on=0,
        by=USER,
        now=timezone.now(),
    )
