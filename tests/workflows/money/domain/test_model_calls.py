"""What answers of a model cost, by brute force: each answer has its exact share of the price."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from workflows.money.domain.model_calls import CALLS_PER_BLOCK, CallBooks, cost_of_calls, faults_in

PRICES = st.integers(1, 5000)
MOVES = st.lists(
    st.tuples(st.sampled_from(["ask", "answer", "end"]), st.integers(1, 200)), min_size=1, max_size=40
)


@given(PRICES, st.integers(0, 10**6))
def test_answers_cost_their_share_of_the_price_rounded_up(price: int, calls: int) -> None:
    assert cost_of_calls(price, calls) == ceil(Fraction(price, CALLS_PER_BLOCK) * calls)


@given(PRICES, MOVES)
def test_whatever_happens_answers_are_paid_for_and_the_books_follow_from_them(
    price: int, moves: list[tuple[str, int]]
) -> None:
    books = CallBooks(price, 0, 0, 0)
    for kind, number in moves:
        match kind:
            case "ask":
                while books.room < number:
                    books = replace(books, reserved=books.reserved + books.next_block)
            case "answer":
                books = replace(books, calls=books.calls + min(number, books.room))
        over = kind == "end"
        spent = books.to_spend(over=over)
        books = replace(books, spent=books.spent + spent, reserved=0 if over else books.reserved - spent)
        assert faults_in(books) == []
        assert books.reserved >= 0 and books.room >= 0
        if over:
            assert books.spent == cost_of_calls(price, books.calls)


def test_books_with_too_little_or_too_much_are_found() -> None:
    right = CallBooks(price=500, calls=1500, spent=500, reserved=500)
    assert faults_in(right) == []
    assert faults_in(replace(right, spent=499)) == ["spent must be from 500 to 750, and is 499"]
    assert faults_in(replace(right, spent=751)) == ["spent must be from 500 to 750, and is 751"]
    assert faults_in(replace(right, reserved=249)) == ["750 are due, and only 749 spent or reserved"]
    assert faults_in(replace(right, reserved=1001)) == ["1001 are reserved, which is more than two blocks"]
