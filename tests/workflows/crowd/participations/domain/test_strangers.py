"""Which guests keep a page if more have come than there are places."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.factories import NOW
from workflows.crowd.domain.absence import SLACK
from workflows.crowd.participations.domain.strangers import GRACE, Guest, is_due, staying

guests = st.lists(
    st.builds(
        Guest,
        id=st.integers(1, 10_000),
        origin=st.sampled_from(["", "a", "b", "c", "d"]),
        opened_at=st.integers(0, 50).map(lambda minutes: NOW + timedelta(minutes=minutes)),
        holds=st.booleans(),
    ),
    unique_by=lambda one: one.id,
    max_size=20,
)


def guest(pk: int, origin: str, minute: int = 0, *, holds: bool = True) -> Guest:
    return Guest(pk, origin, NOW + timedelta(minutes=minute), holds)


@given(guests, st.integers(-3, 25))
def test_as_many_stay_as_there_is_room_for(there: list[Guest], room: int) -> None:
    holding = {one.id for one in there if one.holds}
    stay = staying(there, room)
    assert stay <= holding
    assert len(stay) == min(max(0, room), len(holding))
    assert stay <= staying(there, room + 1)


@given(guests, st.integers(0, 25), st.integers(1, 20))
def test_more_sessions_of_one_address_take_nothing_from_others(
    there: list[Guest], room: int, more: int
) -> None:
    """A guest who keeps a page beside one session of another address keeps it beside any number of them."""
    stranger = guest(0, "stranger", 60)
    flood = [guest(-number, "stranger", 60 + number) for number in range(1, more + 1)]
    before = staying([*there, stranger], room) - {0}
    after = staying([*there, stranger, *flood], room)
    others = [one for one in there if one.id in before]
    first = [one for one in others if not any(_newer(two, one) for two in there)]
    assert {one.id for one in first} <= after


def _newer(two: Guest, one: Guest) -> bool:
    """Return whether `two` is of the same address as `one`, and comes before it in turn."""
    same = bool(one.origin) and two.origin == one.origin and two.holds
    return same and (two.opened_at, two.id) > (one.opened_at, one.id)


def test_who_comes_last_has_the_place_where_one_gave_it_back() -> None:
    assert staying([guest(1, "a"), guest(2, "b", 1)], 1) == {2}
    assert staying([guest(1, "a"), guest(2, "a", 1)], 1) == {2}


def test_an_address_of_which_more_came_is_last() -> None:
    there = [guest(1, "stranger", holds=False), guest(2, "worker", 1), guest(3, "stranger", 2)]
    assert staying(there, 1) == {2}
    assert staying([*there, guest(4, "stranger", 3)], 2) == {2, 4}


def test_addresses_that_are_forgotten_are_not_one() -> None:
    there = [guest(1, "", holds=False), guest(2, "", 1), guest(3, "b", 0)]
    assert staying(there, 1) == {2}


def test_a_platform_is_given_time_to_know_of_somebody() -> None:
    working = guest(1, "a")
    assert not is_due(working, NOW + GRACE - timedelta(seconds=1)) and is_due(working, NOW + GRACE)
    answered = Guest(1, "a", NOW, holds=True, answered_at=NOW + GRACE)
    assert not is_due(answered, NOW + GRACE) and is_due(answered, NOW + GRACE + SLACK)
