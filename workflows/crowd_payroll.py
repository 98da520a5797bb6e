"""What workers whom we pay ourselves earned, from the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet, Value
from django.db.models.functions import Concat, Substr

from annotation.models import Assignment, Project
from workflows.crowd_times import seconds_worked
from workflows.domain.crowd.ledger import Account, Kind
from workflows.domain.crowd.payroll import Line, Period
from workflows.models import LedgerEntry, LedgerLine

LINES_AT_ONCE = 500
PAGE = f"{Kind.EARN}:page:"


def earned_in(project: Project, period: Period) -> QuerySet[Any]:
    """What was owed to workers of the project in the period; `is_paid` says whether it was paid since."""
    token = Concat(Value(f"{Kind.PAYROLL}:"), Substr(OuterRef("entry__token"), len(f"{Kind.EARN}:") + 1))
    paid = LedgerEntry.objects.filter(token=token)
    return LedgerLine.objects.filter(
        entry__batch__project=project,
        entry__kind=Kind.EARN,
        entry__created_at__gte=period.since,
        entry__created_at__lt=period.until,
        account=Account.PAYABLE,
    ).annotate(is_paid=Exists(paid))


def payroll(project: Project, period: Period) -> list[Line]:
    """A line a worker and currency, by their names. Pages are counted in the period they were owed in."""
    found: dict[tuple[int, str], Line] = {}
    rows = (
        earned_in(project, period)
        .order_by("pk")
        .values(
            "amount",
            "is_paid",
            currency=F("entry__currency"),
            token=F("entry__token"),
            page=F("entry__assignment"),
            worker=F("entry__worker"),
            provider=F("entry__worker__provider"),
            name=F("entry__worker__external_id"),
        )
    )
    for row, seconds in _with_seconds(rows.iterator(LINES_AT_ONCE)):
        key = row["worker"], row["currency"]
        line = found.setdefault(key, Line(row["provider"], row["name"], row["currency"]))
        line.earned -= row["amount"]
        if row["is_paid"]:
            line.paid -= row["amount"]
        if row["token"].startswith(PAGE):
            line.pages += 1
            line.seconds += seconds
    return sorted(found.values(), key=lambda line: (line.provider, line.worker, line.currency))


def _with_seconds(rows: Iterator[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], float]]:
    """Each with what its page took."""
    while some := list(islice(rows, LINES_AT_ONCE)):
        ids = {row["page"] for row in some if row["token"].startswith(PAGE)}
        pages = Assignment.objects.filter(pk__in=ids).only("created_at", "submitted_at", "late")
        seconds = seconds_worked(pages)
        yield from ((row, seconds.get(row["page"], 0.0)) for row in some)
