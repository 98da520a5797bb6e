"""What suggestions did in a batch: charts with intervals of its kept figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.models import Batch, Decision, SuggestionStop, Worker
from console.common.charts import Chart, Span, bars
from console.common.elements import NOT_YET, Section
from console.common.numbers import say
from workflows.analysis.domain.kept_counts import BadAccepted, ByScore, Interval, Suggestions
from workflows.limits.domain import say as say_stop
from workflows.suggestions.batch_effects import MAX_ANSWERS
from workflows.suggestions.selectors import stops_of

NAME, TITLE = "suggestions", "What suggestions do"
MAX_STOPS = 10
"""Stops that the page lists, the newest of those that hold first."""
GROUPS = ("with suggestions", "without")
WITH_INTERVAL = "with its 95% interval"


@dataclass(frozen=True, slots=True)
class Stop:
    """Why somebody is shown no suggestions, or was shown none for a time."""

    pk: int
    who: str
    again: str
    why: str
    at: datetime
    resumed: Decision | None


@dataclass(frozen=True, slots=True)
class Stops:
    """What has switched suggestions off in a batch: what holds, what did, and how many are not listed."""

    hold: Sequence[Stop]
    past: Sequence[Stop]
    more: int


def stops(batch: Batch) -> Stops:
    """Return the stops of the batch and of its workers. One query."""
    found = stops_of(batch)
    hold = [_stop(one) for one in found if one.resumed is None]
    past = [_stop(one) for one in found if one.resumed is not None]
    room = max(MAX_STOPS - len(hold), 0)
    return Stops(hold[:MAX_STOPS], past[:room], len(found) - len(hold[:MAX_STOPS]) - len(past[:room]))


def _stop(one: SuggestionStop) -> Stop:
    who = f"Worker {one.worker.external_id} is not" if one.worker else "Nobody in this batch is"
    again = f"Worker {one.worker.external_id} is" if one.worker else "Workers of this batch are"
    return Stop(one.pk, who, again, say_stop(one.reason, one.figures), one.created_at, one.resumed)


def suggestions(found: Suggestions | None) -> Section:
    """Return the section of a batch that shows suggestions. One query, for the names of workers."""
    if found is None:
        return Section(NAME, TITLE, note=NOT_YET)
    both = (found.with_them, found.without)
    if not any(one.answers for one in both):
        return Section(NAME, TITLE, note="No first boxes were drawn yet.")
    return Section(
        NAME,
        TITLE,
        [
            _compared("Median seconds of an answer", [one.seconds for one in both], "s"),
            _compared("Judged boxes that are good", [one.good for one in both], "%"),
            _compared("Chains where a check missed a box", [one.overlooked for one in both], "%"),
            _compared("Boxes a chain", [one.boxes for one in both]),
            _compared("Mean side of a box, of the photograph’s", [one.side for one in both], "%"),
            _by_score(found.by_score),
        ],
        note=_note(found),
        header=("Worker", "Bad suggestions shown", "accepted", "share", "95% interval")
        if found.bad.shown
        else (),
        rows=_bad_rows(found) if found.bad.shown else (),
    )


def _compared(title: str, values: Sequence[Interval], unit: str = "") -> Chart:
    scale = 100 if unit == "%" else 1
    scaled = [[None if one is None else round(scale * one, 2) for one in value] for value in values]
    spans: list[Span | None] = [
        None if low is None or high is None else (low, high) for _, low, high in scaled
    ]
    series = {WITH_INTERVAL: [value for value, _, _ in scaled]}
    return bars(title, GROUPS, series, unit=unit, horizontal=True, spans={WITH_INTERVAL: spans})


def _by_score(found: Sequence[ByScore]) -> Chart:
    ends = [*(one.low for one in found[1:]), 1.0][: len(found)]
    return bars(
        "Suggestions shown, by their score",
        [f"{one.low:.1f} to {end:.1f}: {say(one.shown)}" for one, end in zip(found, ends, strict=True)],
        {
            "accepted": [_share(one.accepted, one.shown) for one in found],
            "adjusted": [_share(one.adjusted, one.shown) for one in found],
            "right, if accepted": [_share(one.right, one.checked) for one in found],
        },
        unit="%",
        horizontal=True,
        references={
            "the score itself": [
                50 * (one.low + end) if one.shown else None for one, end in zip(found, ends, strict=True)
            ]
        },
    )


def _note(found: Suggestions) -> str:
    with_them, without = found.with_them.answers, found.without.answers
    said = (
        f"{say(with_them)} answers about photographs with suggestions and {say(without)} about those "
        "without, which are drawn by chance: what differs beyond the 95% intervals is due to the "
        "suggestions. One photograph alone has no interval. Right: the check accepted the box. A bad "
        "suggestion is about a known image, and overlaps no known box with an IoU of .5 or more."
    )
    if with_them + without >= MAX_ANSWERS:
        said += f" Only the newest {say(MAX_ANSWERS)} answers are looked at."
    if not without:
        said += " No photograph is without suggestions, so nothing can be compared."
    if found.bad.shown and found.workers > len(found.bad_of_workers):
        more = found.workers - len(found.bad_of_workers)
        said += f" {say(more)} more workers, who accepted fewer, are not listed."
    return said


def _bad_rows(found: Suggestions) -> list[tuple[str, ...]]:
    names = _names([worker for worker, _ in found.bad_of_workers])
    return [
        _bad_row("all workers", found.bad),
        *(_bad_row(names.get(worker, str(worker)), one) for worker, one in found.bad_of_workers),
    ]


def _names(workers: Sequence[int]) -> Mapping[int, str]:
    return dict(Worker.objects.filter(pk__in=workers).values_list("pk", "external_id"))


def _bad_row(name: str, one: BadAccepted) -> tuple[str, ...]:
    share, low, high = one.share
    bounds = "" if low is None or high is None else f"{_per_cent(low)} to {_per_cent(high)}"
    return (name, say(one.shown), say(one.accepted), _per_cent(share), bounds)


def _per_cent(share: float | None) -> str:
    return say(None if share is None else round(100 * share, 1), "%")


def _share(part: int, of: int) -> float | None:
    return 100 * part / of if of else None
