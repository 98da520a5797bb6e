"""What a page says about a project's models, from their answers and their records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation.models import Batch, JudgeRecord, ModelVersion
from console.common.charts import Chart, bars
from console.common.numbers import UNKNOWN, say, say_count
from workflows.batch_settings.selectors import settings_of
from workflows.judges.model_report import ModelStanding, say_kind, standing_of
from workflows.judges.money_report import ModelMoney, money_of

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
class Compared:
    """One way in which a model's answers compare with people's, in words."""

    about: str
    value: str
    interval: str
    things: str
    says: str


@dataclass(frozen=True, slots=True)
class Audit:
    """What sealed answers since a gate opened say, and how near the gate is to closing."""

    says: str
    share: str
    interval: str
    evidence: float
    limit: float

    @property
    def evidence_said(self) -> str:
        return f"{self.evidence:.1f} of {self.limit:g}"


@dataclass(frozen=True, slots=True)
class ModelPart:
    """A model on its project's page."""

    model: ModelVersion
    standing: ModelStanding
    rates: list[Rate]
    chart: Chart
    batches: list[Batch]
    compared: list[Compared]
    audit: Audit | None
    money: list[ModelMoney]

    @property
    def worse_on(self) -> str:
        """When it was found to have become worse, or ""."""
        return _day(self.standing.worse_at) if self.standing.worse_at else ""

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
                _compared(standing.people),
                _audit(standing),
                money_of(asked.get(str(model), [])),
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


_AGREES = {
    "boxes": "agreement with people about boxes",
    "missing": "agreement with people about missing boxes",
}


def _compared(people: Mapping[str, Any]) -> list[Compared]:
    """Return a row for each figure that there is something to say of."""
    found = []
    for name, about in _AGREES.items():
        if (one := people.get(name)) and one["things"]:
            says = f"alike in {_share(one['alike'])}"
            found.append(Compared(about, *_figure(one["kappa"]), say(one["things"]), says))
    if (one := people.get("errors")) and one["things"]:
        wrong = f"the model is wrong in {_share(one['model'])}, people in {_share(one['people'])}"
        value = _figure(one["correlation"])
        found.append(Compared("errors in common, on known images", *value, say(one["things"]), wrong))
    return found


def _figure(interval: Sequence[float | None]) -> tuple[str, str]:
    value, low, high = interval
    if value is None:
        return UNKNOWN, "too much alike to tell"
    bounds = "too few images" if low is None or high is None else f"{low:.2f} to {high:.2f}"
    return f"{value:.2f}", bounds


def _audit(standing: ModelStanding) -> Audit | None:
    """Return what the audit found, if a gate is open and its record says so. Loads numpy."""
    if (found := standing.audit) is None:
        return None
    from workflows.judges.domain.gate import MIN_SURPRISE
    from workflows.suggestions.domain.effects import share_of

    rate = share_of(found["contradicted"], found["things"])
    said, opened = say_count(found["answers"], "sealed answer"), _day(found["opened_at"])
    contradicted = "workers have judged none of what they say"
    if found["things"]:
        what = f"{say(found['contradicted'])} of the {say(found['things'])} things that they say"
        contradicted = f"most workers contradict {what}"
    return Audit(
        f"{said} of kinds that count, since {opened}: {contradicted}",
        UNKNOWN if rate.value is None else _share(rate.value),
        "" if rate.low is None or rate.high is None else f"{_share(rate.low)} to {_share(rate.high)}",
        standing.evidence,
        MIN_SURPRISE,
    )


def _day(said: str) -> str:
    return f"{datetime.fromisoformat(said):%-d %b %Y, %H:%M}" if said else "the beginning"


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
