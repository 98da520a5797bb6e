"""Reports that jobs make with the package `evaluation`. They stay in the storage as long as their project."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from workflows.jobs.domain.jobs import UNFINISHED, JobError
from workflows.jobs.models import Job
from workflows.jobs.run_progress import Run, RunStopped
from workflows.jobs.upload_storage import StoredFile, forget_folder, forget_upload

if TYPE_CHECKING:
    from evaluation.report.model import Report

ROOT = ".evaluations"
"""Hidden, like exports: only the console's pages serve reports."""
REPORTED = (Job.Kind.EVALUATION, Job.Kind.PAIRS)
"""The kinds of jobs that make a report."""
MAX_REPORT = 64_000_000
"""Bytes of a report's page. It holds no photographs, so a hundred times what reports have."""
_CHUNK = 1 << 20
_T = TypeVar("_T")
_R = TypeVar("_R")
Follow = Callable[..., Iterator[Any]]
"""Wraps what is worked through, as `evaluation.tasks.common.Progress` says."""


@dataclass(frozen=True, slots=True)
class MadeReport:
    """A report: title, page and numbers, a few figures for lists, and other files by their kind."""

    title: str
    page: bytes
    numbers: bytes
    figures: Sequence[tuple[str, str]]
    files: Mapping[str, Path] = field(default_factory=dict)


def made_report(
    report: Report, figures: Sequence[tuple[str, str]], files: Mapping[str, Path] | None = None
) -> MadeReport:
    """Return the report as it is stored. Raises JobError if its page is too large."""
    from evaluation.report.files import json_of
    from evaluation.report.page import page

    said = page(report).encode()
    if len(said) > MAX_REPORT:
        raise JobError("", f"The report has more than {MAX_REPORT:,} bytes: compare fewer predictions.")
    return MadeReport(report.title, said, json_of(report), figures, files or {})


def in_thread(run: Run, make: Callable[[Follow], _R]) -> _R:
    """Return what is made in a thread, such as a report, while this one gives signs of life.

    A step may take minutes. When the job is cancelled, the thread stops at its next step.
    """
    stop = threading.Event()

    def follow(work: Iterable[_T], /, *, description: str, total: int | None = None) -> Iterator[_T]:
        """Say in the run what is worked through. It is written by `run.result`, in the other thread."""
        run.phase, run.done, run.total = description[:1].lower() + description[1:], 0, total
        for one in work:
            if stop.is_set():
                raise RunStopped
            yield one
            run.done += 1

    with ThreadPoolExecutor(1) as maker:
        future = maker.submit(make, follow)
        try:
            return run.result(future)
        finally:
            stop.set()


def store_report(run: Run, made: MadeReport) -> None:
    """Store the report, which ends the job. Raises OSError, RunLost or RunStopped; then nothing stays."""
    folder = f"{ROOT}/{run.job.pk}"
    try:
        stored = {
            kind: default_storage.save(f"{folder}/{run.runner}.{kind}", ContentFile(content))
            for kind, content in (("html", made.page), ("json", made.numbers))
        }
        for kind, path in made.files.items():
            with path.open("rb") as file:
                stored[kind] = default_storage.save(f"{folder}/{run.runner}.{kind}", File(file))
        run.end(Job.State.DONE, outcome={"title": made.title, "figures": made.figures, **stored})
    except BaseException:
        forget_reports(run.job.pk, but=_kept(run.job.pk))
        raise


def copy_stored(stored: StoredFile, target: Path, run: Run) -> Path:
    """Copy a file of the storage onto this machine."""
    try:
        with stored.open() as source, target.open("xb") as copy:
            while chunk := source.read(_CHUNK):
                copy.write(chunk)
                run.pulse()
    except FileNotFoundError as error:
        raise JobError(
            "", "A file of the version or of the upload is gone: it cannot be evaluated."
        ) from error
    return target


def _kept(job_id: int) -> set[str]:
    """Return the files of a job that has ended, which may be so despite an error."""
    done = Job.objects.filter(pk=job_id, state=Job.State.DONE).first()
    return {str(value) for value in done.outcome.values() if str(value).startswith(ROOT)} if done else set()


def forget_predictions(run: Run) -> None:
    """Delete what was uploaded for a report that is done."""
    if upload := run.job.options.get("upload"):
        forget_upload(str(upload))


def forget_reports(job_id: int, but: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    """Delete the files that runs of a job have stored with a report, except some."""
    folder = f"{ROOT}/{job_id}"
    try:
        names = default_storage.listdir(folder)[1]
    except FileNotFoundError:
        return
    for name in names:
        if f"{folder}/{name}" not in but:
            default_storage.delete(f"{folder}/{name}")
    if not but:
        forget_folder(folder)


def forget_left_reports() -> None:
    """Delete what killed runs left in the storage, of jobs that have ended without a report."""
    try:
        folders = set(default_storage.listdir(ROOT)[0])
    except FileNotFoundError:
        return
    over = Job.objects.filter(kind__in=REPORTED).exclude(state__in=(*UNFINISHED, Job.State.DONE))
    for job_id in over.values_list("pk", flat=True):
        if str(job_id) in folders and over.filter(pk=job_id).exists():
            forget_reports(job_id)
