"""Run a job that chooses which captions are judged for which images, and store its report and the pairs."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from annotation.models import Caption, Project
from workflows.jobs.domain.jobs import MAX_PAIRS, JobError, PairsAsked, parse_options
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
from workflows.jobs.upload_storage import GRADES, PREDICTIONS, StoredFile, stored_files
from workflows.jobs.work_folders import work_folder

if TYPE_CHECKING:
    from evaluation.dataset import Dataset
    from evaluation.report.model import Report

READING = "reading the captions"
PAIRS = "jsonl.gz"
"""The kind of the stored file that has the pairs, beside "html" and "json"."""
LOOKED_AT, REMAIN, DROPPED = "pairs looked at", "remain", "dropped"
"""The figures of a choice."""
ROWS_AT_ONCE = 5000


def run_pair_choice(run: Run) -> None:
    """Store the report and the pairs, which ends the job. Raises JobError, OSError, RunLost or RunStopped."""
    asked = parse_options(PairsAsked, run.job.options)
    forget_reports(run.job.pk)
    with work_folder(run) as work:
        run.begin(READING)
        uploaded = stored_files(asked.upload) if asked.upload else {}
        ranked, graded = (_copies(uploaded.get(part, ()), work / part, run) for part in (PREDICTIONS, GRADES))
        dataset = _captions(run.project, asked.split, run)
        made = in_thread(run, lambda follow: _chosen(asked, dataset, ranked, graded, work, follow))
        store_report(run, made)


def _copies(files: Sequence[StoredFile], folder: Path, run: Run) -> list[Path]:
    folder.mkdir()
    return [copy_stored(stored, folder / stored.name, run) for stored in files]


def _captions(project: Project, split: str, run: Run) -> Dataset:
    """Return the captions in use of the project's images, as a data set without mentions."""
    from evaluation import dataset

    rows = Caption.objects.in_use().filter(image__project=project, image__withdrawn_at__isnull=True)
    if split:
        rows = rows.filter(image__split=split)
    captions: dict[str, list[dataset.Caption]] = {}
    fields = rows.order_by("image__name", "index").values_list("image__name", "index", "tokens")
    for name, index, tokens in fields.iterator(chunk_size=ROWS_AT_ONCE):
        if name not in captions:
            captions[name] = []
            run.advance()
        captions[name].append(dataset.Caption(index, tuple(tokens.split(" ")), ()))
    if not captions:
        where = f" of {split}" if split else ""
        raise JobError("split", f"No image{where} has a caption: import some first.")
    images = (dataset.Image(name, 0, 0, split, tuple(captions[name]), {}) for name in sorted(captions))
    return dataset.Dataset(project.name, tuple(images), project.language)


def _chosen(
    asked: PairsAsked,
    captions: Dataset,
    ranked: Sequence[Path],
    graded: Sequence[Path],
    work: Path,
    follow: Follow,
) -> MadeReport:
    from evaluation.errors import InputError
    from evaluation.tasks import pairs
    from evaluation.tasks.common import Inputs, name_files

    settings = pairs.Settings(
        least_bleu=asked.least_bleu,
        candidates=asked.candidates,  # type: ignore[arg-type]
        depth=asked.depth,
        relevance=graded[0] if graded else None,
        write=work / "pairs.jsonl",
        most=MAX_PAIRS,
    )
    try:
        report = pairs.evaluate(Inputs(captions, name_files(ranked), progress=follow), settings)
    except InputError as error:
        raise JobError("", f"{error}") from error
    packed = work / PAIRS
    with (work / "pairs.jsonl").open("rb") as plain, gzip.open(packed, "wb") as file:
        shutil.copyfileobj(plain, file)
    return made_report(report, _figures(report), {PAIRS: packed})


def _figures(report: Report) -> list[tuple[str, str]]:
    from evaluation.report.model import say

    table = next(table for table in report.tables() if table.name == "chosen")
    said = [say(cell, column.kind) for column, cell in zip(table.columns, table.rows[0], strict=True)]
    return list(zip((LOOKED_AT, REMAIN, DROPPED), said, strict=True))
