"""A worker's standing in every stage, with the tests and verification questions behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from annotation.domain.protocols import ALL_STAGES
from annotation.models import Assignment, Batch, Judgment, QualificationTry, Standing, Worker
from console.common.labels import STAGES, say_answer, say_right_answer
from console.common.numbers import share
from workflows.batch_settings.selectors import settings_of
from workflows.quality.domain.trust import right_needed
from workflows.quality.evidence import terms_of

ANSWERS = 25


@dataclass(frozen=True, slots=True)
class Score:
    """A standing as the page shows it. The minimum is of the batch that asks for it."""

    row: Standing
    stage: str
    overall: str
    recent: str
    least: float | None
    where: str
    enough: int | None = None  # right answers that decide, of those asked: rounded down while they are few

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
        settings = settings_of(batch) if batch else None
        minimum = settings.minimum_score.get(row.stage) if settings else None
        few = settings is not None and row.batch is None and 0 < row.asked < settings.control.recent
        found.append(
            Score(
                row,
                STAGES[row.stage],
                share(row.right, row.asked),
                share(row.recent_right, row.recent_asked),
                minimum,
                row.batch.name if row.batch else "the whole project",
                right_needed(row.asked, terms_of(settings, row.stage))
                if few and settings and minimum is not None
                else None,
            )
        )
    return sorted(found, key=lambda score: (ALL_STAGES.index(score.row.stage), score.row.pk))


def say_trust(standings: Iterable[Standing]) -> str:
    """Write the states of a stage; '' for none. One of a batch comes after the batch's name."""
    return "; ".join(f"{row.batch.name}: {row.state}" if row.batch else row.state for row in standings)


def minimum_by_stage(scores: Iterable[Score]) -> dict[str, float | None]:
    """Return the minimum score of each stage: that of its last score, if there are several."""
    return {score.row.stage: score.least for score in scores}


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
