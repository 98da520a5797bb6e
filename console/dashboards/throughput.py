"""How fast judgments come in, and when they will have come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from annotation.domain.protocols import ALL_STAGES, Campaign, campaign_stages
from console.common.charts import Chart, lines
from console.common.elements import NOT_YET, Section
from console.common.labels import STAGES
from console.common.numbers import say_count
from workflows.analysis.counts.selectors import Kept
from workflows.analysis.domain.kept_counts import Counts, Items
from workflows.batches.domain.end_of_work import (
    DONE,
    PAUSED,
    End,
    Left,
    Work,
    forecast_end,
    last_end,
    left,
    sum_of,
)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MAX_DAYS = 366
"""Days on a chart. Exports have the days before them."""


def throughput(kept: Kept) -> Section:
    """Return charts of judgments an hour in the last 14 days, and a day by stage."""
    if kept.hours is None:
        return Section("throughput", "Throughput", note=NOT_YET)
    counted_at = kept.times["hours"]
    hours = hours_of(kept)
    days = [(date.fromisoformat(day), counts) for day, counts in kept.hours.days]
    return Section(
        "throughput",
        "Throughput",
        [_an_hour(hours, counted_at), _a_day(days[-MAX_DAYS:], counted_at.astimezone(UTC).date())],
        note="Hours and days of UTC. The last hour and day are not over.",
    )


def hours_of(kept: Kept) -> list[tuple[datetime, int]]:
    """Return the start of each hour with judgments, and their number in all stages."""
    given = kept.hours.hours if kept.hours else ()
    return [(datetime.fromisoformat(f"{hour}:00+00:00"), sum(counts.values())) for hour, counts in given]


@dataclass(frozen=True, slots=True)
class Coming:
    """When work ends, and the judgments until then: None if they were not counted yet."""

    end: End
    rest: Left | None


def coming(kept: Kept, *, running: bool, for_somebody_new: int = 0, for_questions: int = 0) -> Coming:
    """Return what is to come of a batch, or of a project in which no batch is under way. See `end_of`."""
    end = end_of(kept, running=running, for_somebody_new=for_somebody_new, for_questions=for_questions)
    if kept.items is None:
        return Coming(end, None)
    work = work_of(kept.items)
    rest = left(work)
    # What is asked later is estimated only if workers can go on now.
    return Coming(end, rest if running and not work.in_review else Left(rest.least, None, None))


def coming_of_all(running: Sequence[Coming], paused: Sequence[Coming]) -> Coming:
    """Return what is to come of these batches together."""
    ends = [one.end for one in running]
    ends += [one.end if one.end.unknown == DONE else End(unknown=PAUSED) for one in paused]
    return Coming(last_end(ends), sum_of([one.rest for one in (*running, *paused)]))


def end_of(kept: Kept, *, running: bool, for_somebody_new: int = 0, for_questions: int = 0) -> End:
    """Return when the work will probably end, from the kept counts.

    `for_somebody_new` counts the answers that nobody who is there can give, and `for_questions` those that
    wait until there are more verification questions.
    """
    if kept.items is None or kept.hours is None:
        return End(unknown=NOT_YET)
    # As of the hours: they end when they were counted, whatever else was counted before.
    now = kept.times["hours"]
    work = replace(work_of(kept.items), for_somebody_new=for_somebody_new, for_questions=for_questions)
    return forecast_end(work, hours_of(kept), now=now, running=running)


def work_of(items: Items) -> Work:
    """Return the input of the forecast."""
    own = campaign_stages(items.campaign)
    to_come = sum(one.judgments_to_come for stage, one in items.stages.items() if stage in own)
    return Work(
        judgments=sum(one.judged for stage, one in items.stages.items() if stage in own),
        to_come=to_come,
        images=items.wanted,
        images_done=items.of(Campaign(items.campaign)).over,
        images_begun=sum(items.images.get(state, 0) for state in ("linking", "boxing", "asking")),
        asked=any(one.unfinished for one in items.stages.values()),
        beside=items.judgments_to_come - to_come,
        images_beside=sum(one.wanted - one.over for one in items.beside.values()),
    )


def say_end(end: End, cases: int = 0, *, to_ground: bool = False, short: int = 0) -> tuple[str, str]:
    """Return the likely end, and its range or why there is no forecast.

    `cases` wait for a researcher. `to_ground` is whether captions wait until somebody has them grounded.
    So many photographs are `short` of captions.
    """
    if end.unknown == DONE and cases:
        return "workers are done", f"{say_count(cases, 'case waits', 'cases wait')} for a researcher."
    if end.unknown == DONE and short:
        return (
            "workers are done",
            f"{say_count(short, 'photograph is', 'photographs are')} short of captions.",
        )
    if end.unknown == DONE and to_ground:
        return "workers are done", "The captions can be grounded."
    value = _day(end.likely) if end.likely else "done" if end.unknown == DONE else "not known"
    if end.earliest is None and end.latest is None:
        return value, end.unknown
    first = f"at the earliest {_day(end.earliest)}" if end.earliest else ""
    last = f"at the latest {_day(end.latest)}" if end.latest else "no latest day can be told"
    # The forecast of the batch says how long it takes if workers are always at work.
    return value, f"At the pace so far: {', '.join(part for part in (first, last) if part)}."


def _day(time: datetime) -> str:
    return f"{time:%-d %b %Y}"


def _an_hour(hours: Sequence[tuple[datetime, int]], counted_at: datetime) -> Chart:
    known = dict(hours)
    times: list[datetime] = []
    time = min(known, default=counted_at)
    while time <= counted_at and len(times) < 15 * 24:
        times.append(time)
        time += HOUR
    return lines("Judgments an hour", times, {"judgments": [known.get(time, 0) for time in times]})


def dates_until(today: date, *, first: date) -> list[date]:
    """Return the dates from the first one to today, at most the last MAX_DAYS."""
    return [first + place * DAY for place in range(max((today - first).days + 1, 0))][-MAX_DAYS:]


def _a_day(days: Sequence[tuple[date, Counts]], today: date) -> Chart:
    known = dict(days)
    times = dates_until(today, first=min(known, default=today))
    series = {
        STAGES[stage]: [known.get(day, {}).get(stage, 0) for day in times]
        for stage in ALL_STAGES
        if any(stage in counts for counts in known.values())
    }
    return lines("Judgments a day", times, series)
