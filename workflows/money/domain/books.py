"""Add up the entries of a ledger, and find errors in them and in the budgets kept beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from workflows.money.domain.currencies import amount as money
from workflows.money.domain.ledger import COSTS, Account, BudgetState, Kind, bound_by, spent_by


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the ledger, with its lines as (account, amount)."""

    batch: int
    kind: str
    token: str
    currency: str
    lines: tuple[tuple[str, int], ...]
    under: str = ""
    participation: int | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """The budget that is kept for a batch, and its currency."""

    currency: str
    state: BudgetState


_FOR_PEOPLE = frozenset(COSTS) - {Account.MODELS}
_ENDS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    Kind.RESERVE: (frozenset({Account.RESERVED}), frozenset({Account.FUNDS})),
    Kind.RELEASE: (frozenset({Account.FUNDS}), frozenset({Account.RESERVED})),
    Kind.COMMIT: (_FOR_PEOPLE, frozenset({Account.RESERVED})),
    Kind.BONUS: (frozenset({Account.BONUSES, Account.FEES}), frozenset({Account.RESERVED})),
    Kind.EARN: (
        frozenset({Account.REWARDS, Account.BONUSES, Account.FUNDS}),
        frozenset({Account.PAYABLE, Account.RESERVED}),
    ),
    Kind.PAYROLL: (frozenset({Account.PAYABLE}), frozenset({Account.FUNDS})),
    Kind.REFUND: (frozenset({Account.FUNDS}), _FOR_PEOPLE),
    Kind.MODEL: (frozenset({Account.MODELS}), frozenset({Account.RESERVED})),
}
"""For each kind of entry, the accounts that it may debit and those that it may credit."""


@dataclass(slots=True)
class Books:
    """The sums of the entries so far. Entries of one batch must be added in the order they were written."""

    accounts: dict[int, Counter[str]] = field(default_factory=dict)  # batch -> account -> balance
    reservations: Counter[tuple[int, str]] = field(default_factory=Counter)  # (batch, token) -> what is left
    owed: Counter[tuple[int, str]] = field(
        default_factory=Counter
    )  # (batch, token of the earning) -> not paid yet
    committed: set[int] = field(default_factory=set)  # participations whose reward was spent
    currencies: dict[int, str] = field(default_factory=dict)

    def add(self, entry: Entry) -> Iterator[str]:
        """Add an entry, and yield a line for each error in it."""
        yield from (f"{entry.token}: {line}" for line in self._wrong(entry))
        self._take(entry)
        yield from (f"{entry.token}: {line}" for line in self._below(entry))

    def budget(self, batch: int) -> tuple[int, int]:
        """Return the reserved and the spent money of a batch."""
        accounts: Mapping[str, int] = self.accounts.get(batch, Counter())
        return bound_by(accounts), spent_by(accounts)

    def _wrong(self, entry: Entry) -> Iterator[str]:
        names = [account for account, _ in entry.lines]
        if total := sum(amount for _, amount in entry.lines):
            yield f"its lines add up to {money(total, entry.currency)}, not to 0"
        if not entry.lines:
            yield "it moves nothing"
        if len(names) != len(set(names)) or any(not amount for _, amount in entry.lines):
            yield "an account is in its lines twice, or with the amount 0"
        currency = self.currencies.setdefault(entry.batch, entry.currency)
        if currency != entry.currency:
            yield f"it is in {entry.currency}, the batch's other entries are in {currency}"
        debited, credited = _ENDS.get(entry.kind, (frozenset(), frozenset()))
        for account, amount in entry.lines:
            if amount and account not in (debited if amount > 0 else credited):
                moved = money(amount, entry.currency)
                yield f"an entry of the kind {entry.kind} must not move {moved} on {account}"
        if entry.kind == Kind.COMMIT and entry.participation is not None:
            if entry.participation in self.committed:
                yield f"participation {entry.participation} was paid by an earlier entry"
            self.committed.add(entry.participation)

    def _take(self, entry: Entry) -> None:
        accounts = self.accounts.setdefault(entry.batch, Counter())
        for account, amount in entry.lines:
            accounts[account] += amount
            for of, counts, sign in (
                (Account.RESERVED, self.reservations, 1),
                (Account.PAYABLE, self.owed, -1),
            ):
                if account == of:
                    key = entry.batch, entry.under
                    counts[key] += sign * amount
                    if not counts[key]:
                        del counts[key]

    def _below(self, entry: Entry) -> Iterator[str]:
        accounts = self.accounts[entry.batch]
        for account, amount in entry.lines:
            if account in (*COSTS, Account.RESERVED) and amount < 0 and accounts[account] < 0:
                yield f"{account} of the batch falls to {money(accounts[account], entry.currency)}"
        if (left := self.reservations[entry.batch, entry.under]) < 0:
            yield f"the reservation {entry.under!r} falls to {money(left, entry.currency)}"
        if (left := self.owed[entry.batch, entry.under]) < 0:
            yield f"more is paid than was earned under {entry.under!r}: {money(-left, entry.currency)}"


def verify_books(entries: Iterable[Entry], kept: Mapping[int, Kept]) -> Iterator[str]:
    """Yield a line for each error in the entries (in the order they were written) and in the kept budgets.

    In memory are a few numbers for each batch, what is still reserved or owed, and the paid participations.
    """
    books = Books()
    for entry in entries:
        yield from books.add(entry)
    for batch in sorted(books.accounts.keys() | kept.keys()):
        reserved, spent = books.budget(batch)
        budget = kept.get(batch)
        if budget is None:
            yield f"batch {batch}: it has entries and no budget"
            continue
        state = budget.state
        for name, here, there in (
            ("reserved", state.reserved, reserved),
            ("spent", state.spent, spent),
        ):
            if here != there:
                said, added = money(here, budget.currency), money(there, budget.currency)
                yield f"batch {batch}: its budget says {said} {name}, its entries {added}"
        if state.cap is not None and reserved + spent > state.cap:
            gone, cap = money(reserved + spent, budget.currency), money(state.cap, budget.currency)
            yield f"batch {batch}: {gone} is bound or gone, over its cap of {cap}"
        currency = books.currencies.get(batch, budget.currency)
        if currency != budget.currency:
            yield f"batch {batch}: its budget is in {budget.currency}, its entries in {currency}"
