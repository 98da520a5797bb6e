"""Book what a batch's model costs: reserve a block before questions are asked, and spend what was answered.

Whoever writes has locked the batch's budget, and decides by what the ledger and the stored answers say then.
So a block is reserved once, whoever asks, and nothing is reserved or spent beyond the cap.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Sum

from annotation.models import Batch, ModelAnswer
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.money.domain import ledger as rules
from workflows.money.domain.ledger import Account, CapError, Kind, Lines
from workflows.money.domain.model_calls import CallBooks, faults_in
from workflows.money.ledger import room_under_cap
from workflows.money.ledger_rows import Refs, left_under, lock_budget, post_entry
from workflows.money.models import Budget, LedgerEntry, LedgerLine


def price_of_calls(batch: Batch) -> int:
    """Return what 1,000 answers of the batch's model cost, in smallest units; 0 if it has none."""
    judge = settings_of(batch).judge
    return judge.price if judge.model else 0


def call_books(batch_id: int, price: int) -> CallBooks:
    """Return how the batch stands with its model. It can change unless the batch's budget is locked."""
    spent = LedgerLine.objects.filter(entry__batch=batch_id, account=Account.MODELS)
    return CallBooks(
        price,
        calls=ModelAnswer.objects.filter(charged_to=batch_id).count(),
        spent=spent.aggregate(of=Sum("amount"))["of"] or 0,
        reserved=left_under([_under(batch_id)]).get(_under(batch_id), 0),
    )


def room_for_calls(batch: Batch) -> int | None:
    """Return how many answers of its model the batch can still pay for, or None if the cap sets no limit."""
    price = price_of_calls(batch)
    if not price:
        return None
    books, left = call_books(batch.pk, price), room_under_cap(batch.pk)
    return None if left is None or left >= books.next_block else books.room


def has_calls(*, batch: Batch, wanted: int) -> bool:
    """Return whether so many answers are paid for, as far as can be seen without locking the budget."""
    price = price_of_calls(batch)
    return not price or call_books(batch.pk, price).room >= wanted


def reserve_calls(*, batch: Batch, wanted: int, now: datetime) -> int:
    """Return how many of the wanted answers the batch can pay for. Until the transaction ends, it stays so.

    If what is reserved is not enough, the next block is reserved, unless the cap has no room for it. Locks
    the batch's budget, so it comes after all other locks.
    """
    price = price_of_calls(batch)
    if not price:
        return wanted
    with write_transaction():
        budget = lock_budget(batch.pk)
        while (books := call_books(batch.pk, price)).room < wanted:
            try:
                _post(budget, Kind.RESERVE, rules.reserving(books.next_block), now)
            except CapError:
                return max(0, books.room)
            budget.refresh_from_db()
    return wanted


def spend_calls(*, batch: Batch, now: datetime) -> None:
    """Spend what was reserved for answers that came: full blocks, and all of them once the batch is over.

    Then the rest is released.
    """
    price = price_of_calls(batch)
    if not price:
        return
    over = batch.state in Batch.OVER
    with write_transaction():
        budget = lock_budget(batch.pk)
        books = call_books(batch.pk, price)
        if spent := books.to_spend(over=over):
            _post(budget, Kind.MODEL, rules.spending_on_models(spent), now)
        if over and (rest := books.reserved - spent):
            _post(budget, Kind.RELEASE, rules.releasing(rest), now)


def settle_calls(*, now: datetime) -> None:
    """Settle what is reserved for models in batches that are over."""
    over = Batch.objects.filter(state__in=Batch.OVER, budget__reserved__gt=0).order_by("pk")
    for batch in over:
        if price_of_calls(batch) and left_under([_under(batch.pk)]).get(_under(batch.pk)):
            spend_calls(batch=batch, now=now)


def verify_calls(project_id: int | None) -> Iterator[str]:
    """Yield a line for each batch whose ledger does not agree with the stored answers of its model."""
    batches = Batch.objects.exclude(state=Batch.State.DRAFT).filter(project__deleted_at=None).order_by("pk")
    if project_id is not None:
        batches = batches.filter(project=project_id)
    for batch in batches:
        price = price_of_calls(batch)
        if price:
            yield from (f"batch {batch.pk}: models: {one}" for one in faults_in(call_books(batch.pk, price)))
            free = ModelAnswer.objects.filter(item__batch=batch, answer__isnull=False, charged_to=None)
            if number := free.count():
                yield f"batch {batch.pk}: models: {number:,} answers to its questions are charged to no batch"
        elif LedgerLine.objects.filter(entry__batch=batch, account=Account.MODELS).exists():
            yield f"batch {batch.pk}: models: it has costs, although its answers cost nothing"


def _under(batch_id: int) -> str:
    return f"models:{batch_id}"


def _post(budget: Budget, kind: Kind, lines: Lines, now: datetime) -> None:
    """Write the next entry about the batch's model. Raises CapError.

    Its token has the entry's number, so that of two that were written without the lock one would fail.
    """
    under = _under(budget.batch_id)
    number = LedgerEntry.objects.filter(under=under).count()
    post_entry(budget, kind, f"{kind}:{under}:{number}", lines, now=now, refs=Refs(), under=under)
