"""What each day brought and cost, beside the forecast of the batch's launch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date

from console.common.charts import lines
from console.common.elements import NOT_YET, Section
from console.common.labels import HOURS
from console.common.numbers import UNKNOWN, amounts, say, say_count
from console.common.ranges import say_hours, say_plan
from console.dashboards.throughput import dates_until
from workflows.analysis.counts.selectors import Kept
from workflows.batches.domain.forecast import Range
from workflows.batches.domain.plan import Plan

NEWEST = 31
"""Days in the table. The charts have more, with the numbers."""


def days(kept: Kept, plan: Plan | None = None) -> Section:
    """Return judgments, hours of answers and rewards by day (UTC). `plan` is the forecast of the launch."""
    hours, money = kept.hours, kept.money
    if hours is None or money is None:
        return Section("days", "Days", note=NOT_YET)
    judged = {day: sum(counts.values()) for day, counts in hours.days}
    found = sorted({*judged, *hours.seconds, *money.days}, reverse=True)
    if not found:
        return Section("days", "Days", note="No answer so far.")
    all_rewards = Counter[str]()
    for one in money.days.values():
        all_rewards.update(one)
    rows: list[Sequence[str]] = []
    if plan:
        rows.append(("forecast at the launch", *say_plan(plan)))
    rows.append(("all days", *_row(sum(judged.values()), sum(hours.seconds.values()), all_rewards)))
    for day in found[:NEWEST]:
        row = _row(judged.get(day, 0), hours.seconds.get(day, 0), money.days.get(day, {}))
        rows.append((f"{date.fromisoformat(day):%-d %b %Y}", *row))
    today = kept.times["hours"].astimezone(UTC).date()
    times = dates_until(today, first=date.fromisoformat(found[-1]))
    worked = [hours.seconds.get(str(day), 0) / 3600 for day in times]
    charts = [lines("Hours of answers a day", times, {"hours": worked}, unit="h")]
    return Section(
        "days",
        "Days",
        charts,
        note=" ".join(_notes(plan)),
        header=("day (UTC)", "judgments", "hours of answers", "rewards"),
        rows=rows,
    )


def _notes(plan: Plan | None) -> Iterator[str]:
    if plan:
        yield (
            f"Forecast: the middle and the range for {say_count(plan.images, 'image')} and "
            f"{say_count(plan.workers, 'worker')}, as it was at the launch."
        )
    yield (
        f"Hours of answers: of all workers together, {HOURS}. "
        "Rewards: of submitted pages, without fees and bonuses."
    )


def _row(judgments: int, seconds: float, rewards: Mapping[str, int]) -> tuple[str, str, str]:
    hours, _ = say_hours(Range(*[seconds / 3600] * 3))
    return (
        say(judgments),
        hours if seconds else UNKNOWN,
        amounts(rewards) if rewards else UNKNOWN,
    )
