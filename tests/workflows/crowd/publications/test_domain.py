from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflows.crowd.publications.domain import Supply, Wanted, affordable, portions, wanted_places

NOTHING = Supply(free=0, pages=0)
number = st.integers(0, 10_000)


def wanted(
    waiting: int,
    supply: Supply = NOTHING,
    *,
    open_places: int = 30,
    room: int | None = None,
    pages: int = 1,
    items: int = 10,
    rest: bool = False,
) -> Wanted:
    """Return the places that are wanted where a page costs one unit."""
    return wanted_places(
        waiting=waiting,
        items_a_page=items,
        pages_a_place=pages,
        supply=supply,
        open_places=open_places,
        room=room,
        cost=lambda number: number,
        rest=rest,
    )


@pytest.mark.parametrize(
    ("waiting", "supply", "open_places", "room", "expected"),
    [
        (0, NOTHING, 30, None, 0),
        (1, NOTHING, 30, None, 1),
        (10, NOTHING, 30, None, 1),
        (11, NOTHING, 30, None, 2),
        (100, Supply(4, 4), 30, None, 6),
        (100, Supply(4, 7), 30, None, 3),
        (100, Supply(0, 12), 30, None, 0),
        (1000, NOTHING, 30, None, 30),
        (1000, Supply(29, 29), 30, None, 1),
        (1000, Supply(29, 79), 30, None, 1),  # what is taken does not fill the window
        (1000, Supply(31, 31), 30, None, 0),
        (100, NOTHING, 30, 7, 7),
        (100, NOTHING, 30, 0, 0),
    ],
)
def test_places(waiting: int, supply: Supply, open_places: int, room: int | None, expected: int) -> None:
    assert wanted(waiting, supply, open_places=open_places, room=room) == Wanted(expected, 0)


@pytest.mark.parametrize(
    ("waiting", "supply", "rest", "room", "expected"),
    [
        (100, NOTHING, True, None, Wanted(3, 0)),  # more items may come and fill the last place
        (90, NOTHING, True, None, Wanted(3, 0)),
        (20, NOTHING, True, None, Wanted(0, 2)),
        (11, NOTHING, True, None, Wanted(0, 2)),  # a page that is partly filled
        (20, NOTHING, False, None, Wanted(0, 0)),
        (100, Supply(3, 9), True, None, Wanted(0, 1)),
        (100, Supply(0, 2), True, None, Wanted(2, 0)),  # a worker has two pages to come
        (100, Supply(0, 8), True, None, Wanted(0, 2)),
        (100, Supply(30, 9), True, None, Wanted(0, 0)),
        (100, NOTHING, True, 9, Wanted(3, 0)),
        (100, NOTHING, True, 8, Wanted(2, 0)),
        (100, NOTHING, True, 2, Wanted(0, 0)),  # no money for a place: no smaller one takes its turn
        (20, NOTHING, True, 2, Wanted(0, 2)),
        (20, NOTHING, True, 1, Wanted(0, 0)),
        (1000, NOTHING, True, None, Wanted(30, 0)),
    ],
)
def test_several_pages_a_place(
    waiting: int, supply: Supply, rest: bool, room: int | None, expected: Wanted
) -> None:
    assert wanted(waiting, supply, pages=3, rest=rest, room=room) == expected


@given(
    number,
    st.integers(1, 100),
    number,
    number,
    st.integers(1, 10_000),
    st.none() | number,
    st.integers(1, 50),
    st.booleans(),
)
def test_publishing_what_is_wanted_leaves_nothing_wanted(
    waiting: int,
    items: int,
    free: int,
    taken: int,
    open_places: int,
    room: int | None,
    pages: int,
    rest: bool,
) -> None:
    def more(free: int, to_come: int, room: int | None) -> Wanted:
        supply = Supply(free, to_come)
        return wanted(
            waiting, supply, open_places=open_places, room=room, pages=pages, items=items, rest=rest
        )

    first = more(free, free * pages + taken, room)
    places, new = first.whole + (first.rest > 0), first.whole * pages + first.rest
    assert 0 <= places <= max(0, open_places - free) and (room is None or new <= room)
    assert first.rest < pages and (rest or not first.rest) and not (first.whole and first.rest)
    again = more(free + places, free * pages + taken + new, None if room is None else room - new)
    assert again.whole == 0


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
