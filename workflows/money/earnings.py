"""Write what direct workers earn, and that it was paid: each once, and never past a batch's cap.

Amounts are in the smallest unit of the batch's currency. Tokens and locks are as in `money.ledger`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from annotation.transactions import write_transaction
from workflows.money.domain import ledger as rules
from workflows.money.domain.earned import PAGE, Owed
from workflows.money.domain.ledger import CapError, Kind, Lines
from workflows.money.earned_days import keep_earned, seconds_of
from workflows.money.ledger import room_under_cap
from workflows.money.ledger_rows import (
    LedgerError,
    Refs,
    left_under,
    lock_budget,
    new_entry,
    state_of_budget,
    write_entries,
)
from workflows.money.models import LedgerEntry, LedgerLine


@dataclass(frozen=True, slots=True)
class Earning:
    """What a direct worker has earned with one page, or by one bonus."""

    token: str
    worker_id: int
    rewards: int = 0
    bonuses: int = 0
    assignment_id: UUID | None = None
    reserved_under: str = ""  # this reserved money is used first
    memo: str = ""


def record_earning(
    *,
    batch_id: int,
    worker_id: int,
    token: str,
    rewards: int = 0,
    bonuses: int = 0,
    now: datetime,
    assignment_id: UUID | None = None,
    reserved_under: str = "",
    memo: str = "",
) -> bool:
    """Write that a direct worker has earned an amount; return False if the token was used before.

    Money that is `reserved_under` a token is used first. Raises CapError if the cap does not leave the rest,
    and AmountError for an amount of 0.
    """
    one = Earning(token, worker_id, rewards, bonuses, assignment_id, reserved_under, memo)
    with write_transaction():
        done, refused = record_earnings(batch_id=batch_id, earnings=[one], now=now)
        if refused:
            raise CapError(room_under_cap(batch_id) or 0, lock_budget(batch_id).currency)
        return bool(done)


def record_earnings(
    *, batch_id: int, earnings: Sequence[Earning], now: datetime
) -> tuple[list[Earning], list[Earning]]:
    """Write some hundreds of earnings in a few statements.

    Returns the earnings that were written, and those that the cap has no room for. Earnings that were written
    before are in neither list. Raises AmountError; then nothing is written.
    """
    with write_transaction():
        budget = lock_budget(batch_id)
        tokens = {one.token: f"{Kind.EARN}:{one.token}" for one in earnings}
        before = set(LedgerEntry.objects.filter(token__in=tokens.values()).values_list("token", flat=True))
        left = left_under([one.reserved_under for one in earnings if one.reserved_under])
        state, done, refused = state_of_budget(budget), [], []
        rows: list[tuple[LedgerEntry, Lines]] = []
        for one in earnings:
            if tokens[one.token] in before:
                continue
            before.add(tokens[one.token])
            bound = min(left.get(one.reserved_under, 0), one.rewards + one.bonuses)
            lines = rules.earning(one.rewards, one.bonuses, bound)
            try:
                state = rules.state_after(state, lines)
            except CapError:
                refused.append(one)
                continue
            if bound:
                left[one.reserved_under] -= bound
            done.append(one)
            refs = Refs(worker_id=one.worker_id, assignment_id=one.assignment_id, memo=one.memo)
            under = one.reserved_under or one.token
            rows.append((new_entry(budget, Kind.EARN, tokens[one.token], now, refs, under), lines))
        write_entries(budget, rows)
        seconds = seconds_of({entry.assignment_id for entry, _ in rows if entry.token.startswith(PAGE)})
        keep_earned(
            batch_id=batch_id,
            entries=[
                _owed(entry, -lines[rules.Account.PAYABLE], now, seconds.get(one.assignment_id, 0.0))
                for one, (entry, lines) in zip(done, rows, strict=True)
            ],
        )
        return done, refused


def pay_out_earnings(*, batch_id: int, tokens: Sequence[str], now: datetime, memo: str = "") -> int:
    """Write that the earnings of these tokens (at most some hundreds) are paid; return how many were unpaid.

    Raises LedgerError if nothing was earned in the batch under one of them; then nothing is written.
    """
    with write_transaction():
        budget = lock_budget(batch_id)
        earned = _by_token(batch_id, Kind.EARN, tokens)
        if missing := set(tokens) - earned.keys():
            raise LedgerError(f"nothing was earned under {min(missing)!r}")
        paid = _by_token(batch_id, Kind.PAYROLL, tokens)
        lines = LedgerLine.objects.filter(entry__in=earned.values(), account=rules.Account.PAYABLE)
        owed = dict(lines.values_list("entry_id", "amount"))
        rows, kept = [], []
        for token, entry in earned.items():
            if token not in paid:
                refs = Refs(worker_id=entry.worker_id, assignment_id=entry.assignment_id, memo=memo)
                new = new_entry(budget, Kind.PAYROLL, f"{Kind.PAYROLL}:{token}", now, refs, entry.under)
                rows.append((new, rules.paying_out(-owed[entry.pk])))
                kept.append(_owed(new, -owed[entry.pk], entry.created_at))
        write_entries(budget, rows)
        keep_earned(batch_id=batch_id, entries=kept)
        return len(rows)


def _owed(entry: LedgerEntry, amount: int, earned_at: datetime, seconds: float = 0.0) -> Owed:
    assert entry.worker_id is not None  # earnings and their payments have a worker
    return Owed(entry.kind, entry.token, entry.worker_id, entry.currency, earned_at, amount, seconds)


def _by_token(batch_id: int, kind: Kind, tokens: Sequence[str]) -> dict[str, LedgerEntry]:
    found = LedgerEntry.objects.filter(batch=batch_id, token__in=[f"{kind}:{token}" for token in tokens])
    return {entry.token.partition(":")[2]: entry for entry in found.order_by("pk")}
