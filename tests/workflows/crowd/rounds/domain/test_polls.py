from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflows.crowd.rounds.domain.polls import (
    LocalParticipation,
    LocalPublication,
    in_turn,
    is_as_known,
    is_counted,
    is_final,
    is_known,
    list_back_to,
)
from workflows.platforms.provider import Life, Money, Published, Stand, Submitted

OPEN = Published("H1", "a-0", Life.OPEN, 2, 1, 0, Money(5, "USD"), None, submitted=1, decided=0)
CLOSED = replace(OPEN, life=Life.CLOSED, free=0, submitted=1, decided=1)
HERE = LocalPublication(state="open", places=2, submitted=1, decided=0, waiting=False)
THERE = LocalPublication(state="closed", places=2, submitted=1, decided=1, waiting=False)
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
SUBMISSION = Submitted("A1", "H1", "W1", Stand.SUBMITTED, AT, AT)
PLACE = LocalParticipation(
    "submitted", True, AT, AT, keeps_pages=True, waiting=False, settling=True, unpaid=True, disputed=False
)


def test_counts_that_are_ours_need_no_list_of_submissions() -> None:
    assert is_counted(OPEN, HERE) and is_as_known(OPEN, HERE)
    assert is_as_known(CLOSED, THERE)


@pytest.mark.parametrize(
    "told",
    [replace(OPEN, submitted=0), replace(OPEN, decided=1), replace(OPEN, submitted=None, decided=None)],
)
def test_counts_that_are_not_ours_are_looked_at(told: Published) -> None:
    assert not is_counted(told, HERE) and not is_as_known(told, HERE)


def test_what_waits_here_is_looked_at_whatever_the_counts_say() -> None:
    assert not is_counted(OPEN, replace(HERE, waiting=True))


@pytest.mark.parametrize(
    ("told", "here"),
    [
        (replace(OPEN, life=Life.CLOSED, free=0), HERE),  # it may be that nobody can use a place any more
        (OPEN, replace(HERE, state="closed")),  # somebody gave a place back
        (replace(OPEN, places=1), HERE),  # an extension that did not arrive
        (replace(CLOSED, submitted=0, decided=2), replace(THERE, submitted=0, decided=2)),  # to be settled
        (replace(OPEN, life=Life.GONE), HERE),
    ],
)
def test_what_may_move_places_or_money_is_not_settled_by_a_list(
    told: Published, here: LocalPublication
) -> None:
    assert is_counted(told, here) and not is_as_known(told, here)


def test_a_place_in_somebodys_hands_keeps_a_closed_one_as_it_is() -> None:
    told = replace(CLOSED, working=1, submitted=0, decided=1)
    assert is_as_known(told, replace(THERE, submitted=0))


def test_a_list_is_final_once_every_place_was_handed_in() -> None:
    assert is_final(CLOSED)
    assert not is_final(OPEN)
    assert not is_final(replace(CLOSED, submitted=0))
    assert not is_final(replace(CLOSED, submitted=None))


def test_one_call_for_many_is_made_and_one_for_one_is_not() -> None:
    assert list_back_to([7, 8], newest=8, at_once=100, most=9) == 7
    assert list_back_to([8], newest=8, at_once=100, most=9) is None
    assert list_back_to([7, 8], newest=8, at_once=0, most=9) is None


def test_an_old_one_is_asked_for_by_itself() -> None:
    assert list_back_to([1, 9_998, 9_999], newest=10_000, at_once=100, most=9) == 9_998


def test_what_would_take_too_long_to_list_is_asked_for_by_turns() -> None:
    spread = range(0, 10_000, 50)
    assert list_back_to(spread, newest=10_000, at_once=100, most=9) == 9_150


@given(
    st.sets(st.integers(1, 3000), max_size=60), st.integers(0, 500), st.integers(1, 100), st.integers(0, 40)
)
def test_listing_never_costs_more_than_asking_for_each(
    numbers: set[int], newer: int, at_once: int, most: int
) -> None:
    newest = max(numbers, default=0) + newer
    oldest = list_back_to(numbers, newest=newest, at_once=at_once, most=most)

    def calls(back_to: int) -> int:
        return -(-(newest - back_to + 1) // at_once)

    def cost(back_to: int | None) -> int:
        if back_to is None:
            return len(numbers)
        return calls(back_to) + sum(number < back_to for number in numbers)

    assert oldest is None or calls(oldest) <= most
    assert cost(oldest) == min(map(cost, [None, *(one for one in numbers if calls(one) <= most)]))


@given(st.lists(st.integers()), st.lists(st.integers()))
def test_neither_kind_waits_for_more_than_one_of_the_other(first: list[int], second: list[int]) -> None:
    told = list(in_turn([("first", one) for one in first], [("second", one) for one in second]))
    assert [one for kind, one in told if kind == "first"] == first
    assert [one for kind, one in told if kind == "second"] == second
    shorter = min(len(first), len(second))
    assert [kind for kind, _ in told[: 2 * shorter]] == ["first", "second"] * shorter


def test_a_submission_that_says_the_same_is_known() -> None:
    assert is_known(SUBMISSION, PLACE)
    assert is_known(replace(SUBMISSION, stand=Stand.WORKING), replace(PLACE, state="opened", settling=False))
    returned = replace(PLACE, state="returned", keeps_pages=False, unpaid=False)
    assert is_known(replace(SUBMISSION, stand=Stand.RETURNED), returned)
    assert is_known(replace(SUBMISSION, stand=Stand.SCREENED_OUT), replace(returned, screened_out=True))


def test_a_screen_out_is_known_once_its_pay_is_booked() -> None:
    returned = replace(PLACE, state="returned", keeps_pages=False, unpaid=False)
    assert not is_known(replace(SUBMISSION, stand=Stand.SCREENED_OUT), returned)
    assert not is_known(replace(SUBMISSION, stand=Stand.RETURNED), replace(returned, screened_out=True))


@pytest.mark.parametrize(
    "change",
    [
        {"state": "opened"},
        {"confirmed": False},
        {"deadline": None},
        {"waiting": True},
        {"settling": False},
        {"disputed": True},
    ],
    ids=lambda change: next(iter(change)),
)
def test_anything_that_is_left_to_do_is_not(change: dict[str, Any]) -> None:
    assert not is_known(SUBMISSION, replace(PLACE, **change))
    assert not is_known(SUBMISSION, None)


@pytest.mark.parametrize("change", [{"keeps_pages": True}, {"unpaid": True}])
def test_a_place_given_back_with_a_page_or_pay_left_is_not(change: dict[str, Any]) -> None:
    here = replace(replace(PLACE, state="returned", keeps_pages=False, unpaid=False), **change)
    assert not is_known(replace(SUBMISSION, stand=Stand.RETURNED), here)
