"""What a batch's entries say that workers whom we pay ourselves earned, and what is kept of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any
from uuid import UUID

from django.db.models import Case, F, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Concat, Substr

from annotation.models import Assignment
from workflows.crowd_times import seconds_worked
from workflows.domain.crowd.earned import PAGE, Key, Owed, Sums
from workflows.domain.crowd.ledger import Account, Kind
from workflows.models import Earned, LedgerEntry

ENTRIES_AT_ONCE = 2000


def entries_of(batch_id: int, *, after: int = 0, until: int | None = None) -> Iterator[Owed]:
    """The batch's earnings and payments with an id above `after` and up to `until`, some thousands at a time.

    What was paid and never earned, or earned by nobody, is left out: `verify_books` says so.
    """
    rows = _rows(batch_id).filter(at__isnull=False, worker__isnull=False)
    if until is not None:
        rows = rows.filter(pk__lte=until)
    columns = ("pk", "kind", "token", "worker", "currency", "at", "lines__amount", "assignment")
    while some := list(rows.filter(pk__gt=after).values_list(*columns)[:ENTRIES_AT_ONCE]):
        after = some[-1][0]
        seconds = seconds_of({row[7] for row in some if row[2].startswith(PAGE)})
        for _, kind, token, worker, currency, at, amount, page in some:
            yield Owed(kind, token, worker, currency, at, abs(amount), seconds.get(page, 0.0))


def seconds_of(pages: Collection[UUID | None]) -> dict[UUID | None, float]:
    """What these submitted pages (ids; None is passed over) took. Two queries."""
    wanted = [page for page in pages if page is not None]
    rows = Assignment.objects.filter(pk__in=wanted).only("created_at", "submitted_at", "late")
    return dict(seconds_worked(rows).items())


def kept_of(batch_id: int) -> dict[Key, Sums]:
    """What is kept of the batch."""
    rows = Earned.objects.filter(batch=batch_id).values_list(
        *("worker_id", "day", "currency"), *("pages", "milliseconds", "earned", "paid")
    )
    return {Key(*row[:3]): Sums(*row[3:]) for row in rows.iterator(ENTRIES_AT_ONCE)}


def _rows(batch_id: int) -> QuerySet[Any]:
    token = Concat(Value(f"{Kind.EARN}:"), Substr(OuterRef("token"), len(f"{Kind.PAYROLL}:") + 1))
    earning = LedgerEntry.objects.filter(token=token, batch=batch_id).values("created_at")
    at = Case(When(kind=Kind.EARN, then=F("created_at")), default=Subquery(earning[:1]))
    entries = LedgerEntry.objects.filter(batch=batch_id, kind__in=(Kind.EARN, Kind.PAYROLL))
    return entries.filter(lines__account=Account.PAYABLE).annotate(at=at).order_by("pk")
