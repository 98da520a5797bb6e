"""The queue of jobs: start a job, take it for a run, cancel it, resume it.

A job is taken under a lock on all unfinished jobs, and then has the token of its run. Every later write of
the run is a compare-and-set on this token, so that a run that was given up can do no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.conf import settings

from annotation.exporting.dataset import SOURCES
from annotation.formats.registry import READERS, WRITERS
from annotation.models import Batch, ModelVersion, Project
from annotation.transactions import write_transaction
from evaluation.readers.recognition import FORMATS as EVALUATED
from workflows.jobs.domain.jobs import (
    MAX_ATTEMPTS,
    UNFINISHED,
    Asked,
    EvaluationAsked,
    ExportAsked,
    ImportAsked,
    JobError,
    PairsAsked,
    SuggestionsAsked,
    can_move,
    is_abandoned,
    parse_options,
    to_options,
)
from workflows.jobs.locations import check_place
from workflows.jobs.models import Job, Snapshot
from workflows.jobs.upload_storage import check_upload

NOT_EVALUATED = frozenset(WRITERS) - frozenset(EVALUATED)
"""Formats of versions that `evaluation.readers` does not read."""
MAX_WAITING = 20
"""The most unfinished jobs of a project, so that repeated clicks do not fill the queue."""


def start_job(
    *,
    project: Project,
    asked: Asked,
    by: str,
    now: datetime,
    dry_run: bool = False,
) -> tuple[Job, bool]:
    """Queue a job, and return it and whether it is new.

    If a job for the same is waiting or running, that job is returned. Raises JobError, which names the field,
    if the job could not begin.
    """
    if isinstance(asked, ImportAsked):
        if project.archived_at is not None:
            raise JobError("", "The project is archived: restore it first.")
        _check_import(asked)
        kind = Job.Kind.IMPORT
    elif isinstance(asked, ExportAsked):
        _check_export(project, asked)
        kind = Job.Kind.EXPORT
    elif isinstance(asked, EvaluationAsked):
        _check_evaluation(project, asked)
        kind = Job.Kind.EVALUATION
    elif isinstance(asked, SuggestionsAsked):
        _check_suggestions(project, asked)
        kind = Job.Kind.SUGGESTIONS
    else:
        _check_choice(asked)
        kind = Job.Kind.PAIRS
    with write_transaction():
        unfinished = _unfinished_of(project.pk)
        job = Job(project=project, kind=kind, dry_run=dry_run, options=to_options(asked))
        if (same := _same(job, unfinished)) is not None:
            return same, False
        _check_upload_is_free(job, unfinished)
        _check_room(unfinished)
        job.by, job.created_at = by[:150], now
        job.save(force_insert=True)
        return job, True


def _unfinished_of(project_id: int) -> list[Job]:
    """Lock the project, so that nobody starts or resumes a job meanwhile, and return its unfinished jobs."""
    Project.objects.select_for_update(no_key=True).get(pk=project_id)
    return list(Job.objects.filter(project=project_id, state__in=UNFINISHED).order_by("pk"))


def _same(job: Job, unfinished: Iterable[Job]) -> Job | None:
    """Return the unfinished job that does the same as `job` and was not cancelled."""
    asked = (job.kind, job.dry_run, job.options)
    same = (one for one in unfinished if (one.kind, one.dry_run, one.options) == asked)
    return next((one for one in same if not one.cancel_asked), None)


def _check_upload_is_free(job: Job, unfinished: Iterable[Job]) -> None:
    """Refuse a job whose upload another one reads if one of them deletes it at its end."""
    for one in unfinished:
        shares = job.options.get("upload") and job.options["upload"] == one.options.get("upload")
        if shares and not (job.dry_run and one.dry_run):
            raise JobError("", f"Job {one.pk} uses this upload: wait until it has ended.")


def _check_room(unfinished: Sequence[Job]) -> None:
    if len(unfinished) >= MAX_WAITING:
        raise JobError(
            "", f"{MAX_WAITING} jobs of this project are unfinished: wait until some of them have ended."
        )


def import_after(*, job: Job, by: str, now: datetime) -> tuple[Job, bool]:
    """Queue the import that follows a dry run and uses its upload or its copy; return as `start_job` does.

    Raises JobError.
    """
    if not job.dry_run or job.state != Job.State.DONE:
        raise JobError("", "An import can follow only a dry run that is done.")
    asked: Asked
    if job.kind == Job.Kind.SUGGESTIONS:
        asked = parse_options(SuggestionsAsked, job.options)
    else:
        asked = replace(parse_options(ImportAsked, job.options), after=job.pk)
    return start_job(project=job.project, asked=asked, by=by, now=now)


def _check_import(asked: ImportAsked) -> None:
    if asked.format and asked.format not in READERS:
        raise JobError("format", f"There is no format {asked.format!r}.")
    if asked.upload:
        check_upload(asked.upload)
    else:
        check_place(asked.place)


def _check_export(project: Project, asked: ExportAsked) -> None:
    if asked.format not in WRITERS:
        raise JobError("format", f"There is no format {asked.format!r}.")
    if asked.source not in SOURCES:
        raise JobError("source", f"There is no source {asked.source!r}.")
    if asked.batch and not Batch.objects.filter(project=project, name=asked.batch).exists():
        raise JobError("batch", f"There is no batch {asked.batch!r} in this project.")


def _check_evaluation(project: Project, asked: EvaluationAsked) -> None:
    version = Snapshot.objects.filter(project=project, pk=asked.version).first()
    if version is None:
        raise JobError("version", "There is no such version in this project.")
    if version.format in NOT_EVALUATED:
        raise JobError(
            "", f"A version in the format {version.format} cannot be evaluated: export it as jsonl."
        )
    if asked.upload:
        check_upload(asked.upload)


def _check_suggestions(project: Project, asked: SuggestionsAsked) -> None:
    if project.archived_at is not None:
        raise JobError("", "The project is archived: restore it first.")
    if not ModelVersion.objects.filter(project=project, pk=asked.model).exists():
        raise JobError("model", "There is no such model in this project: add it first.")
    check_upload(asked.upload)


def _check_choice(asked: PairsAsked) -> None:
    if asked.upload:
        check_upload(asked.upload)


def take_job(*, job_id: int, runner: str, now: datetime) -> Job | None:
    """Give the job to the run `runner` alone, and return it.

    Returns None if there is nothing to do, or if JOBS_AT_ONCE jobs are running.
    """
    with write_transaction():
        jobs = {job.pk: job for job in _unfinished_locked()}
        job = jobs.get(job_id)
        if job is None:
            return None
        lost = is_abandoned(job.state, job.beat_at, now)
        if job.state == Job.State.RUNNING and not lost:
            return None
        if lost and (job.cancel_asked or job.attempts >= MAX_ATTEMPTS):
            _give_up(job, now)
            return None
        if _busy(jobs.values(), now) >= settings.JOBS_AT_ONCE:
            return None
        job.state, job.runner, job.beat_at = Job.State.RUNNING, runner, now
        job.started_at, job.attempts = now, job.attempts + 1
        job.phase, job.done, job.total = "beginning", 0, None
        job.problems, job.problem_count, job.outcome, job.error = [], 0, {}, ""
        job.save()
        return job


def next_job(*, now: datetime) -> int | None:
    """Return the id of a queued or abandoned job; None if there is none or JOBS_AT_ONCE are running."""
    jobs = list(Job.objects.filter(state__in=UNFINISHED).order_by("pk"))
    if _busy(jobs, now) >= settings.JOBS_AT_ONCE:
        return None
    free = (
        job.pk for job in jobs if job.state == Job.State.QUEUED or is_abandoned(job.state, job.beat_at, now)
    )
    return next(free, None)


def _unfinished_locked() -> list[Job]:
    """Lock all unfinished jobs in one order, so that two runs take jobs one after the other."""
    jobs = Job.objects.select_for_update(no_key=True).filter(state__in=UNFINISHED)
    return list(jobs.order_by("pk"))


def _busy(jobs: Any, now: datetime) -> int:
    return sum(
        job.state == Job.State.RUNNING and not is_abandoned(job.state, job.beat_at, now) for job in jobs
    )


def _give_up(job: Job, now: datetime) -> None:
    if job.cancel_asked:
        job.state = Job.State.CANCELLED
    else:
        job.state = Job.State.FAILED
        job.error = (
            f"It was interrupted {job.attempts} times. Look into the worker's log whether memory or disk "
            "space ran out, then resume the job."
        )
    job.ended_at, job.runner = now, ""
    job.save(update_fields=["state", "error", "ended_at", "runner"])


def cancel_job(*, job: Job, now: datetime) -> Job:
    """Ask the job's run to stop, or cancel the job at once if nobody runs it. Return the job.

    Raises JobError if the job has ended.
    """
    with write_transaction():
        current = Job.objects.select_for_update(no_key=True).get(pk=job.pk)
        if not can_move("cancel", current.state):
            raise JobError("", f"The job is {current.state} already.")
        current.cancel_asked = True
        if current.state == Job.State.QUEUED or is_abandoned(current.state, current.beat_at, now):
            current.state, current.ended_at, current.runner = Job.State.CANCELLED, now, ""
        current.save(update_fields=["cancel_asked", "state", "ended_at", "runner"])
    return current


def resume_job(*, job: Job) -> Job:
    """Queue a failed or cancelled job again, and return it. An import continues where it stopped.

    Raises JobError if the job is unfinished or done, if its upload is gone, or if another job does the same:
    that one would delete the upload.
    """
    with write_transaction():
        unfinished = _unfinished_of(job.project_id)
        current = Job.objects.select_for_update(no_key=True).get(pk=job.pk)
        if not can_move("resume", current.state):
            raise JobError(
                "", f"The job is {current.state}: only a job that failed or was cancelled can be resumed."
            )
        if current.kind == Job.Kind.IMPORT:
            _check_import(parse_options(ImportAsked, current.options))
        elif current.kind == Job.Kind.EVALUATION:
            _check_evaluation(current.project, parse_options(EvaluationAsked, current.options))
        elif current.kind == Job.Kind.SUGGESTIONS:
            _check_suggestions(current.project, parse_options(SuggestionsAsked, current.options))
        elif current.kind == Job.Kind.PAIRS:
            _check_choice(parse_options(PairsAsked, current.options))
        if (same := _same(current, unfinished)) is not None:
            raise JobError("", f"Job {same.pk} does the same, and is {same.state}: look at that one.")
        _check_upload_is_free(current, unfinished)
        _check_room(unfinished)
        current.state, current.cancel_asked, current.attempts = Job.State.QUEUED, False, 0
        current.error, current.phase, current.ended_at = "", "", None
        current.save(update_fields=["state", "cancel_asked", "attempts", "error", "phase", "ended_at"])
    return current
