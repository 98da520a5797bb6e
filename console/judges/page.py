"""What a page says about a project's models, from their answers and their records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Batch, JudgeRecord, ModelVersion
from console.common.charts import Chart, bars
from console.common.numbers import say
from workflows.batch_settings.selectors import settings_of
from workflows.judges.model_report import ModelStanding, say_kind, standing_of

RECORDS_SHOWN = 12
"""The newest records of a model whose bounds a chart shows."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How good a model is at one kind of answer."""

    about: str
    accuracy: str
    bounds: str
    good: str  # of what is good or complete, the share it calls so
    bad: str
    sealed: str
    known: str
    counts: bool


@dataclass(frozen=True, slots=True)
class ModelPart:
    """A model on its project's page."""

    model: ModelVersion
    standing: ModelStanding
    rates: list[Rate]
    chart: Chart
    batches: list[Batch]

    @property
    def answered(self) -> int:
        return self.standing.asked - self.standing.late


def parts_of(models: Iterable[ModelVersion], batches: Iterable[Batch]) -> list[ModelPart]:
    """Return the models with how they stand, and the batches that ask them."""
    asked: dict[str, list[Batch]] = {}
    for batch in batches:
        asked.setdefault(settings_of(batch).judge.model, []).append(batch)
    found = []
    for model in models:
        standing = standing_of(model)
        records = list(JudgeRecord.objects.filter(model=model).order_by("-pk")[:RECORDS_SHOWN])
        found.append(
            ModelPart(
                model,
                standing,
                [_rate(kind, rates, kind in standing.open) for kind, rates in sorted(standing.rates.items())],
                _chart(records[::-1]),
                asked.get(str(model), []),
            )
        )
    return found


def _rate(kind: str, rates: Mapping[str, Any], counts: bool) -> Rate:
    accuracy = rates["accuracy"]
    return Rate(
        say_kind(kind),
        _share(accuracy["value"]),
        f"{_share(accuracy['low'])} to {_share(accuracy['high'])}",
        _share(rates["sensitivity"]["value"]),
        _share(rates["specificity"]["value"]),
        say(rates["sealed"]),
        say(rates["known"]),
        counts,
    )


def _share(value: float) -> str:
    return say(round(100 * value, 1), "%")


def _chart(records: Sequence[JudgeRecord]) -> Chart:
    """Return the lower bounds of the accuracy by the number of answers that they rest on."""
    kinds = sorted({kind for record in records for kind in record.content["rates"]})
    series = {
        say_kind(kind): [
            round(100 * record.content["rates"][kind]["accuracy"]["low"], 1)
            if kind in record.content["rates"]
            else None
            for record in records
        ]
        for kind in kinds
    }
    labels = [f"{record.answers:,} answers" for record in records]
    return bars("Lower bound of its accuracy", labels, series, unit="%", horizontal=True)
