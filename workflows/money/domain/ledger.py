"""What each movement of money writes, and when it may be written: double entry, in whole smallest units.

Debits are positive, credits negative, and the lines of one entry add up to 0. Money comes from `funds`; what
is promised for work lies in `reserved`; rewards, bonuses and fees are costs; `payable` is owed to workers we
pay ourselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from workflows.money.domain import currencies


class Account(StrEnum):
    """As `LedgerLine.Account`."""

    FUNDS = "funds"
    RESERVED = "reserved"
    REWARDS = "rewards"
    BONUSES = "bonuses"
    FEES = "fees"
    PAYABLE = "payable"


class Kind(StrEnum):
    """As `LedgerEntry.Kind`."""

    RESERVE = "reserve"
    COMMIT = "commit"
    RELEASE = "release"
    BONUS = "bonus"
    EARN = "earn"
    PAYROLL = "payroll"
    REFUND = "refund"


COSTS = (Account.REWARDS, Account.BONUSES, Account.FEES)
Lines = Mapping[str, int]
"""Account -> amount; those with nothing are not there."""


class AmountError(ValueError):
    """An amount is below 0, or nothing would move."""


class CapError(Exception):
    """The batch's cap does not allow it: only `left` smallest units are neither bound nor gone."""

    def __init__(self, left: int, currency: str) -> None:
        super().__init__(f"the cap leaves {currencies.amount(max(left, 0), currency)}")
        self.left = left


class OverdrawnError(Exception):
    """More would be taken than there is: only `left` smallest units are."""

    def __init__(self, what: str, left: int, currency: str) -> None:
        super().__init__(
            f"{what}: only {currencies.amount(left, currency)} left; "
            "`manage.py verify_ledger` says whether the books are right"
        )
        self.left = left


def budget_left(*, cap: int | None, reserved: int, spent: int) -> int | None:
    """Return what a cap leaves once `reserved` and `spent` are taken off; None if there is no cap.

    All are in the smallest unit of one currency. The result is below 0 if more is bound or spent than a new
    cap would allow; the budget that is kept of a batch never is (`budget_within_cap`).
    """
    return None if cap is None else cap - reserved - spent


@dataclass(frozen=True, slots=True)
class BudgetState:
    """A batch's budget in smallest units: its cap (None: no cap), what is reserved and what is spent."""

    cap: int | None
    reserved: int
    spent: int
    currency: str = ""  # for messages only

    @property
    def left(self) -> int | None:
        """What is neither reserved nor spent; None if there is no cap."""
        return budget_left(cap=self.cap, reserved=self.reserved, spent=self.spent)


def reserving(amount: int) -> Lines:
    """Bind money for work that is about to be published. Raises AmountError."""
    return _lines({Account.RESERVED: amount, Account.FUNDS: -amount}, amount)


def releasing(amount: int) -> Lines:
    """Let go what was bound and is not needed. Raises AmountError."""
    return _lines({Account.RESERVED: -amount, Account.FUNDS: amount}, amount)


def committing(rewards: int, bonuses: int, fees: int) -> Lines:
    """Spend what was bound: the platform has paid it. Raises AmountError."""
    costs = _costs(rewards, bonuses, fees)
    return _lines({**costs, Account.RESERVED: -sum(costs.values())}, rewards, bonuses, fees)


def earning(rewards: int, bonuses: int, bound: int) -> Lines:
    """Owe it to a worker; `bound` of it was reserved, the rest is new. Raises AmountError."""
    total = rewards + bonuses
    if bound > total:
        raise AmountError(f"more is bound ({bound}) than is earned ({total}), in smallest units")
    lines = {**_costs(rewards, bonuses, 0), Account.PAYABLE: -total}
    if bound:
        lines |= {Account.RESERVED: -bound, Account.FUNDS: bound}
    return _lines(lines, rewards, bonuses, bound, moves=total)


def paying_out(amount: int) -> Lines:
    """Pay what is owed. Raises AmountError."""
    return _lines({Account.PAYABLE: amount, Account.FUNDS: -amount}, amount)


def refunding(rewards: int, bonuses: int, fees: int) -> Lines:
    """The platform gives money back. Raises AmountError."""
    costs = {account: -amount for account, amount in _costs(rewards, bonuses, fees).items()}
    return _lines({**costs, Account.FUNDS: -sum(costs.values())}, rewards, bonuses, fees)


def bound_by(lines: Lines) -> int:
    """How much more of the budget is reserved afterwards."""
    return lines.get(Account.RESERVED, 0)


def spent_by(lines: Lines) -> int:
    """How much more of the budget is gone afterwards."""
    return sum(lines.get(account, 0) for account in COSTS)


def state_after(state: BudgetState, lines: Lines) -> BudgetState:
    """The budget once these lines are written. Raises CapError, and OverdrawnError for more than there is."""
    bound, spent = bound_by(lines), spent_by(lines)
    if state.left is not None and bound + spent > max(state.left, 0):
        raise CapError(state.left, state.currency)
    if state.reserved + bound < 0:
        raise OverdrawnError("reserved", state.reserved, state.currency)
    if state.spent + spent < 0:
        raise OverdrawnError("spent", state.spent, state.currency)
    return BudgetState(state.cap, state.reserved + bound, state.spent + spent, state.currency)


def _costs(rewards: int, bonuses: int, fees: int) -> dict[str, int]:
    return {Account.REWARDS: rewards, Account.BONUSES: bonuses, Account.FEES: fees}


def _lines(lines: Mapping[str, int], *given: int, moves: int | None = None) -> Lines:
    """Those that move something. Raises AmountError for an amount below 0, or where nothing moves."""
    if any(amount < 0 for amount in given):
        raise AmountError(f"amounts are 0 or more smallest units, not {min(given)}")
    if not (sum(given) if moves is None else moves):
        raise AmountError("there is nothing to move")
    return {str(account): amount for account, amount in lines.items() if amount}
