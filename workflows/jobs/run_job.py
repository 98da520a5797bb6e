"""Run a job from its beginning to its end, and delete what jobs have left behind."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from datetime import datetime

from django.db import InterfaceError, OperationalError

from annotation.exporting.folder import ExportError
from annotation.formats.recognition import NotRecognised
from annotation.importing.corpus import StrictError
from annotation.importing.splits import SplitError
from workflows.jobs.domain.archives import ArchiveError
from workflows.jobs.domain.jobs import UNFINISHED, JobError
from workflows.jobs.evaluations import run_evaluation
from workflows.jobs.exports import run_export
from workflows.jobs.fetch import folder_name, forget_old_folders
from workflows.jobs.imports import forget_imported, run_import, strict_refusal
from workflows.jobs.job_queue import take_job
from workflows.jobs.models import Job
from workflows.jobs.pair_choices import run_pair_choice
from workflows.jobs.reports import REPORTED, forget_left_reports, forget_predictions
from workflows.jobs.run_progress import Run, RunLost, RunStopped
from workflows.jobs.snapshots import forget_left
from workflows.jobs.suggestion_imports import run_suggestion_import
from workflows.jobs.upload_storage import forget_upload, old_uploads
from workflows.jobs.uploads import forget_incoming
from workflows.jobs.work_folders import forget_work

logger = logging.getLogger(__name__)

UNFORESEEN = (
    "An unexpected error stopped the job ({}); the worker's log has the details. Resume the job when its "
    "cause is gone: what was imported stays."
)


def run_job(*, job_id: int, clock: Callable[[], datetime]) -> str | None:
    """Run the job if nobody does. Return the state that it ends in, or None if another run has or takes it.

    Errors are written into the job. Only if the database is away, the error is raised, and another run takes
    over later.
    """
    runner = secrets.token_hex(8)
    job = take_job(job_id=job_id, runner=runner, now=clock())
    if job is None:
        return None
    run = Run(job, runner, clock)
    logger.info("job %d (%s): attempt %d", job.pk, job.kind, job.attempts)
    try:
        state = _run(run)
    except RunLost as error:
        logger.warning("job: %s", error)
        return None
    logger.info("job %d (%s): %s", job.pk, job.kind, state)
    if state == Job.State.DONE and job.kind == Job.Kind.IMPORT:
        forget_imported(run)
    elif state == Job.State.DONE and not job.dry_run and job.kind in (*REPORTED, Job.Kind.SUGGESTIONS):
        forget_predictions(run)
    return state


def _run(run: Run) -> str:
    try:
        if run.job.kind == Job.Kind.EXPORT:
            run_export(run)
        elif run.job.kind == Job.Kind.EVALUATION:
            run_evaluation(run)
        elif run.job.kind == Job.Kind.PAIRS:
            run_pair_choice(run)
        elif run.job.kind == Job.Kind.SUGGESTIONS:
            run_suggestion_import(run)
        else:
            outcome = run_import(run)
            run.end(Job.State.DONE, outcome=outcome)
        return Job.State.DONE
    except RunStopped:
        run.end(Job.State.CANCELLED)
        return Job.State.CANCELLED
    except (RunLost, OperationalError, InterfaceError):
        raise
    except StrictError as error:
        said = strict_refusal(error.problem)
    except (JobError, ArchiveError, NotRecognised, SplitError, ExportError) as error:
        said = str(error)
    except OSError as error:
        said = f"A file cannot be read or written: {error.strerror or error}. Solve this, then resume it."
        logger.exception("job %d", run.job.pk)
    except Exception as error:
        said = UNFORESEEN.format(type(error).__name__)
        logger.exception("job %d", run.job.pk)
    run.end(Job.State.FAILED, error=run.say(said))
    return Job.State.FAILED


def clean_up_files(*, now: datetime) -> int:
    """Delete uploads older than a day and what killed processes left; return how many uploads were deleted.

    What an unfinished job needs stays.
    """
    waiting = Job.objects.filter(state__in=UNFINISHED)
    needed = {folder_name(job.options, job.pk) for job in waiting}
    forget_old_folders(now=now, but=needed)
    forget_incoming(now=now)
    forget_work()
    forget_left()
    forget_left_reports()
    old = [upload for upload in old_uploads(now=now) if upload not in needed]
    for upload in old:
        forget_upload(upload)
    return len(old)
