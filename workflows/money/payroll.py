"""The payroll of direct workers, from the kept sums of their days, and marking it as paid."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.functions import Concat, Substr, TruncMonth

from annotation.models import Batch, Project, Worker
from workflows.core.audit_log import record_action
from workflows.core.time_slices import Turn
from workflows.money.domain.ledger import Account, Kind
from workflows.money.domain.payroll import Line, Period, PeriodError, month_of
from workflows.money.earnings import pay_out_earnings
from workflows.money.models import Earned, LedgerEntry, LedgerLine

LINES_AT_ONCE = 500
_SUMS = ("pages", "milliseconds", "earned", "paid")


@dataclass(frozen=True, slots=True)
class Payroll:
    """Part of a period's table, and the totals of the whole table, one for each currency."""

    lines: Sequence[Line]
    totals: Sequence[Line]
    after: int  # the last worker's id if there are more, else 0


def payroll(project: Project, period: Period) -> Iterator[Line]:
    """Yield a line for each worker and currency, sorted by the workers' names, as of one moment.

    A page counts in the period in which it was earned.
    """
    return _lines(_earned(project, period))


def payroll_page(project: Project, period: Period, *, workers: int, after: int = 0) -> Payroll:
    """Return the lines of at most `workers` workers, sorted by name, after the worker with the id `after`.

    If the project has no such worker, they begin with the first. Makes four queries.
    """
    here = Worker.objects.filter(project=project).order_by("provider", "external_id")
    # A worker's pages are all of one project.
    days = Earned.objects.filter(day__range=(period.first, period.last))
    found = here.filter(Exists(days.filter(worker=OuterRef("pk"))))
    last = here.filter(pk=after).values_list("provider", "external_id").first() if after else None
    if last is not None:
        # The first filter follows from the second; it tells the database where in the index to begin.
        found = found.filter(provider__gte=last[0])
        found = found.filter(Q(provider__gt=last[0]) | Q(provider=last[0], external_id__gt=last[1]))
    ids = list(found.values_list("pk", flat=True)[: workers + 1])
    shown = ids[:workers]
    totals = _earned(project, period).order_by("currency").values("currency").annotate(*map(Sum, _SUMS))
    return Payroll(
        lines=list(_lines(days.filter(worker__in=shown))),
        totals=[_line("", "", row) for row in totals],
        after=shown[-1] if len(ids) > workers else 0,
    )


def months_due(project: Project) -> list[Period]:
    """Return the months of which something is due, the earliest first. One query."""
    due = Earned.objects.filter(batch__project=project, paid__lt=F("earned"))
    months = due.annotate(month=TruncMonth("day")).order_by("month").values_list("month", flat=True)
    return [month_of(month) for month in months.distinct()]


def unpaid_in(project: Project, period: Period) -> QuerySet[LedgerLine]:
    """Return the lines of the project's earnings in the period that have not been paid since."""
    token = Concat(Value(f"{Kind.PAYROLL}:"), Substr(OuterRef("entry__token"), len(f"{Kind.EARN}:") + 1))
    paid = LedgerEntry.objects.filter(token=token)
    return LedgerLine.objects.filter(
        ~Exists(paid),
        entry__batch__project=project,
        entry__kind=Kind.EARN,
        entry__created_at__gte=period.since,
        entry__created_at__lt=period.until,
        account=Account.PAYABLE,
    )


def _earned(project: Project, period: Period) -> QuerySet[Earned]:
    batches = Batch.objects.filter(project=project)
    return Earned.objects.filter(batch__in=batches, day__range=(period.first, period.last))


def _lines(earned: QuerySet[Any]) -> Iterator[Line]:
    names = {"provider": F("worker__provider"), "name": F("worker__external_id")}
    rows = earned.values("worker", "currency", **names).annotate(*map(Sum, _SUMS))
    for row in rows.order_by("provider", "name", "currency").iterator(LINES_AT_ONCE):
        yield _line(row["provider"], row["name"], row)


def _line(provider: str, worker: str, row: Mapping[str, Any]) -> Line:
    return Line(provider, worker, row["currency"], *(row[f"{name}__sum"] for name in _SUMS))


AT_ONCE = 500


def mark_paid(*, project: Project, period: Period, by: str, now: datetime, turn: Turn | None = None) -> int:
    """Mark everything that was earned in the period as paid; return how many entries were not marked yet.

    A second call, also at the same time, marks each entry once. If the `turn` has no time for some,
    `turn.cut` is set. Raises PeriodError if the period is not over, because later earnings would be marked
    although the table did not have them.
    """
    if not period.is_over(now):
        raise PeriodError(f"to: {period.last} is not over (UTC); only what is complete can be marked as paid")
    unpaid: dict[int, list[str]] = defaultdict(list)
    rows = unpaid_in(project, period).order_by("pk")
    for batch, token in rows.values_list("entry__batch", "entry__token"):
        unpaid[batch].append(token.removeprefix(f"{Kind.EARN}:"))
    marked = 0
    memo = f"payroll {period.first} to {period.last}, by {by}"
    parts = (
        (batch, tokens[start : start + AT_ONCE])
        for batch, tokens in sorted(unpaid.items())
        for start in range(0, len(tokens), AT_ONCE)
    )
    for batch, part in (turn or Turn()).each(parts):
        marked += pay_out_earnings(batch_id=batch, tokens=part, now=now, memo=memo)
    if marked:
        _record("payroll.paid", project, period, by, now, {"entries": marked})
    return marked


def record_export(*, project: Project, period: Period, by: str, now: datetime) -> None:
    """Log that somebody took the table, which has the workers' names and what they earned."""
    _record("payroll.export", project, period, by, now, {})


def _record(
    action: str, project: Project, period: Period, by: str, now: datetime, detail: dict[str, int]
) -> None:
    days = {"from": period.first.isoformat(), "to": period.last.isoformat()}
    record_action(
        by=by,
        action=action,
        now=now,
        project=project,
        kind="project",
        object=project.name,
        object_id=project.pk,
        detail={**days, **detail},
    )
