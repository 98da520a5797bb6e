"""Read and write rows of the ledger under the lock of the batch's budget, which is taken after all others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypedDict
from uuid import UUID

from django.db.models import F, Sum

from annotation.models import Batch
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.core.seals import Log
from workflows.money.domain import ledger as rules
from workflows.money.domain.ledger import BudgetState, Kind, Lines
from workflows.money.models import Budget, LedgerEntry, LedgerLine

LEDGER = Log("ledger", LedgerEntry, LedgerLine, "entry_id")


class LedgerError(Exception):
    """The movement is impossible: it has another currency or batch, or its token is unknown."""


class Refs(TypedDict, total=False):
    """The objects that an entry is about."""

    publication_id: int | None
    participation_id: int | None
    assignment_id: UUID | None
    worker_id: int | None
    memo: str  # for people, at most 200 characters


def lock_budget(batch_id: int) -> Budget:
    """Lock the batch's budget until the transaction ends, and return it. The first call creates it."""
    locked = Budget.objects.select_for_update(no_key=True).filter(batch=batch_id)
    if (budget := locked.first()) is not None:
        return budget
    Budget.objects.bulk_create([new_budget(batch_id)], ignore_conflicts=True)
    return locked.get()


def new_budget(batch_id: int) -> Budget:
    """Return an unsaved budget as it is before the first entry."""
    settings = settings_of(Batch.objects.get(pk=batch_id))
    return Budget(batch_id=batch_id, currency=settings.currency, cap=settings.crowd.cap)


def is_posted(budget: Budget, token: str) -> bool:
    """Return whether the batch has this entry already. Raises LedgerError if another batch has it."""
    batch = LedgerEntry.objects.filter(token=token).values_list("batch_id", flat=True).first()
    if batch is not None and batch != budget.batch_id:
        raise LedgerError(f"{token!r} is another batch's")
    return batch is not None


def post_entry(
    budget: Budget, kind: Kind, token: str, lines: Lines, *, now: datetime, refs: Refs, under: str = ""
) -> None:
    """Write one entry and update the locked budget. Raises CapError; then nothing is written."""
    rules.state_after(state_of_budget(budget), lines)
    write_entries(budget, [(new_entry(budget, kind, token, now, refs, under), lines)])


def new_entry(budget: Budget, kind: Kind, token: str, now: datetime, refs: Refs, under: str) -> LedgerEntry:
    """Return an unsaved entry."""
    about = {**refs, "memo": refs.get("memo", "")[:200]}
    entry = LedgerEntry(batch_id=budget.batch_id, kind=kind, token=token, under=under, created_at=now)
    entry.currency = budget.currency
    for name, value in about.items():
        setattr(entry, name, value)
    return entry


def write_entries(budget: Budget, rows: Sequence[tuple[LedgerEntry, Lines]]) -> None:
    """Write the entries in their order, and update the locked budget."""
    LedgerEntry.objects.bulk_create([entry for entry, _ in rows])
    LedgerLine.objects.bulk_create(
        LedgerLine(entry=entry, account=account, amount=amount)
        for entry, lines in rows
        for account, amount in lines.items()
    )
    Budget.objects.filter(pk=budget.pk).update(
        reserved=F("reserved") + sum(rules.bound_by(lines) for _, lines in rows),
        spent=F("spent") + sum(rules.spent_by(lines) for _, lines in rows),
    )


def state_of_budget(budget: Budget) -> BudgetState:
    """Return the budget as the rules know it."""
    return BudgetState(budget.cap, budget.reserved, budget.spent, budget.currency)


def left_under(tokens: Sequence[str]) -> dict[str, int]:
    """Return the rest of these reservations. It can change unless the batch's budget is locked."""
    lines = LedgerLine.objects.filter(entry__under__in=tokens, account=rules.Account.RESERVED).order_by()
    return dict(lines.values_list("entry__under").annotate(Sum("amount")))


def keep_times(*, batch_id: int, times: Mapping[str, int]) -> None:
    """Store the median time of a page by stage, in milliseconds, for binding money for pages."""
    with write_transaction():
        budget = lock_budget(batch_id)
        Budget.objects.filter(pk=budget.pk).update(times={**budget.times, **times})
