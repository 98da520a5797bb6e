"""How many places of a stage to publish, and in what portions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Supply:
    """What of a stage is on the platform already."""

    free: int  # places that nobody has taken
    bare: int  # taken, but without a page so far: the items that will be on it still wait


def places(
    *, waiting: int, items_a_page: int, supply: Supply, open_pages: int, affordable: int | None
) -> int:
    """How many places more to publish.

    `waiting` are the judgments that items wait for and no page holds; a page that is not full is published,
    too, since nobody knows whether more will come. `open_pages` bounds what nobody has taken, and
    `affordable` (None: no cap) what the budget has room for.
    """
    wanted = -(-waiting // items_a_page) - supply.free - supply.bare
    most = min(wanted, open_pages - supply.free)
    if affordable is not None:
        most = min(most, affordable)
    return max(0, most)


def portions(number: int, most: int) -> list[int]:
    """`number` places as publications of at most `most` places each."""
    whole, rest = divmod(number, most)
    return [most] * whole + [rest] * (rest > 0)


def affordable(room: int | None, a_place: int) -> int | None:
    """Places that `room` (smallest units; None: no cap) pays at `a_place` each."""
    if room is None or a_place == 0:
        return None
    return max(0, room) // a_place
