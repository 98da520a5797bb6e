"""Run an evaluation job: measure a version of the data set, or predictions for it, and store the report."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from workflows.jobs.domain.jobs import COMPONENTS, UNFINISHED, EvaluationAsked, JobError, parse_options
from workflows.jobs.models import Job, Snapshot
from workflows.jobs.run_progress import Run, RunStopped
from workflows.jobs.uploads import PREDICTIONS, forget_folder, forget_upload, stored_files
from workflows.jobs.work_folders import work_folder

if TYPE_CHECKING:
    from evaluation.report.model import Report
    from evaluation.tasks.common import Inputs

ROOT = ".evaluations"
"""Hidden, like exports: only the console's pages serve reports."""
READING = "reading the version"
MOST_REPORT = 64_000_000
"""Bytes of a report's page. It holds no photographs, so a hundred times what reports have."""
_CHUNK = 1 << 20
_T = TypeVar("_T")


def run_evaluation(run: Run) -> None:
    """Store the report, which ends the job. Raises JobError, OSError, RunLost or RunStopped."""
    asked = parse_options(EvaluationAsked, run.job.options)
    version = Snapshot.objects.filter(pk=asked.version, project=run.project).first()
    if version is None:
        raise JobError("version", "The version is gone, so it cannot be evaluated.")
    forget_reports(run.job.pk)
    with work_folder(run) as work:
        run.begin(READING, version.manifest.get("counts", {}).get("images"))
        archive = _copy(str(version.file), work / "version.zip", run)
        uploaded = stored_files(asked.upload)[PREDICTIONS] if asked.upload else []
        files = [_copy(name, work / Path(name).name, run) for name in uploaded]
        made = _evaluated(run, asked, version, archive, files)
    folder = f"{ROOT}/{run.job.pk}"
    try:
        stored = {
            kind: default_storage.save(f"{folder}/{run.runner}.{kind}", ContentFile(content))
            for kind, content in (("html", made.page), ("json", made.numbers))
        }
        run.end(Job.State.DONE, outcome={"title": made.title, "figures": made.figures, **stored})
    except BaseException:
        forget_reports(run.job.pk, but=_kept(run.job.pk))
        raise


@dataclass(frozen=True, slots=True)
class _Made:
    """A report: its title, its page and its numbers, and a few figures for lists."""

    title: str
    page: bytes
    numbers: bytes
    figures: Sequence[tuple[str, str]]


def _evaluated(
    run: Run, asked: EvaluationAsked, version: Snapshot, archive: Path, files: Sequence[Path]
) -> _Made:
    """Make the report in a thread, while this one gives signs of life. A step may take minutes.

    When the job is cancelled, the thread stops at its next step.
    """
    title, images = f"{version.project.name}, version {version.version}", run.total
    stop = threading.Event()

    def follow(work: Iterable[_T], /, *, description: str, total: int | None = None) -> Iterator[_T]:
        """Say in the run what is worked through. It is written by `run.result`, in the other thread."""
        run.phase, run.done, run.total = description[:1].lower() + description[1:], 0, total
        for one in work:
            if stop.is_set():
                raise RunStopped
            yield one
            run.done += 1

    with ThreadPoolExecutor(1) as evaluator:
        future = evaluator.submit(_report, asked, title, images, archive, files, follow)
        try:
            return run.result(future)
        finally:
            stop.set()


def _report(
    asked: EvaluationAsked,
    title: str,
    images: int | None,
    archive: Path,
    files: Sequence[Path],
    follow: Callable[..., Iterator[Any]],
) -> _Made:
    # numpy and the measures are large, so only processes that evaluate load them.
    from dataclasses import replace

    from evaluation.errors import InputError
    from evaluation.readers.recognition import read_dataset
    from evaluation.report.files import json_of
    from evaluation.report.page import page
    from evaluation.tasks.common import Inputs, name_files

    try:
        dataset = read_dataset(
            archive,
            split=asked.split,
            progress=lambda work: follow(work, description=READING, total=images),
        )
        names = {asked.file or name: path for name, path in name_files(files).items()}
        inputs = Inputs(replace(dataset, title=title), names, progress=follow)
        report = _task(inputs, asked)
    except InputError as error:
        raise JobError("", f"{error}") from error
    said = page(report).encode()
    if len(said) > MOST_REPORT:
        raise JobError("", f"The report has more than {MOST_REPORT:,} bytes: compare fewer predictions.")
    return _Made(report.title, said, json_of(report), _figures(report))


def _task(inputs: Inputs, asked: EvaluationAsked) -> Report:
    from evaluation.tasks import components, localization

    if asked.task == COMPONENTS:
        return components.evaluate(inputs, components.Settings(iou=asked.iou))
    settings = localization.Settings(rule=asked.rule, iou=asked.iou)  # type: ignore[arg-type]
    return localization.evaluate(inputs, settings)


def _figures(report: Report) -> list[tuple[str, str]]:
    """Return a few numbers for lists, as (name, value) in words: of the first system, or of the data set."""
    from evaluation.report.model import say

    tables = {table.name: table for table in report.tables()}
    for name in ("recall", "predictions"):
        if (table := tables.get(name)) is not None and table.rows:
            cells = zip(table.columns, table.rows[0], strict=True)
            return [(column.name, say(cell, column.kind)) for column, cell in cells if column.kind == "share"]
    bias = tables["bias"]
    return [(str(row[0]), say(row[1], bias.columns[1].kind)) for row in bias.rows[:MOST_FIGURES]]


MOST_FIGURES = 3


def _copy(name: str, target: Path, run: Run) -> Path:
    """Copy a file of the storage onto this machine."""
    try:
        with default_storage.open(name) as source, target.open("xb") as copy:
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
    return {str(value) for name, value in done.outcome.items() if name in ("html", "json")} if done else set()


def forget_predictions(run: Run) -> None:
    """Delete the uploaded predictions of an evaluation that is done."""
    if upload := parse_options(EvaluationAsked, run.job.options).upload:
        forget_upload(upload)


def forget_reports(job_id: int, but: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    """Delete the files that runs of an evaluation have stored, except some."""
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
    """Delete what killed runs left in the storage, of evaluations that have ended without a report."""
    try:
        folders = set(default_storage.listdir(ROOT)[0])
    except FileNotFoundError:
        return
    over = Job.objects.filter(kind=Job.Kind.EVALUATION).exclude(state__in=(*UNFINISHED, Job.State.DONE))
    for job_id in over.values_list("pk", flat=True):
        if str(job_id) in folders and over.filter(pk=job_id).exists():
            forget_reports(job_id)
