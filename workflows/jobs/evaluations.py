"""Run an evaluation job: measure a version of the data set, or predictions for it, and store the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workflows.jobs.domain.jobs import COMPONENTS, EvaluationAsked, JobError, parse_options
from workflows.jobs.models import Snapshot
from workflows.jobs.reports import (
    Follow,
    MadeReport,
    copy_stored,
    forget_reports,
    in_thread,
    made_report,
    store_report,
)
from workflows.jobs.run_progress import Run
from workflows.jobs.upload_storage import PREDICTIONS, StoredFile, stored_files
from workflows.jobs.work_folders import work_folder

if TYPE_CHECKING:
    from evaluation.report.model import Report
    from evaluation.tasks.common import Inputs

READING = "reading the version"
MAX_FIGURES = 3


def run_evaluation(run: Run) -> None:
    """Store the report, which ends the job. Raises JobError, OSError, RunLost or RunStopped."""
    asked = parse_options(EvaluationAsked, run.job.options)
    version = Snapshot.objects.filter(pk=asked.version, project=run.project).first()
    if version is None:
        raise JobError("version", "The version is gone, so it cannot be evaluated.")
    forget_reports(run.job.pk)
    with work_folder(run) as work:
        run.begin(READING, version.manifest.get("counts", {}).get("images"))
        archive = copy_stored(StoredFile("version.zip", (str(version.file),)), work / "version.zip", run)
        uploaded = stored_files(asked.upload)[PREDICTIONS] if asked.upload else []
        folder = work / PREDICTIONS  # an upload may have the name of the version's copy
        folder.mkdir()
        files = [copy_stored(stored, folder / stored.name, run) for stored in uploaded]
        title, images = f"{version.project.name}, version {version.version}", run.total
        made = in_thread(run, lambda follow: _evaluated(asked, title, images, archive, files, follow))
        store_report(run, made)


def _evaluated(
    asked: EvaluationAsked,
    title: str,
    images: int | None,
    archive: Path,
    files: Sequence[Path],
    follow: Follow,
) -> MadeReport:
    # numpy and the measures are large, so only processes that evaluate load them.
    from dataclasses import replace

    from evaluation.errors import InputError
    from evaluation.readers.recognition import read_dataset
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
        raise JobError("", f"{error}".replace("--predictions-format", "Format")) from error
    return made_report(report, _figures(report))


def _task(inputs: Inputs, asked: EvaluationAsked) -> Report:
    from evaluation.coordinates import MAX_PIXELS
    from evaluation.predictions.formats import format_named
    from evaluation.tasks import components, localization

    name, max_pixels = asked.predictions_format, asked.max_pixels or MAX_PIXELS
    written = format_named(name, max_pixels=max_pixels) if name else None
    if asked.task == COMPONENTS:
        return components.evaluate(inputs, components.Settings(iou=asked.iou, predictions_format=written))
    settings = localization.Settings(
        rule=asked.rule,  # type: ignore[arg-type]
        iou=asked.iou,
        predictions_format=written,
    )
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
    return [(str(row[0]), say(row[1], bias.columns[1].kind)) for row in bias.rows[:MAX_FIGURES]]
