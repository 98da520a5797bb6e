"""What direct workers leave in the ledger: pages of two months, half of which are paid."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import F

from annotation.models import Assignment, Batch
from annotation.planner import analyze
from benchmarks.console.crowd import made_rows
from workflows.money.earned_days import recount_earned
from workflows.money.models import Budget, Earned, LedgerEntry, LedgerLine

LATER = timedelta(minutes=1)
"""The time from a page's submission until its pay is owed."""
PAID = 2
"""One earning in so many has been paid."""


def fill_earned(batch: Batch, number: int) -> None:
    """Owe at most so many submitted pages of the batch, as `earning` does, and count what is kept of them."""
    pages = list(
        Assignment.objects.filter(batch=batch, state="submitted", worker__provider="direct")
        .order_by("submitted_at", "pk")
        .only("worker", "reward", "currency", "submitted_at")[:number]
    )
    _move(batch, pages, "earn", "rewards", "payable")
    _move(batch, pages[::PAID], "payroll", "payable", "funds")
    Budget.objects.filter(batch=batch).update(spent=F("spent") + sum(page.reward for page in pages))
    analyze(Assignment, LedgerEntry, LedgerLine)
    recount_earned(batch_id=batch.pk)
    analyze(Earned)


def _move(batch: Batch, pages: list[Assignment], kind: str, debit: str, credit: str) -> None:
    def entry(page: Assignment) -> Any:
        assert page.submitted_at is not None
        return LedgerEntry(
            batch=batch, kind=kind, token=f"{kind}:page:{page.pk}", under=f"page:{page.pk}",
            currency=page.currency, assignment=page, worker_id=page.worker_id,
            created_at=page.submitted_at + (LATER if kind == "earn" else 2 * LATER),
        )  # fmt: skip

    entries = made_rows(LedgerEntry, (entry(page) for page in pages))
    made_rows(
        LedgerLine,
        (
            LedgerLine(entry=one, account=account, amount=amount)
            for one, page in zip(entries, pages, strict=True)
            for account, amount in ((debit, page.reward), (credit, -page.reward))
        ),
    )
