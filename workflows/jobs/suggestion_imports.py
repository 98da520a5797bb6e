"""Run a job that makes a set of suggestions of uploaded boxes, or that says what the set would be like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from annotation.models import ModelVersion, SuggestionSet
from workflows.core.audit_log import record_action
from workflows.jobs.domain.jobs import JobError, SuggestionsAsked, parse_options
from workflows.jobs.models import Job
from workflows.jobs.reports import copy_stored, in_thread
from workflows.jobs.run_progress import Run
from workflows.jobs.upload_storage import PREDICTIONS, stored_files
from workflows.jobs.work_folders import work_folder

if TYPE_CHECKING:  # numpy takes a second to import, and the web service reads this module
    from workflows.suggestions.domain.choice import Choice
    from workflows.suggestions.files import Found

READING, MATCHED, WRITING = "reading the phrases", "matching the boxes", "writing the set"
LINES = 100
"""How many lines of each kind are named that match nothing."""
_LINE = re.compile(r"line ([0-9]+): (.*)", re.DOTALL)


def run_suggestion_import(run: Run) -> None:
    """Write the set, or only what it would be like for a dry run. This ends the job.

    Raises JobError, OSError, RunLost or RunStopped. Then the set, if there is one, stays incomplete, and is
    never shown; the next run makes another one.
    """
    from workflows.suggestions.domain.choice import Choice
    from workflows.suggestions.files import SuggestionError, asked_of, check_file, match
    from workflows.suggestions.pair_files import has_pairs

    asked = parse_options(SuggestionsAsked, run.job.options)
    choice = Choice(asked.threshold, asked.nms, asked.every_mention)
    predictions_format = asked.predictions_format or None
    model = ModelVersion.objects.filter(project=run.job.project_id, pk=asked.model).first()
    if model is None:
        raise JobError("model", "The model is gone: start a new import.")
    with work_folder(run) as work:
        run.begin(READING)
        stored = stored_files(asked.upload)[PREDICTIONS][0]
        path = copy_stored(stored, work / stored.name, run)
        try:
            check_file(path, choice)
            if has_pairs(path):
                raise SuggestionError(
                    f"{path.name} has scores of pairs, and no boxes: import it with manage.py "
                    "import_suggestions"
                )
            phrases = asked_of(run.project)
            run.pulse()
            found = in_thread(
                run,
                lambda follow: match(
                    phrases,
                    path,
                    choice,
                    predictions_format,
                    asked.max_pixels,
                    follow=follow,
                    examples=LINES,
                ),
            )
            _tell(run, found, path.name)
            if run.job.dry_run:
                run.begin(MATCHED, total=len(found.suggestions))
                run.advance(len(found.suggestions))
                run.end(Job.State.DONE, outcome=_outcome(found, model))
            else:
                _save(run, found, model, asked, choice)
        except SuggestionError as error:
            raise JobError("", _said(error)) from error


def _save(run: Run, found: Found, model: ModelVersion, asked: SuggestionsAsked, choice: Choice) -> None:
    """Write the set. It is complete exactly if the job has ended."""
    from workflows.suggestions.sets import save_set

    def end(made: SuggestionSet) -> None:
        record_action(
            by=run.job.by,
            action="suggestions.import",
            now=run.clock(),
            project=run.project,
            kind="model",
            object=str(model),
            object_id=model.pk,
            detail={"set": made.number, "file": asked.file},
        )
        run.end(Job.State.DONE, outcome={**_outcome(found, model), "set": made.number})

    run.begin(WRITING, total=len(found.suggestions))
    save_set(
        model=model,
        found=found,
        choice=choice,
        predictions_format=asked.predictions_format or None,
        max_pixels=asked.max_pixels,
        by=run.job.by,
        now=run.clock(),
        also=end,
        after_group=run.advance,
    )


def _outcome(found: Found, model: ModelVersion) -> dict[str, Any]:
    return {"report": found.report(), "model": str(model)}


def _tell(run: Run, found: Found, file: str) -> None:
    """Name the lines that match nothing, as many as are kept, and count all."""
    from workflows.suggestions.files import SAYS

    for kind in found.findings.counts:
        for example in found.findings.examples.get(kind, ()):
            line = _LINE.fullmatch(example)
            where = f"{file}:{line[1]}" if line else file
            run.name_problem(where, f"{line[2] if line else example}: {SAYS.get(kind, kind)}")
    run.problem_count = sum(found.findings.counts.values())


def _said(error: Exception) -> str:
    """Return an error of the command's in the words of the page."""
    return str(error).replace("--predictions-format", "Format")
