"""Count what each worker did so far, in few queries for many workers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Max, Q, Sum

from annotation.models import Abstention, Assignment, Decision, Judgment, Worker
from workflows.analysis.counts.agreement import agreement_of_workers
from workflows.analysis.counts.targets import rows_of, stages_used, tenth
from workflows.analysis.counts.work import ANSWERS
from workflows.analysis.domain.kept_counts import WorkerStage
from workflows.analysis.domain.refresh_rules import quantiles
from workflows.analysis.models import WorkerCounts

OVERLAP = 20_000
"""Judgments before the mark that are read again: some may be committed after others with a higher id."""
_NUMBERS = {"judgments": "n_judgments", "questions": "n_asked", "right": "n_right"}
_Key = tuple[int, str]
"""A worker and a stage."""


def newest_judgment() -> int:
    """Return the id of the newest judgment, or 0 if there is none."""
    return Judgment.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def all_workers(project_id: int) -> list[int]:
    """Return the ids of all workers of the project, also of those without judgments."""
    return list(Worker.objects.filter(project=project_id).order_by("pk").values_list("pk", flat=True))


def changed_workers(project_id: int, *, mark: int, now: datetime) -> list[int]:
    """Return the workers (ids) with newer answers or decisions than their figures, in the order of ids.

    Reads judgments from `mark` minus OVERLAP on. Also returns workers whose figures are from after `now`: the
    clock was set back since, so it cannot be told whether they are newer than what changed.
    """
    through = dict(WorkerCounts.objects.filter(project=project_id).values_list("worker_id", "through"))
    given = Judgment.objects.filter(worker__project=project_id, pk__gt=max(0, mark - OVERLAP)).order_by()
    newest = given.values_list("worker_id").annotate(Max("pk"))
    found = {worker for worker, pk in newest if pk > through.get(worker, 0)}
    decided = Decision.objects.filter(project=project_id, worker__isnull=False).order_by()
    last = decided.values("worker").annotate(last=Max("created_at")).values_list("worker", "last")
    times = dict(last)
    counted = WorkerCounts.objects.filter(worker__in=times).values_list("worker_id", "counted_at")
    found.update(worker for worker, counted_at in counted if times[worker] >= counted_at)
    since = Q(created_at__gte=F("worker__counts__counted_at")) | Q(worker__counts=None)
    abstained = Abstention.objects.filter(since, worker__project=project_id)
    found.update(abstained.order_by().values_list("worker_id", flat=True).distinct())
    ahead = WorkerCounts.objects.filter(project=project_id, counted_at__gt=now)
    found.update(ahead.values_list("worker_id", flat=True))
    return sorted(found)


def count_workers(project_id: int, workers: Collection[int], now: datetime) -> list[WorkerCounts]:
    """Return the unsaved figures of these workers. Those who neither answered nor abstained are left out."""
    numbers: dict[_Key, Counter[str]] = defaultdict(Counter)
    times: dict[_Key, Counter[float]] = defaultdict(Counter)
    seconds: dict[_Key, float] = defaultdict(float)
    through: dict[int, int] = {}
    last: dict[int, datetime] = {}
    given = Judgment.objects.filter(worker__in=workers).order_by()
    rows = given.values("worker_id", "assignment__stage", tenth=tenth()).annotate(
        **ANSWERS, n_seconds=Sum("seconds", default=0.0), newest=Max("pk"), last=Max("created_at")
    )
    for row in rows_of(rows):
        worker, stage = row["worker_id"], row["assignment__stage"]
        for name, column in _NUMBERS.items():
            numbers[worker, stage][name] += row[column]
        if row["tenth"] is not None:
            times[worker, stage][float(row["tenth"])] += row["n_all"]
        seconds[worker, stage] += row["n_seconds"]
        through[worker] = max(row["newest"], through.get(worker, 0))
        last[worker] = max(row["last"], last.get(worker, row["last"]))
    # As in the table of days: what a worker could not answer took time, too.
    abstained = Abstention.objects.filter(worker__in=workers).order_by()
    for row in rows_of(
        abstained.values("worker_id", "assignment__stage").annotate(time=Sum("seconds", default=0.0))
    ):
        key = row["worker_id"], row["assignment__stage"]
        numbers[key].update()
        seconds[key] += row["time"]
    worked = {worker for worker, _ in seconds}
    agreed = {stage: agreement_of_workers(workers, stage) for stage in stages_used(project_id=project_id)}
    pages, earned = _pages(workers)
    return [
        _figures(
            {stage: numbers[worker, stage] for stage in agreed if (worker, stage) in numbers},
            {stage: times[worker, stage] for stage in agreed if (worker, stage) in times},
            {stage: found[worker] for stage, found in agreed.items() if worker in found},
            {stage: (pages[worker, stage], seconds[worker, stage]) for stage in agreed},
            worker_id=worker,
            project_id=project_id,
            earned=earned[worker],
            last_at=last.get(worker),
            through=through.get(worker, 0),
            counted_at=now,
        )
        for worker in workers
        if worker in worked
    ]


def _figures(
    numbers: dict[str, Counter[str]],
    times: dict[str, Counter[float]],
    agreed: dict[str, tuple[int, int]],
    work: dict[str, tuple[int, float]],
    **others: Any,
) -> WorkerCounts:
    stages = {
        stage: WorkerStage(
            **{name: counts[name] for name in _NUMBERS},
            agreement=_share(agreed.get(stage, (0, 0))),
            median_seconds=quantiles(times.get(stage, {}), (0.5,))[0],
            pages=work[stage][0],
            seconds=round(work[stage][1], 1),
        ).to_json()
        for stage, counts in numbers.items()
    }
    # A loop and not sum(): adding counters drops what is zero, and all that is wanted is the totals.
    totals: Counter[str] = Counter()
    everything: Counter[float] = Counter()
    for stage, counts in numbers.items():
        totals.update(counts)
        everything.update(times.get(stage, {}))
    pairs = list(agreed.values())
    return WorkerCounts(
        **{name: totals[name] for name in _NUMBERS},
        agreement=_share((sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs))),
        median_seconds=quantiles(everything, (0.5,))[0],
        stages=stages,
        **others,
    )


def _share(pair: tuple[int, int]) -> float | None:
    return pair[0] / pair[1] if pair[1] else None


def _pages(workers: Collection[int]) -> tuple[Counter[_Key], dict[int, dict[str, int]]]:
    """Return the submitted pages, and their rewards by worker and currency. Rejected pages are paid, too."""
    pages: Counter[_Key] = Counter()
    earned: dict[int, dict[str, int]] = defaultdict(dict)
    submitted = Assignment.objects.filter(worker__in=workers, state=Assignment.State.SUBMITTED).order_by()
    grouped = submitted.values("worker_id", "stage", "currency").annotate(n=Count("pk"), total=Sum("reward"))
    for row in rows_of(grouped):
        worker, currency = row["worker_id"], row["currency"]
        pages[worker, row["stage"]] += row["n"]
        if row["total"]:
            earned[worker][currency] = earned[worker].get(currency, 0) + row["total"]
    return pages, earned
