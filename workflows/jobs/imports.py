"""Run an import job, with the same service as `manage.py import_corpus`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from annotation.formats.corpus_reader import count_images, read_corpus
from annotation.formats.recognition import Corpus
from annotation.importing.chunker_choice import chunker_of
from annotation.importing.corpus import import_corpus
from annotation.importing.splits import read_splits
from annotation.importing.summary import Summary
from workflows.jobs.domain.jobs import ImportAsked, JobError, parse_options
from workflows.jobs.fetch import fetch_corpus, folder_name, forget_fetched
from workflows.jobs.run_progress import Run
from workflows.jobs.upload_storage import forget_upload


def run_import(run: Run) -> dict[str, Any]:
    """Import, or in a dry run count what an import would do, and return the counts. Raises what stops it.

    A strict import first runs as a dry run, which stops at the first problem. One transaction around the
    whole import would keep others from writing for too long.
    """
    asked = parse_options(ImportAsked, run.job.options)
    corpus = fetch_corpus(asked, run)
    splits: dict[str, str] = {}
    for problem in read_splits(corpus.splits, splits, run.pulse):
        run.problem(problem)
    if asked.strict and not run.job.dry_run:
        run.begin("checking", count_images(corpus, run.pulse))
        if run.problem_count:
            raise JobError("", _REFUSED.format("a split list has a problem"))
        _go_through(run, corpus, asked, splits, dry_run=True, strict=True)
    run.begin("checking" if run.job.dry_run else "importing", count_images(corpus, run.pulse))
    summary = _go_through(run, corpus, asked, splits, dry_run=run.job.dry_run, strict=False)
    if not (summary.images or summary.images_known):
        first = [f" {one['where']}: {one['message']}." for one in run.problems[:1]]
        raise JobError("", f"It has no caption that can be imported.{''.join(first)}")
    summary.skipped = run.problem_count
    return {**asdict(summary), "format": corpus.format, "refused": bool(asked.strict and run.problem_count)}


_REFUSED = "Nothing was imported, because the import is strict: {}"


def strict_refusal(problem: object) -> str:
    """Return the error text of a strict import that met a problem."""
    return _REFUSED.format(problem)


def forget_imported(run: Run) -> None:
    """Delete the upload and the copies of a finished import. A dry run leaves them for the import."""
    asked = parse_options(ImportAsked, run.job.options)
    if not run.job.dry_run:
        forget_fetched(folder_name(run.job.options, run.job.pk))
        forget_upload(asked.upload)


def _go_through(
    run: Run, corpus: Corpus, asked: ImportAsked, splits: dict[str, str], *, dry_run: bool, strict: bool
) -> Summary:
    return import_corpus(
        project=run.project,
        records=read_corpus(corpus),
        images=corpus.pictures,
        above=corpus.above,
        as_gold=asked.as_gold,
        strict=strict,
        chunker=chunker_of(run.project.language),
        any_language=asked.any_language,
        keep_metadata=asked.keep_metadata,
        splits=splits,
        dry_run=dry_run,
        progress=run.advance,
        pulse=run.pulse,
        report=run.problem,
    )
