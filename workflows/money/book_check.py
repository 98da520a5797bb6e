"""Check the whole ledger, entry by entry, against the sums that are kept beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from django.db.models import Exists, OuterRef

from annotation.models import Assignment
from annotation.transactions import snapshot
from workflows.batch_settings.domain.crowd_settings import PLATFORMS
from workflows.money.domain.books import Entry, Kept, verify_books
from workflows.money.domain.earned import differences, fold
from workflows.money.domain.ledger import BudgetState, Kind
from workflows.money.earned_days import entries_of, kept_of
from workflows.money.model_calls import verify_calls
from workflows.money.models import Budget, Earned, LedgerEntry, LedgerLine
from workflows.money.page_pay_check import wrong_page_pay

ENTRIES_AT_ONCE = 2000


Check = Callable[[int | None], Iterator[str]]
"""Yields a line for each error, in the project with this id or, for None, in all projects."""


def check_ledger(project_id: int | None = None, *, more: Sequence[Check] = ()) -> list[str]:
    """Check every entry and the sums kept beside the entries. Return a line for each error.

    `more` are further checks, which read the same state of the database. Others can write meanwhile.
    """
    with snapshot():
        budgets = Budget.objects.order_by("batch_id")
        entries = LedgerEntry.objects.order_by("pk")
        if project_id is not None:
            budgets = budgets.filter(batch__project=project_id)
            entries = entries.filter(batch__project=project_id)
        kept = {
            row.batch_id: Kept(row.currency, BudgetState(row.cap, row.reserved, row.spent)) for row in budgets
        }
        return [
            *verify_books(_entries(entries), kept),
            *_not_owed(project_id),
            *wrong_page_pay(project_id),
            *_not_kept(sorted({*kept, *_earning(project_id)}), project_id),
            *verify_calls(project_id),
            *(line for check in more for line in check(project_id)),
        ]


def _entries(rows: object) -> Iterator[Entry]:
    columns = ("pk", "batch_id", "kind", "token", "currency", "under", "participation_id")
    found = rows.values_list(*columns).iterator(ENTRIES_AT_ONCE)  # type: ignore[attr-defined]
    while some := list(islice(found, ENTRIES_AT_ONCE)):
        lines: dict[int, list[tuple[str, int]]] = {row[0]: [] for row in some}
        of = LedgerLine.objects.filter(entry__in=list(lines)).order_by("pk")
        for entry, account, amount in of.values_list("entry_id", "account", "amount"):
            lines[entry].append((account, amount))
        for pk, batch, kind, token, currency, under, participation in some:
            yield Entry(batch, kind, token, currency, tuple(lines[pk]), under, participation)


def _not_owed(project_id: int | None) -> Iterator[str]:
    """Yield a line for each page of a direct worker that is neither in the ledger nor waiting for it."""
    pages = Assignment.objects.filter(state=Assignment.State.SUBMITTED, reward__gt=0, owed=False)
    pages = pages.exclude(worker__provider__in=PLATFORMS)
    if project_id is not None:
        pages = pages.filter(batch__project=project_id)
    earned = LedgerEntry.objects.filter(assignment=OuterRef("pk"), kind=Kind.EARN)
    for pk in pages.filter(~Exists(earned)).values_list("pk", flat=True).iterator(ENTRIES_AT_ONCE):
        yield f"page {pk}: it was submitted, and its reward is neither in the ledger nor on its way there"


def _earning(project_id: int | None) -> set[int]:
    """Return the batches (ids) in which sums of workers' days are kept, whether they have a budget or not."""
    kept = Earned.objects.order_by()
    if project_id is not None:
        kept = kept.filter(batch__project=project_id)
    return set(kept.values_list("batch_id", flat=True).distinct())


def _not_kept(batches: Sequence[int], project_id: int | None) -> Iterator[str]:
    """Yield a line for each kept sum that differs from its entries. One batch at a time is in memory."""
    nobody = LedgerEntry.objects.filter(kind=Kind.EARN, worker=None)
    if project_id is not None:
        nobody = nobody.filter(batch__project=project_id)
    for token in nobody.order_by("pk").values_list("token", flat=True).iterator(ENTRIES_AT_ONCE):
        yield f"{token}: it is owed to no worker"
    for batch in batches:
        for line in differences(kept_of(batch), fold(entries_of(batch))):
            yield f"batch {batch}: {line}; `manage.py earnings recount` corrects it"
