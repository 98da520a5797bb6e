"""Read how a model stands: what it answered, what came of it, and how good it has turned out to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from annotation.models import Item, ModelAnswer, ModelVersion
from workflows.judges.domain.kinds import NOTHING_MISSING, NOTHING_MISSING_BESIDE, PEOPLE
from workflows.judges.records import newest_record


@dataclass(frozen=True, slots=True)
class ModelStanding:
    """Numbers of a model's answers, and its newest record: rates with their bounds by kind of answer."""

    asked: int  # items that waited for it
    late: int  # of these, those it did not answer in time
    sealed: int  # answers that weigh nothing
    counted: int  # answers with a weight
    settled: int  # of these, those that no worker was asked after
    known: int  # answers to questions whose answer is known
    set_aside: int
    rates: Mapping[str, Mapping[str, Any]]
    open: frozenset[str]  # the kinds of answers that may count
    people: Mapping[str, Any]  # how its answers compare with people's; {} if no record says so
    audit: Mapping[str, Any] | None  # what sealed answers since a gate opened say; None: none is open
    evidence: float  # that it has become worse: at MIN_SURPRISE its answers count no more
    worse_at: str  # when it was found to have become worse, in ISO 8601, or ""


def standing_of(model: ModelVersion) -> ModelStanding:
    """Return how the model stands. Two queries."""
    answers = ModelAnswer.objects.filter(model=model)
    items, counting = Q(item__isnull=False), Q(item__isnull=False, set_aside=None, answer__isnull=False)
    weighed = counting & Q(weights__isnull=False)
    counts = answers.aggregate(
        asked=Count("pk", filter=items),
        late=Count("pk", filter=items & Q(answer__isnull=True)),
        sealed=Count("pk", filter=counting & Q(weights__isnull=True)),
        counted=Count("pk", filter=weighed),
        settled=Count("pk", filter=weighed & Q(item__state=Item.State.DONE, item__judged=0)),
        known=Count("pk", filter=Q(question__isnull=False)),
        set_aside=Count("pk", filter=Q(set_aside__isnull=False)),
    )
    record = newest_record(model)
    content = record.content if record else {"rates": {}, "open": []}
    return ModelStanding(
        **counts,
        rates=content["rates"],
        open=frozenset(content["open"]),
        people=content.get("people", {}),
        audit=content.get("audit"),
        evidence=max(content.get("evidence", {}).values(), default=0.0),
        worse_at=content.get("since_at", ""),
    )


def say_kind(kind: str) -> str:
    """Return what the answers of this kind are about, in words."""
    if kind == NOTHING_MISSING:
        return "whether anything is missing"
    if kind == NOTHING_MISSING_BESIDE:
        return "whether anything is missing beside suggestions"
    return "boxes that workers drew" if kind == PEOPLE else f"boxes that {kind} suggested"


def say_standing(model: ModelVersion, found: ModelStanding) -> list[str]:
    """Return the standing as lines of text."""
    lines = [
        f"{model} answered {found.asked - found.late:,} of {found.asked:,} questions in time: "
        f"{found.sealed:,} answers are sealed, {found.counted:,} count, and {found.settled:,} of these "
        "settled a chain alone"
    ]
    if found.known:
        lines.append(f"it answered {found.known:,} questions whose answer is known")
    if found.set_aside:
        lines.append(f"{found.set_aside:,} of its answers were set aside")
    for kind, rates in sorted(found.rates.items()):
        accuracy = rates["accuracy"]
        gate = "count" if kind in found.open else "do not count"
        lines.append(
            f"about {say_kind(kind)} it is right in {accuracy['value']:.1%} "
            f"({accuracy['low']:.1%} to {accuracy['high']:.1%}), by {rates['sealed']:,} sealed answers and "
            f"{rates['known']:,} to known questions: its answers {gate}"
        )
    if not found.rates:
        lines.append("too few answers so far to say how good it is")
    return lines
