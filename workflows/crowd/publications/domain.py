"""Rules on how many places of a stage to publish, and in what portions. Pure: no Django, no clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings


@dataclass(frozen=True, slots=True)
class Supply:
    """What is on the platform already for a stage."""

    free: int  # places that nobody has taken
    pages: int  # pages to come: of free places, and of taken ones whose workers have not had all of theirs


@dataclass(frozen=True, slots=True)
class Wanted:
    """The places to publish: whole ones, or the pages of one smaller place."""

    whole: int
    rest: int


def wanted_places(
    *,
    waiting: int,
    items_a_page: int,
    pages_a_place: int,
    supply: Supply,
    open_places: int,
    room: int | None,
    cost: Callable[[int], int],
    rest: bool,
) -> Wanted:
    """Return the places that a stage lacks and that the budget has `room` for (None: any number).

    `waiting` is the number of judgments that items wait for and no page holds. The last page may be partly
    filled, since nobody knows whether more items will come. Pages that fill no place wait for more, or are
    published as a smaller one, if `rest` says so. At most `open_places` may be free. `cost` says what a place
    with so many pages costs, in the unit of `room`.
    """
    pages = max(0, -(-waiting // items_a_page) - supply.pages)
    whole, left = divmod(pages, pages_a_place)
    most = max(0, open_places - supply.free)
    can = affordable(room, cost(pages_a_place))
    published = min(whole, most) if can is None else min(whole, most, can)
    if whole or not rest or not most or affordable(room, cost(left)) == 0:
        return Wanted(published, 0)
    return Wanted(0, left)


def pages_a_place(settings: BatchSettings, stage: str) -> int:
    """Return how many pages a place of the stage has.

    It has one where newcomers begin with an entrance: else someone who fails it would be paid for pages that
    they did not do.
    """
    has_entrance = settings.regime[stage] != Regime.OPEN and settings.control.entrance > 0
    return 1 if has_entrance else settings.crowd.pages


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
