"""Read what a model has cost in each batch, and whether a cap keeps it from being asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from annotation.models import Batch
from workflows.money.domain.currencies import amount
from workflows.money.domain.model_calls import CallBooks
from workflows.money.ledger import room_under_cap
from workflows.money.model_calls import call_books, price_of_calls, room_for_calls
from workflows.money.models import Budget


@dataclass(frozen=True, slots=True)
class ModelMoney:
    """What a model has cost in a batch. `stopped` says why it is asked nothing more, if that is so."""

    batch: Batch
    currency: str
    books: CallBooks
    stopped: str = ""

    def says(self) -> str:
        """Return the amounts in words."""
        price, spent, reserved = (
            amount(one, self.currency) for one in (self.books.price, self.books.spent, self.books.reserved)
        )
        return (
            f"{self.books.calls:,} answers in batch {self.batch.name}, at {price} for 1,000: {spent} spent, "
            f"{reserved} reserved"
        )


def money_of(batches: Iterable[Batch]) -> list[ModelMoney]:
    """Return what their models have cost in these batches, without those where they cost nothing.

    A handful of queries for each of the others.
    """
    found = []
    for batch in batches:
        price = price_of_calls(batch)
        budget = Budget.objects.filter(batch=batch).first() if price else None
        if budget is not None:
            books = call_books(batch.pk, price)
            found.append(ModelMoney(batch, budget.currency, books, _stopped(batch, books, budget.currency)))
    return found


def _stopped(batch: Batch, books: CallBooks, currency: str) -> str:
    room = room_for_calls(batch)
    if batch.state != Batch.State.RUNNING or room is None or room > 0:
        return ""
    left, block = amount(room_under_cap(batch.pk) or 0, currency), amount(books.next_block, currency)
    return (
        f"Batch {batch.name} asks it nothing more, and asks workers instead: its cap leaves {left}, and the "
        f"next answers cost {block}. If you raise the cap, it is asked again"
    )
