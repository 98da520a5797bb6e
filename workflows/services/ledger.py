"""The ledger: every movement of money, once, and never past a batch's cap.

All amounts are in the smallest unit of the batch's currency. A call is known by its token: the same again
changes nothing and returns False. Each locks the batch's budget until its transaction is over, so it comes
last of all locks; between lock and commit there is no other writer of the batch, and the check constraint of
the budget holds the cap whatever anybody writes.

`token` and `reserved_under` are the callers': a publication's or a payment's token, or `page:<id>`. The
ledger puts the kind of movement in front, so that one token can be reserved, committed and released.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict, Unpack
from uuid import UUID

from django.db.models import F, Sum

from annotation.models import Batch
from annotation.transactions import write_transaction
from workflows.domain.crowd import ledger as rules
from workflows.domain.crowd.ledger import CapError, Kind, Lines, OverdrawnError, Standing
from workflows.models import Budget, LedgerEntry, LedgerLine
from workflows.services.batches import settings_of

__all__ = [
    "CapError",
    "LedgerError",
    "OverdrawnError",
    "Refs",
    "commit",
    "earn",
    "pay_out",
    "refund",
    "release",
    "reserve",
    "room",
    "set_cap",
    "still_reserved",
]


class LedgerError(Exception):
    """The movement makes no sense: another currency or batch, or nothing of this token is known."""


class Refs(TypedDict, total=False):
    """What an entry is about."""

    publication_id: int | None
    participation_id: int | None
    assignment_id: UUID | None
    worker_id: int | None
    memo: str  # for people, at most 200 characters


def set_cap(*, batch_id: int, currency: str, cap: int | None) -> None:
    """What the batch may cost from now on, fees included; None: no cap.

    Raises CapError, with what is bound or gone below 0, where that is more already; LedgerError for another
    currency than that of the entries.
    """
    with write_transaction():
        budget = _lock(batch_id)
        if budget.currency != currency and budget.reserved + budget.spent:
            raise LedgerError(f"the batch's money is in {budget.currency}, not {currency}")
        standing = Standing(cap, budget.reserved, budget.spent)
        if standing.left is not None and standing.left < 0:
            raise CapError(standing.left)
        Budget.objects.filter(pk=budget.pk).update(cap=cap, currency=currency)


def reserve(
    *, batch_id: int, token: str, amount: int, currency: str, now: datetime, **refs: Unpack[Refs]
) -> bool:
    """Bind `amount` for work that is going to be published; False where it was done before.

    Raises CapError with what the cap leaves; LedgerError for another currency; AmountError for nothing.
    """
    with write_transaction():
        budget = _lock(batch_id)
        if _posted(budget, whole := f"{Kind.RESERVE}:{token}"):
            return False
        if currency != budget.currency:
            raise LedgerError(f"the batch's money is in {budget.currency}, not {currency}")
        _post(budget, Kind.RESERVE, whole, rules.reserving(amount), under=token, now=now, refs=refs)
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
    """Spend what was reserved under a token: the platform paid; False where it was done before.

    Raises OverdrawnError with what is still reserved where that is less; LedgerError where nothing was ever
    reserved under it; AmountError for nothing.
    """
    kind = Kind.BONUS if bonuses and not rewards else Kind.COMMIT
    lines = rules.committing(rewards, bonuses, fees)
    return _take(kind, f"{Kind.COMMIT}:{token}", lines, under=reserved_under, now=now, refs=refs)


def release(*, token: str, reserved_under: str, amount: int, now: datetime, **refs: Unpack[Refs]) -> bool:
    """Let go of what was reserved and is not needed; False where it was done before. Raises as `commit`."""
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
    """The platform gave back what was spent; False where it was done before.

    Raises OverdrawnError where less was spent on one of them; AmountError for nothing.
    """
    lines = rules.refunding(rewards, bonuses, fees)
    with write_transaction():
        budget = _lock(batch_id)
        if _posted(budget, whole := f"{Kind.REFUND}:{token}"):
            return False
        gone = _sums(LedgerLine.objects.filter(entry__batch=batch_id))
        for account in rules.COSTS:
            if gone.get(account, 0) + lines.get(account, 0) < 0:
                raise OverdrawnError(str(account), gone.get(account, 0))
        _post(budget, Kind.REFUND, whole, lines, now=now, refs=refs)
        return True


def earn(
    *,
    batch_id: int,
    worker_id: int,
    token: str,
    rewards: int = 0,
    bonuses: int = 0,
    now: datetime,
    **refs: Unpack[Refs],
) -> bool:
    """Owe a worker whom we pay ourselves; False where it was done before.

    What is reserved under the same token is used first. Raises CapError where the cap does not leave the
    rest; AmountError for nothing.
    """
    with write_transaction():
        budget = _lock(batch_id)
        if _posted(budget, whole := f"{Kind.EARN}:{token}"):
            return False
        bound = min(still_reserved(token), rewards + bonuses)
        lines = rules.earning(rewards, bonuses, bound)
        refs = {**refs, "worker_id": worker_id}
        _post(budget, Kind.EARN, whole, lines, under=token, now=now, refs=refs)
        return True


def pay_out(*, token: str, now: datetime, memo: str = "") -> bool:
    """What was earned under the token has been paid; False where it was paid before.

    Raises LedgerError where nothing was earned under it.
    """
    with write_transaction():
        earned = LedgerEntry.objects.filter(token=f"{Kind.EARN}:{token}").first()
        if earned is None:
            raise LedgerError(f"nothing was earned under {token!r}")
        budget = _lock(earned.batch_id)
        if _posted(budget, whole := f"{Kind.PAYROLL}:{token}"):
            return False
        owed = -earned.lines.get(account=rules.Account.PAYABLE).amount
        refs = Refs(worker_id=earned.worker_id, assignment_id=earned.assignment_id, memo=memo)
        _post(budget, Kind.PAYROLL, whole, rules.paying_out(owed), under=token, now=now, refs=refs)
        return True


def still_reserved(token: str) -> int:
    """What is left of a reservation. Sure only while the batch's budget is locked."""
    return _sums(LedgerLine.objects.filter(entry__under=token)).get(rules.Account.RESERVED, 0)


def room(batch_id: int) -> int | None:
    """What the batch's cap leaves just now; None where it has none, or is not asked for yet."""
    budget = Budget.objects.filter(batch=batch_id).first()
    return None if budget is None else _standing(budget).left


def _take(kind: Kind, token: str, lines: Lines, *, under: str, now: datetime, refs: Refs) -> bool:
    with write_transaction():
        reservation = LedgerEntry.objects.filter(token=f"{Kind.RESERVE}:{under}").first()
        if reservation is None:
            raise LedgerError(f"nothing was reserved under {under!r}")
        budget = _lock(reservation.batch_id)
        if _posted(budget, token):
            return False
        left = still_reserved(under)
        if left + rules.bound_by(lines) < 0:
            raise OverdrawnError(f"reserved under {under}", left)
        _post(budget, kind, token, lines, under=under, now=now, refs=refs)
        return True


def _lock(batch_id: int) -> Budget:
    """The batch's budget, nobody else's until the end of the transaction; made on first use."""
    locked = Budget.objects.select_for_update(no_key=True).filter(batch=batch_id)
    if (budget := locked.first()) is not None:
        return budget
    settings = settings_of(Batch.objects.get(pk=batch_id))
    new = Budget(batch_id=batch_id, currency=settings.currency, cap=settings.crowd.cap)
    Budget.objects.bulk_create([new], ignore_conflicts=True)
    return locked.get()


def _posted(budget: Budget, token: str) -> bool:
    batch = LedgerEntry.objects.filter(token=token).values_list("batch_id", flat=True).first()
    if batch is not None and batch != budget.batch_id:
        raise LedgerError(f"{token!r} is another batch's")
    return batch is not None


def _post(
    budget: Budget,
    kind: Kind,
    token: str,
    lines: Lines,
    *,
    now: datetime,
    refs: Refs,
    under: str = "",
) -> None:
    """Write the entry and move the locked budget. Raises CapError; then nothing is written."""
    rules.after(_standing(budget), lines)
    entry = LedgerEntry.objects.create(
        batch_id=budget.batch_id,
        kind=kind,
        token=token,
        under=under,
        currency=budget.currency,
        created_at=now,
        **{**refs, "memo": refs.get("memo", "")[:200]},
    )
    LedgerLine.objects.bulk_create(
        LedgerLine(entry=entry, account=account, amount=amount) for account, amount in lines.items()
    )
    Budget.objects.filter(pk=budget.pk).update(
        reserved=F("reserved") + rules.bound_by(lines), spent=F("spent") + rules.spent_by(lines)
    )


def _standing(budget: Budget) -> Standing:
    return Standing(budget.cap, budget.reserved, budget.spent)


def _sums(lines: object) -> dict[str, int]:
    return dict(lines.order_by().values_list("account").annotate(Sum("amount")))  # type: ignore[attr-defined]
