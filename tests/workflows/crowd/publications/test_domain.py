from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflows.crowd.publications.domain import Supply, affordable, places, portions

NOTHING = Supply(free=0, bare=0)
number = st.integers(0, 10_000)


@pytest.mark.parametrize(
    ("waiting", "supply", "open_pages", "room", "expected"),
    [
        (0, NOTHING, 30, None, 0),
        (1, NOTHING, 30, None, 1),
        (10, NOTHING, 30, None, 1),
        (11, NOTHING, 30, None, 2),
        (100, Supply(4, 0), 30, None, 6),
        (100, Supply(4, 3), 30, None, 3),
        (100, Supply(0, 12), 30, None, 0),
        (1000, NOTHING, 30, None, 30),
        (1000, Supply(29, 0), 30, None, 1),
        (1000, Supply(29, 50), 30, None, 1),  # what is taken does not fill the window
        (1000, Supply(31, 0), 30, None, 0),
        (100, NOTHING, 30, 7, 7),
        (100, NOTHING, 30, 0, 0),
    ],
)
def test_places(waiting: int, supply: Supply, open_pages: int, room: int | None, expected: int) -> None:
    found = places(waiting=waiting, items_a_page=10, supply=supply, open_pages=open_pages, affordable=room)
    assert found == expected


@given(number, st.integers(1, 100), number, number, st.integers(1, 10_000), st.none() | number)
def test_publishing_what_is_wanted_leaves_nothing_wanted(
    waiting: int, items_a_page: int, free: int, bare: int, open_pages: int, room: int | None
) -> None:
    def wanted(free: int, room: int | None) -> int:
        return places(
            waiting=waiting,
            items_a_page=items_a_page,
            supply=Supply(free, bare),
            open_pages=open_pages,
            affordable=room,
        )

    first = wanted(free, room)
    assert 0 <= first <= open_pages and (room is None or first <= room)
    assert wanted(free + first, None if room is None else room - first) == 0


@given(number, st.integers(1, 1000))
def test_portions_add_up_and_none_is_too_large(places: int, most: int) -> None:
    found = portions(places, most)
    assert sum(found) == places and all(0 < one <= most for one in found)


@pytest.mark.parametrize(
    ("room", "a_place", "expected"),
    [(None, 6, None), (100, 0, None), (100, 6, 16), (5, 6, 0), (0, 6, 0), (-3, 6, 0)],
)
def test_affordable(room: int | None, a_place: int, expected: int | None) -> None:
    assert affordable(room, a_place) == expected
