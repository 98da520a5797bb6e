"""Count the work: items, judgments, judgments by the hour, money."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, Sum

from annotation.domain.answers import DRAWS_BOXES
from annotation.models import IS_RIGHT, Abstention, Assignment, Batch, ImageWork, Item, Standing
from workflows.analysis.counts.agreement import agreement_of, mean_iou_of
from workflows.analysis.counts.targets import Hour, Target, rows_of, tenth
from workflows.analysis.domain.kept_counts import (
    FIRST,
    FURTHER,
    RELEASED,
    SHORT,
    Hours,
    Items,
    Judgments,
    Money,
    Photographs,
    StageItems,
    StageJudgments,
    Sums,
    Times,
)
from workflows.analysis.domain.photographs import Held, count_photographs, first_campaign
from workflows.analysis.domain.refresh_rules import cost_to_come, quantiles
from workflows.analysis.outcomes import AT_ONCE
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.selectors import short_of_captions
from workflows.questions.domain.retirement import VOID

HOURLY = timedelta(days=14)
"""Judgments of this last time are counted by the hour, older ones by the day."""

_OPEN = Q(state=Item.State.OPEN, work__active=True)
_LET_GO = Q(state=Item.State.WITHDRAWN) | Q(state=Item.State.OPEN, work__active=False)
_CHECKED = Q(question__isnull=False) & ~Q(question__retired=VOID)
# Names with a prefix, since some are names of columns, too.
_ITEMS = {
    "n_open": Count("pk", filter=_OPEN & Q(leased=0, judged=0)),
    "n_leased": Count("pk", filter=_OPEN & Q(leased__gt=0)),
    "n_waiting": Count("pk", filter=_OPEN & Q(leased=0, judged__gt=0)),
    "n_done": Count("pk", filter=Q(state=Item.State.DONE)),
    "n_withdrawn": Count("pk", filter=_LET_GO),
    "n_judgments_to_come": Sum(F("needed") - F("judged"), filter=_OPEN, default=0),
    "n_judged": Sum("judged", filter=Q(work__active=True), default=0),
}
ANSWERS = {
    "n_judgments": Count("item"),
    "n_set_aside": Count("set_aside"),
    "n_asked": Count("pk", filter=_CHECKED),
    "n_right": Count("pk", filter=_CHECKED & IS_RIGHT),
    "n_all": Count("pk"),
}
"""Counts of judgments. Answers to void questions count neither as asked nor as right."""
_OF_TRUSTED = {
    "n_trusted_asked": Count("pk", filter=_CHECKED),
    "n_trusted_right": Count("pk", filter=_CHECKED & IS_RIGHT),
    "n_trusted_seconds": Sum("seconds", default=0.0),
    "n_trusted_timed": Count("seconds"),
}
_BELOW = (Assignment.Verdict.FAILING, Assignment.Verdict.REJECTED)


def _named(row: dict[str, Any]) -> dict[str, Any]:
    return {name.removeprefix("n_"): value for name, value in row.items()}


def count_items(target: Target, now: datetime) -> Items:
    """Count items by stage and images by state. Items of released images count as withdrawn."""
    rows = target.items().values("stage").annotate(**_ITEMS)
    found = {row.pop("stage"): StageItems(**_named(row)) for row in rows_of(rows)}
    short = short_of_captions(target.works())
    works = target.works().values_list("image_id", "batch_id", "campaign", "state", "active", "pk")
    batches = Batch.objects.filter(pk__in=target.batch_ids)
    stops = {batch.pk: settings_of(batch).target for batch in batches}
    held = (
        Held(image, batch, campaign, SHORT if pk in short else state, active)
        for image, batch, campaign, state, active, pk in works.iterator(AT_ONCE)
    )
    counted = count_photographs(held, stops)
    campaign = first_campaign(counted)
    first = counted.pop(campaign, Photographs())
    return Items(
        stages={stage: found.get(stage, StageItems()) for stage in target.stages()},
        images={state: first.states.get(state, 0) for state in (*ImageWork.State.values, SHORT, RELEASED)},
        wanted=first.wanted,
        campaign=campaign,
        beside=counted,
    )


def count_judgments(target: Target, now: datetime) -> Judgments:
    """Count answers and pages by stage, with how long answers took and how far workers agree."""
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    times: dict[str, Counter[float]] = defaultdict(Counter)
    ways: dict[str, dict[str, Counter[float]]] = defaultdict(lambda: defaultdict(Counter))
    rows = target.judgments().values("assignment__stage", "drawn_by", "further", tenth=tenth())
    for row in rows_of(rows.annotate(**ANSWERS)):
        stage, seconds = row.pop("assignment__stage"), row.pop("tenth")
        drawn_by, way = row.pop("drawn_by"), FURTHER if row.pop("further") else FIRST
        counts = _named(row)
        everything = counts.pop("all")
        totals[stage].update(counts)
        if seconds is not None:
            times[stage][float(seconds)] += everything
            ways[stage][way][float(seconds)] += everything
            if drawn_by:
                ways[stage][drawn_by][float(seconds)] += everything
    submitted = target.pages().filter(state=Assignment.State.SUBMITTED)
    pages = submitted.values("stage").annotate(
        pages=Count("pk"),
        workers=Count("worker", distinct=True),
        rejected_pages=Count("pk", filter=Q(verdict__in=_BELOW)),
        pages_judged=Count("pk", filter=Q(verdict__in=(*_BELOW, Assignment.Verdict.ACCEPTED))),
    )
    for row in rows_of(pages):
        totals[row.pop("stage")].update(row)
    trusted = Standing.objects.filter(
        worker=OuterRef("worker"), stage=OuterRef("assignment__stage"), state=Standing.State.TRUSTED
    )
    of_trusted = target.judgments().filter(Exists(trusted)).values("assignment__stage")
    for row in rows_of(of_trusted.annotate(**_OF_TRUSTED)):
        totals[row.pop("assignment__stage")].update(_named(row))
    return Judgments(
        {stage: _stage(target, stage, totals[stage], times[stage], ways[stage]) for stage in target.stages()}
    )


def _stage(
    target: Target,
    stage: str,
    totals: Counter[str],
    times: Counter[float],
    ways: Mapping[str, Counter[float]],
) -> StageJudgments:
    median, p90, p99 = quantiles(times, (0.5, 0.9, 0.99))
    seconds, timed = totals.pop("trusted_seconds", 0), totals.pop("trusted_timed", 0)
    return StageJudgments(
        **totals,
        trusted_mean=round(seconds / timed, 1) if timed else None,
        agreement=agreement_of(target, stage) if totals["judgments"] else None,
        mean_iou=mean_iou_of(target, stage) if stage in DRAWS_BOXES and totals["asked"] else None,
        median=median,
        p90=p90,
        p99=p99,
        # If every question is the first about its photograph, there is nothing to set beside it.
        ways={way: _times(of) for way, of in sorted(ways.items()) if way != FIRST or FURTHER in ways},
    )


def _times(times: Counter[float]) -> Times:
    median, p90 = quantiles(times, (0.5, 0.9))
    return Times(times.total(), median, p90)


def count_hours(target: Target, now: datetime) -> Hours:
    """Count judgments on items by hour and day, and the seconds of all answers by day."""
    hours: dict[str, Counter[str]] = defaultdict(Counter)
    days: dict[str, Counter[str]] = defaultdict(Counter)
    seconds: dict[str, float] = defaultdict(float)
    rows = target.judgments().values("assignment__stage", hour=Hour("created_at"))
    since = (now - HOURLY).strftime("%Y-%m-%dT%H")
    for row in rows_of(rows.annotate(n=Count("item"), time=Sum("seconds", default=0.0))):
        hour = row["hour"].replace(" ", "T")
        seconds[hour[:10]] += row["time"]
        if not row["n"]:
            continue
        days[hour[:10]][row["assignment__stage"]] += row["n"]
        if hour >= since:
            hours[hour][row["assignment__stage"]] += row["n"]
    abstentions = Abstention.objects.filter(assignment__batch__in=target.batch_ids).order_by()
    for row in rows_of(
        abstentions.values(hour=Hour("created_at")).annotate(time=Sum("seconds", default=0.0))
    ):
        seconds[row["hour"][:10]] += row["time"]
    by_day = {day: round(seconds[day]) for day in sorted(seconds)}
    return Hours(hours=_in_order(hours), days=_in_order(days), seconds=by_day)


def _in_order(counts: dict[str, Counter[str]]) -> tuple[tuple[str, dict[str, int]], ...]:
    return tuple((time, dict(counts[time])) for time in sorted(counts))


def count_money(target: Target, now: datetime) -> Money:
    """Sum up rewards. Pages count with the reward promised at their claim, work to come with today's."""
    sums: dict[str, dict[str, int]] = defaultdict(lambda: {"spent": 0, "held": 0, "to_come": 0})
    paid = {Assignment.State.SUBMITTED.value: "spent", Assignment.State.LIVE.value: "held"}
    pages = target.pages().filter(state__in=paid, reward__gt=0)
    days: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows_of(
        pages.values("state", "currency", hour=Hour("submitted_at")).annotate(total=Sum("reward"))
    ):
        sums[row["currency"]][paid[row["state"]]] += row["total"]
        if row["state"] == Assignment.State.SUBMITTED:
            days[row["hour"][:10]][row["currency"]] += row["total"]
    wanted = target.items().filter(_OPEN).values_list("batch_id", "stage")
    to_come: dict[int, dict[str, int]] = defaultdict(dict)
    # Judgments that live pages will bring are in `held` already.
    for batch_id, stage, total in wanted.annotate(total=Sum(F("needed") - F("judged") - F("leased"))):
        to_come[batch_id][stage] = total
    for pk, batch in Batch.objects.in_bulk(list(to_come)).items():
        settings = settings_of(batch)
        if cost := cost_to_come(to_come[pk], settings):
            sums[settings.currency]["to_come"] += cost
    return Money(
        {currency: Sums(**found) for currency, found in sorted(sums.items())},
        days={day: dict(days[day]) for day in sorted(days)},
    )
