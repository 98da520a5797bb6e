"""Which publications have to be asked for one by one, where a platform lists many in one call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from types import MappingProxyType
from typing import TypeVar

from workflows.crowd.provider import Life, Published, Stand, Submitted

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Here:
    """A publication as we have it."""

    state: str
    places: int
    submitted: int  # places handed in, and neither approved nor rejected
    decided: int  # places approved or rejected
    waiting: bool  # something came here that only a look can settle: see `workflows.crowd.rounds.local_state`


def is_counted(told: Published, here: Here) -> bool:
    """Whether what was handed in there is all known here, so that its submissions need not be listed."""
    return not here.waiting and (told.submitted, told.decided) == (here.submitted, here.decided)


def is_as_known(told: Published, here: Here) -> bool:
    """Whether a list that says this gives no reason to look: nothing to collect, to extend or to release.

    A list may be a little late, so of money nothing is decided by it: where a place may have become free for
    good, it is looked at.
    """
    if not is_counted(told, here) or told.places < here.places:
        return False
    if told.life == Life.OPEN:
        return here.state == "open"
    return told.life == Life.CLOSED and here.state == "closed" and bool(told.submitted or told.working)


def is_final(told: Published) -> bool:
    """Whether every place was handed in: then no list is too old to be believed, since none comes back."""
    if told.submitted is None or told.decided is None:
        return False
    return told.life == Life.CLOSED and told.submitted + told.decided == told.places


def list_back_to(numbers: Iterable[int], *, newest: int, at_once: int, most: int) -> int | None:
    """The number of the oldest publication to list, the newest first, where that costs fewer calls than
    asking for each, and `most` calls at most; None where it never does.

    `numbers` are those that are due, as we numbered them; a call lists `at_once`, others in between as well.
    """
    best, saved = None, 0
    for count, number in enumerate(sorted(numbers, reverse=True), 1):
        calls = -(-(newest - number + 1) // at_once) if at_once else count
        if calls > most:
            break
        if count - calls > saved:
            best, saved = number, count - calls
    return best


def in_turn(first: Sequence[Row], second: Sequence[Row]) -> Iterator[Row]:
    """One of each by turns: however many there are of one kind, the other is not kept waiting."""
    for pair in zip_longest(first, second):
        yield from (row for row in pair if row is not None)


_STATES: Mapping[Stand, str] = MappingProxyType(
    {
        Stand.WORKING: "opened",
        Stand.SUBMITTED: "submitted",
        Stand.APPROVED: "approved",
        Stand.REJECTED: "rejected",
        Stand.RETURNED: "returned",
    }
)


@dataclass(frozen=True, slots=True)
class Held:
    """A participation as we have it."""

    state: str
    confirmed: bool
    submitted_at: datetime | None
    deadline: datetime | None
    page: str  # the state of its page; empty: it has none
    waiting: bool  # its answers are held, or its page waits to be confirmed
    settling: bool  # there is a payment or a refusal that settles it
    unpaid: bool  # some payment of it is not done
    disputed: bool  # its answers are said to be a stranger's


def is_known(told: Submitted, here: Held | None) -> bool:
    """Whether it changes nothing. Where in doubt it is taken once more, which changes nothing either."""
    if here is None or here.state != _STATES[told.stand] or here.disputed:
        return False
    if (here.submitted_at, here.deadline) != (told.submitted_at, told.deadline):
        return False
    if told.stand == Stand.RETURNED:
        return here.page not in ("live", "submitted") and not here.unpaid
    settled = here.settling or told.stand == Stand.WORKING
    return here.confirmed and not here.waiting and settled
