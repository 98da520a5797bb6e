"""A worker's standing in every stage, with the tests and verification questions behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from annotation.domain.protocols import ALL_STAGES
from annotation.models import Assignment, Batch, Judgment, QualificationTry, Standing, Worker
from console.common.charts import Chart, steps
from console.common.labels import STAGES, say_answer, say_right_answer
from console.common.numbers import share
from workflows.analysis.answer_histories import answers_by_stage
from workflows.analysis.domain.accuracy_history import Run, run_length, runs_of
from workflows.batch_settings.selectors import settings_of

ANSWERS = 25
MOST_POINTS = 12
"""Points of a worker's history of accuracy."""


@dataclass(frozen=True, slots=True)
class Score:
    """A standing as the page shows it. The minimum is of the batch that asks for it."""

    row: Standing
    stage: str
    overall: str
    recent: str
    least: float | None
    where: str

    @property
    def minimum(self) -> str:
        """The minimum score, in words; '' if there is none."""
        return "" if self.least is None else f"{self.least:.0%}"


@dataclass(frozen=True, slots=True)
class Tried:
    """The last try at the qualification test of a stage."""

    row: QualificationTry
    stage: str
    pass_mark: float  # per cent

    @property
    def failed(self) -> bool:
        """Whether it can be given back."""
        return self.row.state == QualificationTry.State.FAILED


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer to a verification question."""

    judgment: Judgment
    stage: str
    answer: str
    right_answer: str


def tried_of(worker: Worker) -> list[Tried]:
    """Return the last try at the qualification test of each stage."""
    tries = QualificationTry.objects.filter(worker=worker, place=None).order_by("number")
    last = {row.stage: row for row in tries}
    return [
        Tried(last[stage], STAGES[stage], 100 * last[stage].pass_mark)
        for stage in ALL_STAGES
        if stage in last
    ]


def scores_of(worker: Worker) -> list[Score]:
    """Return scores by stage. The minimum is that of the last batch in which the worker did the stage."""
    of_stage = Assignment.objects.filter(worker=worker, stage=OuterRef("stage")).order_by("-created_at")
    found = []
    rows = Standing.objects.filter(worker=worker).select_related("batch")
    standings = rows.annotate(last_batch=Subquery(of_stage.values("batch_id")[:1]))
    latest = Batch.objects.in_bulk([row.last_batch for row in standings if row.last_batch is not None])
    for row in standings:
        batch = row.batch or latest.get(row.last_batch)
        minimum = settings_of(batch).minimum_score.get(row.stage) if batch else None
        found.append(
            Score(
                row,
                STAGES[row.stage],
                share(row.right, row.asked),
                share(row.recent_right, row.recent_asked),
                minimum,
                row.batch.name if row.batch else "the whole project",
            )
        )
    return sorted(found, key=lambda score: (ALL_STAGES.index(score.row.stage), score.row.pk))


def histories_of(worker: Worker, scores: Sequence[Score]) -> list[Chart]:
    """Return a chart of the worker's accuracy over time for each stage with two points or more. One query.

    The minimum is that of the stage's last score.
    """
    given = answers_by_stage([worker.pk])[worker.pk]
    least = {score.row.stage: score.least for score in scores}
    return [
        _history(stage, runs, least.get(stage))
        for stage in ALL_STAGES
        if len(runs := runs_of(given.get(stage, ()), run_length(len(given.get(stage, ())), MOST_POINTS))) > 1
    ]


def _history(stage: str, runs: Sequence[Run], least: float | None) -> Chart:
    series: dict[str, list[float | None]] = {"accuracy": [100 * run.accuracy for run in runs]}
    if least is not None:
        series["minimum"] = [100 * least] * len(runs)
    return steps(
        STAGES[stage].capitalize(),
        [f"{run.first} to {run.last}, {run.until:%-d %b %Y}" for run in runs],
        series,
        ticks=[str(run.last) for run in runs],
        corner="answers",
        below="verification questions answered",
        unit="%",
    )


def checked_of(worker: Worker) -> list[Checked]:
    """Return the latest answers to verification questions, the newest first."""
    rows = Judgment.objects.filter(worker=worker, question__isnull=False).select_related("question")
    found = []
    for row in rows.order_by("-pk")[:ANSWERS]:
        assert row.question is not None
        stage = row.question.stage
        found.append(
            Checked(
                row,
                STAGES[stage],
                say_answer(stage, row.answer),
                say_right_answer(stage, row.question.answer),
            )
        )
    return found
