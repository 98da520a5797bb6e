"""Rules on how many places of a stage to publish, and in what portions. Pure: no Django, no clock."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Supply:
    """The places of a stage that are on the platform already."""

    free: int  # places that nobody has taken
    bare: int  # places taken by a worker who has no page yet: the items of that page still wait


def places(
    *, waiting: int, items_a_page: int, supply: Supply, open_pages: int, affordable: int | None
) -> int:
    """Return how many more places to publish.

    `waiting` is the number of judgments that items wait for and no page holds. The last page may be partly
    filled, since nobody knows whether more items will come. At most `open_pages` places may be free, and at
    most `affordable` places (None: any number) fit into the budget.
    """
    wanted = -(-waiting // items_a_page) - supply.free - supply.bare
    most = min(wanted, open_pages - supply.free)
    if affordable is not None:
        most = min(most, affordable)
    return max(0, most)


def portions(number: int, most: int) -> list[int]:
    """Split `number` places into publications of at most `most` places each."""
    whole, rest = divmod(number, most)
    return [most] * whole + [rest] * (rest > 0)


def affordable(room: int | None, a_place: int) -> int | None:
    """Return how many places at `a_place` each fit into `room`, both in smallest units.

    None means any number: there is no cap, or places cost nothing.
    """
    if room is None or a_place == 0:
        return None
    return max(0, room) // a_place
