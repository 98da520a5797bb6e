"""The ledger: write every movement of money once, and never past a batch's cap.

All amounts are in the smallest unit of the batch's currency. A call is identified by its token: the same call
again changes nothing and returns False. Each call locks the batch's budget until the transaction ends, so it
must come after all other locks. Between lock and commit nobody else writes the batch's money. The check
constraint of the budget holds the cap in any case.

`token` and `reserved_under` come from the callers: the token of a publication or payment, or `page:<id>`. The
ledger puts the kind of movement before it, so that one token can be reserved, committed and released.
"""

from __future__ import annotations

from datetime import datetime
from typing import Unpack

from django.db.models import Sum

from annotation.transactions import write_transaction
from workflows.money.domain import ledger as rules
from workflows.money.domain.ledger import BudgetState, CapError, Kind, Lines, OverdrawnError
from workflows.money.ledger_rows import (
    LedgerError,
    Refs,
    is_posted,
    left_under,
    lock_budget,
    new_budget,
    post_entry,
    state_of_budget,
)
from workflows.money.models import Budget, LedgerEntry, LedgerLine

__all__ = [
    "CapError",
    "LedgerError",
    "OverdrawnError",
    "Refs",
    "commit",
    "refund",
    "release",
    "reserve",
    "room_under_cap",
    "set_cap",
    "still_reserved",
]


def set_cap(*, batch_id: int, currency: str, cap: int | None) -> None:
    """Set what the batch may cost from now on, fees included; None: no cap.

    Raises CapError, whose `left` is below 0, if more is reserved or spent already, and LedgerError for
    another currency than that of the entries.
    """
    with write_transaction():
        budget = lock_budget(batch_id)
        if budget.currency != currency and budget.reserved + budget.spent:
            raise LedgerError(f"the batch's money is in {budget.currency}, not {currency}")
        state = BudgetState(cap, budget.reserved, budget.spent)
        if state.left is not None and state.left < 0:
            raise CapError(state.left, currency)
        Budget.objects.filter(pk=budget.pk).update(cap=cap, currency=currency)


def reserve(
    *, batch_id: int, token: str, amount: int, currency: str, now: datetime, **refs: Unpack[Refs]
) -> bool:
    """Reserve an amount for work that will be published; return False if the token was used before.

    Raises CapError, which says what the cap leaves, LedgerError for another currency, and AmountError for an
    amount of 0.
    """
    with write_transaction():
        budget = lock_budget(batch_id)
        if is_posted(budget, whole := f"{Kind.RESERVE}:{token}"):
            return False
        if currency != budget.currency:
            raise LedgerError(f"the batch's money is in {budget.currency}, not {currency}")
        post_entry(budget, Kind.RESERVE, whole, rules.reserving(amount), under=token, now=now, refs=refs)
        return True


def commit(
    *,
    token: str,
    reserved_under: str,
    rewards: int = 0,
    bonuses: int = 0,
    fees: int = 0,
    now: datetime,
    **refs: Unpack[Refs],
) -> bool:
    """Spend what was reserved, because the platform paid; return False if the token was used before.

    Raises OverdrawnError if less is still reserved, LedgerError if nothing was ever reserved under that
    token, and AmountError for an amount of 0.
    """
    kind = Kind.BONUS if bonuses and not rewards else Kind.COMMIT
    lines = rules.committing(rewards, bonuses, fees)
    return _take(kind, f"{Kind.COMMIT}:{token}", lines, under=reserved_under, now=now, refs=refs)


def release(*, token: str, reserved_under: str, amount: int, now: datetime, **refs: Unpack[Refs]) -> bool:
    """Release reserved money that is not needed; return False if the token was used before.

    Raises the same errors as `commit`.
    """
    lines = rules.releasing(amount)
    return _take(Kind.RELEASE, f"{Kind.RELEASE}:{token}", lines, under=reserved_under, now=now, refs=refs)


def refund(
    *,
    token: str,
    batch_id: int,
    rewards: int = 0,
    bonuses: int = 0,
    fees: int = 0,
    now: datetime,
    **refs: Unpack[Refs],
) -> bool:
    """Write that the platform gave money back; return False if the token was used before.

    Raises OverdrawnError if less was spent on one of the accounts, and AmountError for an amount of 0.
    """
    lines = rules.refunding(rewards, bonuses, fees)
    with write_transaction():
        budget = lock_budget(batch_id)
        if is_posted(budget, whole := f"{Kind.REFUND}:{token}"):
            return False
        gone = _sums(LedgerLine.objects.filter(entry__batch=batch_id))
        for account in rules.COSTS:
            if gone.get(account, 0) + lines.get(account, 0) < 0:
                raise OverdrawnError(str(account), gone.get(account, 0), budget.currency)
        post_entry(budget, Kind.REFUND, whole, lines, now=now, refs=refs)
        return True


def still_reserved(token: str) -> int:
    """Return the rest of a reservation. It can change unless the batch's budget is locked."""
    return left_under([token]).get(token, 0)


def room_under_cap(batch_id: int) -> int | None:
    """Return what the batch's cap leaves at the moment; None if there is no cap."""
    budget = Budget.objects.filter(batch=batch_id).first() or new_budget(batch_id)
    return state_of_budget(budget).left


def _take(kind: Kind, token: str, lines: Lines, *, under: str, now: datetime, refs: Refs) -> bool:
    with write_transaction():
        reservation = LedgerEntry.objects.filter(token=f"{Kind.RESERVE}:{under}").first()
        if reservation is None:
            raise LedgerError(f"nothing was reserved under {under!r}")
        budget = lock_budget(reservation.batch_id)
        if is_posted(budget, token):
            return False
        left = still_reserved(under)
        if left + rules.bound_by(lines) < 0:
            raise OverdrawnError(f"reserved under {under}", left, budget.currency)
        post_entry(budget, kind, token, lines, under=under, now=now, refs=refs)
        return True


def _sums(lines: object) -> dict[str, int]:
    return dict(lines.order_by().values_list("account").annotate(Sum("amount")))  # type: ignore[attr-defined]
