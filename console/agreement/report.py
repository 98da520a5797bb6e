"""The kept figures of agreement in the words and bars of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import VerificationQuestion, Worker
from console.common.labels import STAGES

NAMES: Mapping[str, str] = {
    "percent": "Agreement",
    "cohen": "Cohen\u2019s κ",
    "fleiss": "Fleiss\u2019 κ",
    "alpha": "Krippendorff\u2019s α",
    "mean_iou": "Mean IoU",
    "box_alpha": "α of boxes",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its interval, and where both are on a line from 0 to 100."""

    says: str
    interval: str  # or why there is none
    known: bool = False  # whether there is an interval
    at: float | None = None
    low: float = 0
    high: float = 0


@dataclass(frozen=True, slots=True)
class StageRow:
    """A stage's figures, in the order of NAMES; a dash where the stage has no such figure."""

    id: str
    name: str
    items: int
    judgments: int
    answered: int
    right: Figure
    figures: list[Figure]


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A worker in one stage."""

    stage: str
    pk: int
    name: str
    blocked: bool
    outlier: bool
    few: bool
    items: int
    kappa: Figure
    alpha: Figure
    agreement: Figure
    iou: Figure


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A verification question."""

    stage: str
    pk: int
    name: str
    outlier: bool
    few: bool
    answers: int
    right: Figure
    agreement: str
    iou: Figure


@dataclass(frozen=True, slots=True)
class Report:
    """What the page shows."""

    header: list[str]
    stages: list[StageRow]
    workers: list[PersonRow]
    questions: list[QuestionRow]
    more_workers: int
    more_questions: int


MAX_ROWS = 50
"""Rows of workers and of questions on the page."""


def read_report(figures: Mapping[str, Any], wanted: str) -> Report:
    """Return the report, with the workers and questions of one stage, or of all. Two queries."""
    found = figures["stages"]
    shown = [one for one in found if wanted in ("", one["stage"])]
    workers = [(one["stage"], row) for one in shown for row in one["workers"]]
    questions = [(one["stage"], row) for one in shown for row in one["questions"]]
    workers.sort(key=lambda pair: _order(pair[1], "kappa", "agreement"))
    questions.sort(key=lambda pair: _order(pair[1], "right"))
    more = len(workers) - MAX_ROWS, len(questions) - MAX_ROWS
    workers, questions = workers[:MAX_ROWS], questions[:MAX_ROWS]
    people = Worker.objects.in_bulk({row["id"] for _, row in workers})
    asked = VerificationQuestion.objects.select_related("image").in_bulk({row["id"] for _, row in questions})
    return Report(
        header=list(NAMES.values()),
        stages=[_stage(one) for one in found],
        workers=[_person(stage, row, people[row["id"]]) for stage, row in workers if row["id"] in people],
        questions=[_question(stage, row, asked[row["id"]]) for stage, row in questions if row["id"] in asked],
        more_workers=max(0, more[0]),
        more_questions=max(0, more[1]),
    )


def _order(row: Mapping[str, Any], *names: str) -> tuple[Any, ...]:
    """Outliers come first, then the lowest values; those with few items and without a value come last."""
    values = (row[name]["value"] for name in names)
    return row["few"], not row["outlier"], *(2.0 if value is None else value for value in values)


def _stage(one: Mapping[str, Any]) -> StageRow:
    return StageRow(
        id=one["stage"],
        name=STAGES[one["stage"]],
        items=one["items"],
        judgments=one["judgments"],
        answered=one["answered"],
        right=_figure(one["right"]),
        figures=[_figure(one["figures"].get(name)) for name in NAMES],
    )


def _person(stage: str, row: Mapping[str, Any], worker: Worker) -> PersonRow:
    return PersonRow(
        STAGES[stage],
        worker.pk,
        worker.external_id,
        worker.blocked,
        row["outlier"],
        row["few"],
        row["items"],
        _figure(row["kappa"]),
        _figure(row["alpha"]),
        _figure(row["agreement"]),
        _figure(row["iou"]),
    )


def _question(stage: str, row: Mapping[str, Any], question: VerificationQuestion) -> QuestionRow:
    agreement = row["agreement"]
    return QuestionRow(
        STAGES[stage],
        question.pk,
        question.image.name,
        row["outlier"],
        row["few"],
        row["items"],
        _figure(row["right"]),
        "–" if agreement is None else f"{agreement:.2f}",
        _figure(row["iou"]),
    )


def _figure(found: Mapping[str, Any] | None) -> Figure:
    """Return a value with its interval. A line goes from 0 to 1; what is below 0 is at its beginning."""
    if found is None or found["value"] is None:
        return Figure("–", found["reason"] if found else "")
    value, low, high = found["value"], found["low"], found["high"]
    if low is None or high is None:
        return Figure(f"{value:.2f}", found["reason"], False, *_on_line((value, value, value)))
    return Figure(f"{value:.2f}", f"{low:.2f} to {high:.2f}", True, *_on_line((value, low, high)))


def _on_line(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(100 * min(max(value, 0.0), 1.0), 1) for value in values)
