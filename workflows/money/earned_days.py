"""Keep the sums of what direct workers earned on each day, beside the entries and in the same transaction.

Whoever writes a batch's earnings has the lock of the batch's budget. No other lock is needed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Case, F, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Concat, Substr

from annotation.models import Assignment, Project
from annotation.transactions import write_transaction
from workflows.core.audit_log import record_action
from workflows.money.domain.earned import PAGE, Key, Owed, Sums, fold
from workflows.money.domain.ledger import Account, Kind
from workflows.money.ledger_rows import LedgerError, lock_budget
from workflows.money.models import Budget, Earned, LedgerEntry
from workflows.money.page_times import seconds_worked

_KEY = ("batch", "worker", "day", "currency")
_SUMS = ("pages", "milliseconds", "earned", "paid")
_AT_ONCE = 500


def keep_earned(*, batch_id: int, entries: Iterable[Owed]) -> None:
    """Add some hundreds of entries that were just written to the kept sums, in two statements.

    The caller has locked the batch's budget.
    """
    new = fold(entries)
    if not new:
        return
    rows = Earned.objects.filter(
        batch=batch_id, worker__in={key.worker for key in new}, day__in={key.day for key in new}
    )
    before = {
        Key(row.worker_id, row.day, row.currency): Sums(row.pages, row.milliseconds, row.earned, row.paid)
        for row in rows
    }
    _write(batch_id, {key: before.get(key, Sums()) + sums for key, sums in new.items()})


def recount_earned(*, batch_id: int) -> int:
    """Correct the batch's kept sums from its entries; return how many workers' days were wrong.

    All but the newest entries are read before the budget is locked, so that nobody waits long. Raises
    LedgerError if the entries pay more than was earned; then nothing changes.
    """
    last = LedgerEntry.objects.filter(batch=batch_id).order_by("-pk").values_list("pk", flat=True).first()
    said = fold(entries_of(batch_id, until=last or 0))
    with write_transaction():
        lock_budget(batch_id)
        said = fold(entries_of(batch_id, after=last or 0), said)
        if over := [key for key, sums in said.items() if sums.paid > sums.earned]:
            raise LedgerError(f"worker {over[0].worker} was paid more than was earned on {over[0].day}")
        kept = kept_of(batch_id)
        wrong = {key: sums for key, sums in said.items() if kept.get(key) != sums}
        _write(batch_id, wrong)
        for key in (none := kept.keys() - said.keys()):
            Earned.objects.filter(
                batch=batch_id, worker=key.worker, day=key.day, currency=key.currency
            ).delete()
    return len(wrong) + len(none)


def recount_project(*, project: Project, by: str, now: datetime) -> int:
    """Correct the kept sums of all the project's batches; return how many workers' days were wrong.

    If any was wrong, the audit log says so. Raises LedgerError; batches that were corrected before stay so.
    """
    batches = Budget.objects.filter(batch__project=project).order_by("batch").values_list("batch", flat=True)
    wrong = sum(recount_earned(batch_id=batch) for batch in batches)
    if wrong:
        record_action(
            by=by,
            action="earnings.recount",
            now=now,
            project=project,
            kind="project",
            object=project.name,
            object_id=project.pk,
            detail={"days": wrong},
        )
    return wrong


def _write(batch_id: int, sums: Mapping[Key, Sums]) -> None:
    Earned.objects.bulk_create(
        (
            Earned(
                batch_id=batch_id,
                worker_id=key.worker,
                day=key.day,
                currency=key.currency,
                pages=one.pages,
                milliseconds=one.milliseconds,
                earned=one.earned,
                paid=one.paid,
            )
            for key, one in sums.items()
        ),
        update_conflicts=True,
        unique_fields=_KEY,
        update_fields=_SUMS,
        batch_size=_AT_ONCE,
    )


ENTRIES_AT_ONCE = 2000


def entries_of(batch_id: int, *, after: int = 0, until: int | None = None) -> Iterator[Owed]:
    """Yield the batch's earnings and payments with an id above `after` and up to `until`, sorted by id.

    Payments without an earning, and earnings without a worker, are left out; `check_ledger` reports them.
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
    """Return the seconds that these submitted pages (ids; None is ignored) took, in two queries."""
    wanted = [page for page in pages if page is not None]
    rows = Assignment.objects.filter(pk__in=wanted).only("created_at", "submitted_at", "late")
    return dict(seconds_worked(rows).items())


def kept_of(batch_id: int) -> dict[Key, Sums]:
    """Return the batch's kept sums."""
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
