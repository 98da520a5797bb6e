"""Movements in any order: entries balance, the budget is their sum, and nothing falls below 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.crowd.overview import Money
from workflows.analysis.domain.costs import Costs
from workflows.money.domain.books import Books, Entry, Kept, verify_books
from workflows.money.domain.ledger import (
    COSTS,
    Account,
    AmountError,
    BudgetState,
    CapError,
    Kind,
    Lines,
    OverdrawnError,
    budget_left,
    committing,
    earning,
    paying_out,
    refunding,
    releasing,
    reserving,
    spending_on_models,
    state_after,
)
from workflows.money.models import LedgerEntry, LedgerLine

AMOUNTS = st.integers(-1, 60)
TOKENS = st.sampled_from(["a", "b", "page:1", "page:2"])
MOVES = st.tuples(st.sampled_from(sorted(Kind)), TOKENS, AMOUNTS, AMOUNTS, AMOUNTS)


@dataclass
class Desk:
    """Posts entries as the service does: under the lock of the budget, and once for each token."""

    state: BudgetState
    entries: dict[str, Entry] = field(default_factory=dict)
    books: Books = field(default_factory=Books)

    def move(self, kind: str, token: str, *amounts: int) -> list[str]:
        """Return what is wrong with the entry. A refused entry is not written."""
        whole = f"{kind}:{token}"
        if whole in self.entries:
            return []
        try:
            lines = self._lines(kind, token, *amounts)
            state = state_after(self.state, lines)
        except (AmountError, CapError, OverdrawnError):
            return []
        self.state = state
        entry = Entry(1, kind, whole, "USD", tuple(lines.items()), under=token)
        self.entries[whole] = entry
        return list(self.books.add(entry))

    def _lines(self, kind: str, token: str, one: int, two: int, three: int) -> Lines:
        bound = self.books.reservations[1, token]
        if kind == Kind.EARN:
            return earning(one, two, min(bound, max(0, one + two)))
        if kind == Kind.PAYROLL:
            return paying_out(self.books.owed[1, token])
        if kind == Kind.REFUND:
            lines = refunding(one, two, three)
            accounts = self.books.accounts.get(1, Counter())
            if any(accounts[a] + lines.get(a, 0) < 0 for a in COSTS):
                raise OverdrawnError("spent", 0, "USD")
            return lines
        if kind == Kind.RESERVE:
            return reserving(one)
        if kind == Kind.RELEASE:
            lines = releasing(one)
        elif kind == Kind.MODEL:
            lines = spending_on_models(one)
        else:
            lines = committing(0 if kind == Kind.BONUS else one, two, three)
        if bound + lines[Account.RESERVED] < 0:
            raise OverdrawnError("reserved", bound, "USD")
        return lines


@given(st.none() | st.integers(0, 150), st.lists(MOVES, max_size=40))
def test_whatever_is_asked_for_the_books_are_right(cap: int | None, moves: list[Any]) -> None:
    desk = Desk(BudgetState(cap, 0, 0))
    for move in moves:
        assert desk.move(*move) == []
        assert desk.books.budget(1) == (desk.state.reserved, desk.state.spent)
        assert min(desk.state.reserved, desk.state.spent) >= 0
        assert cap is None or desk.state.reserved + desk.state.spent <= cap
    kept = {1: Kept("USD", desk.state)}
    assert list(verify_books(desk.entries.values(), kept)) == []


@given(st.lists(MOVES, min_size=1, max_size=30), st.data())
def test_no_entry_can_be_lost_or_doubled_or_changed_unseen(moves: list[Any], data: st.DataObject) -> None:
    desk = Desk(BudgetState(None, 0, 0))
    for move in [("reserve", "a", 50, 0, 0), *moves]:
        desk.move(*move)
    entries = list(desk.entries.values())
    place = data.draw(st.integers(0, len(entries) - 1))
    entry = entries[place]
    account, amount = entry.lines[0]
    changed = [
        [*entries[:place], *entries[place + 1 :]],
        [*entries, entry],
        [*entries[:place], replace(entry, lines=((account, amount + 1), *entry.lines[1:]))],
    ]
    kept = {1: Kept("USD", desk.state)}
    for wrong in changed:
        moved = entry.kind != Kind.PAYROLL  # it has no budget, so the debt shows it
        assert list(verify_books(wrong, kept)) or (not moved and wrong is changed[0])


@given(st.integers(0, 100), st.integers(0, 100), st.integers(0, 100))
def test_lines_of_every_kind_add_up_to_nothing(one: int, two: int, three: int) -> None:
    made: list[Callable[[], Lines]] = [
        lambda: reserving(one),
        lambda: releasing(one),
        lambda: committing(one, two, three),
        lambda: earning(one, two, min(three, one + two)),
        lambda: paying_out(one),
        lambda: refunding(one, two, three),
    ]
    for make in made:
        try:
            lines = make()
        except AmountError:
            continue
        assert sum(lines.values()) == 0
        assert all(lines.values())


def _entry(kind: str, token: str, lines: Lines, **more: Any) -> Entry:
    return Entry(more.pop("batch", 1), kind, token, more.pop("currency", "USD"), tuple(lines.items()), **more)


RESERVED = _entry("reserve", "reserve:a", reserving(100), under="a")


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (_entry("commit", "x", {"rewards": 5, "reserved": -4}, under="a"), "add up to 0.01 USD"),
        (_entry("commit", "x", {}, under="a"), "moves nothing"),
        (_entry("commit", "x", committing(5, 0, 0), under="b"), "reservation 'b' falls to -0.05 USD"),
        (_entry("release", "x", releasing(101), under="a"), "reservation 'a' falls to -0.01 USD"),
        (_entry("payroll", "x", paying_out(5), under="p"), "more is paid than was earned"),
        (_entry("commit", "x", spending_on_models(5), under="a"), "commit must not move 0.05 USD"),
        (_entry("refund", "x", refunding(0, 0, 5)), "fees of the batch falls to -0.05 USD"),
        (_entry("reserve", "x", reserving(5), currency="GBP", under="c"), "in GBP"),
        (_entry("reserve", "x", {"funds": 5, "payable": -5}), "must not move"),
    ],
)
def test_a_wrong_entry_is_named_and_told_apart(entry: Entry, says: str) -> None:
    found = list(verify_books([RESERVED, entry], {1: Kept("USD", BudgetState(None, 100, 0))}))
    assert any(line.startswith("x: ") and says in line for line in found), found


def test_one_participation_is_paid_one_reward() -> None:
    twice = [
        _entry("commit", f"commit:{name}", committing(10, 0, 2), under="a", participation=7) for name in "pq"
    ]
    found = list(verify_books([RESERVED, *twice], {1: Kept("USD", BudgetState(None, 76, 24))}))
    assert found == ["commit:q: participation 7 was paid by an earlier entry"]


def test_a_budget_that_is_not_what_its_entries_say_is_named() -> None:
    kept = {1: Kept("GBP", BudgetState(99, 90, 1)), 2: Kept("USD", BudgetState(None, 3, 0))}
    assert list(verify_books([RESERVED, _entry("reserve", "r", reserving(1), batch=3, under="r")], kept)) == [
        "batch 1: its budget says 0.90 GBP reserved, its entries 1.00 GBP",
        "batch 1: its budget says 0.01 GBP spent, its entries 0.00 GBP",
        "batch 1: 1.00 GBP is bound or gone, over its cap of 0.99 GBP",
        "batch 1: its budget is in GBP, its entries in USD",
        "batch 2: its budget says 0.03 USD reserved, its entries 0.00 USD",
        "batch 3: it has entries and no budget",
    ]


def test_the_rules_and_the_tables_have_the_same_words() -> None:
    assert set(LedgerLine.Account.values) == set(Account)
    assert set(LedgerEntry.Kind.values) == set(Kind)


@pytest.mark.parametrize(
    ("cap", "left"), [(None, None), (100, 50), (50, 0), (40, -10)], ids=["none", "some", "used up", "passed"]
)
def test_what_a_budget_has_left_is_said_the_same_everywhere(cap: int | None, left: int | None) -> None:
    assert budget_left(cap=cap, reserved=20, spent=30) == left
    assert BudgetState(cap, 20, 30).left == left
    assert Costs("USD", rewards=10, bonuses=15, fees=5, reserved=20, cap=cap).left == left
    assert Money("USD", cap, 20, 30).left == left
