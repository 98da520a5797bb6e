"""Keeps what workers whom we pay ourselves earned a day, beside the entries and in their transaction.

The lock of the batch's budget is the only one: whoever writes a batch's earnings has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from annotation.models import Project
from annotation.transactions import write_transaction
from workflows.core.audit_log import record_action
from workflows.crowd_earned import entries_of, kept_of
from workflows.domain.crowd.earned import Key, Owed, Sums, fold
from workflows.models import Budget, Earned, LedgerEntry
from workflows.services.ledger_rows import LedgerError, lock_budget

_KEY = ("batch", "worker", "day", "currency")
_SUMS = ("pages", "milliseconds", "earned", "paid")
_AT_ONCE = 500


def keep_earned(*, batch_id: int, entries: Iterable[Owed]) -> None:
    """Add entries (some hundreds) that were just written; the batch's budget is locked. Two statements."""
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
    """Make what is kept of the batch what its entries say; returns how many workers' days were not.

    All but the newest entries are read before the budget is locked, so that nobody waits for long. Raises
    LedgerError where the entries pay more than was earned; then nothing changes.
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
    """`recount_earned` of all the project's batches; it is in the audit log where anything was wrong.

    Raises LedgerError; batches that were counted before stay so.
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
