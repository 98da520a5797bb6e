"""The rules of the ledger: which lines each movement of money writes, and when it may be written.

The ledger has double entries in whole smallest units. Debits are positive, credits are negative, and the
lines of one entry add up to 0. Money comes from `funds`. What is promised for work is in `reserved`. Rewards,
bonuses, fees and what models cost are costs. `payable` is owed to direct workers, whom we pay ourselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from workflows.money.domain import currencies


class Account(StrEnum):
    """The accounts, as in `LedgerLine.Account`."""

    FUNDS = "funds"
    RESERVED = "reserved"
    REWARDS = "rewards"
    BONUSES = "bonuses"
    FEES = "fees"
    PAYABLE = "payable"
    MODELS = "models"


class Kind(StrEnum):
    """The kinds of entries, as in `LedgerEntry.Kind`."""

    RESERVE = "reserve"
    COMMIT = "commit"
    RELEASE = "release"
    BONUS = "bonus"
    EARN = "earn"
    PAYROLL = "payroll"
    REFUND = "refund"
    MODEL = "model"


COSTS = (Account.REWARDS, Account.BONUSES, Account.FEES, Account.MODELS)
Lines = Mapping[str, int]
"""Account -> amount. Accounts with the amount 0 are left out."""


class AmountError(ValueError):
    """An amount is below 0, or the movement is empty."""


class CapError(Exception):
    """The batch's cap does not allow the movement: it leaves only `left` smallest units."""

    def __init__(self, left: int, currency: str) -> None:
        super().__init__(f"the cap leaves {currencies.amount(max(left, 0), currency)}")
        self.left = left


class OverdrawnError(Exception):
    """More would be taken than there is: only `left` smallest units."""

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
    """Return the lines that reserve money for work that is about to be published. Raises AmountError."""
    return _lines({Account.RESERVED: amount, Account.FUNDS: -amount}, amount)


def releasing(amount: int) -> Lines:
    """Return the lines that release reserved money that is not needed. Raises AmountError."""
    return _lines({Account.RESERVED: -amount, Account.FUNDS: amount}, amount)


def committing(rewards: int, bonuses: int, fees: int) -> Lines:
    """Return the lines that spend reserved money, which the platform has paid. Raises AmountError."""
    costs = _costs(rewards, bonuses, fees)
    return _lines({**costs, Account.RESERVED: -sum(costs.values())}, rewards, bonuses, fees)


def spending_on_models(amount: int) -> Lines:
    """Return the lines that spend reserved money on the answers of a model. Raises AmountError."""
    return _lines({Account.MODELS: amount, Account.RESERVED: -amount}, amount)


def earning(rewards: int, bonuses: int, bound: int) -> Lines:
    """Return the lines for what a worker has earned; `bound` of it was reserved before.

    Raises AmountError.
    """
    total = rewards + bonuses
    if bound > total:
        raise AmountError(f"more is reserved ({bound}) than is earned ({total}), in smallest units")
    lines = {**_costs(rewards, bonuses, 0), Account.PAYABLE: -total}
    if bound:
        lines |= {Account.RESERVED: -bound, Account.FUNDS: bound}
    return _lines(lines, rewards, bonuses, bound, moves=total)


def paying_out(amount: int) -> Lines:
    """Return the lines that pay what is owed to a worker. Raises AmountError."""
    return _lines({Account.PAYABLE: amount, Account.FUNDS: -amount}, amount)


def refunding(rewards: int, bonuses: int, fees: int) -> Lines:
    """Return the lines for money that the platform gives back. Raises AmountError."""
    costs = {account: -amount for account, amount in _costs(rewards, bonuses, fees).items()}
    return _lines({**costs, Account.FUNDS: -sum(costs.values())}, rewards, bonuses, fees)


def bound_by(lines: Lines) -> int:
    """Return by how much the lines raise what is reserved of the budget."""
    return lines.get(Account.RESERVED, 0)


def spent_by(lines: Lines) -> int:
    """Return by how much the lines raise what is spent of the budget."""
    return sum(lines.get(account, 0) for account in COSTS)


def state_after(state: BudgetState, lines: Lines) -> BudgetState:
    """Return the budget after these lines.

    Raises CapError, and OverdrawnError if more is taken than there is.
    """
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
    """Return the lines that are not 0. Raises AmountError for an amount below 0, or if nothing moves."""
    if any(amount < 0 for amount in given):
        raise AmountError(f"an amount must be 0 or more smallest units, not {min(given)}")
    if not (sum(given) if moves is None else moves):
        raise AmountError("there is nothing to move")
    return {str(account): amount for account, amount in lines.items() if amount}
