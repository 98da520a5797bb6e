"""Rules on what a round has to ask a platform for, and what it knows already.

They say which publications to look at, whether a look has to list submissions, and which of those submissions
are stored already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from types import MappingProxyType
from typing import TypeVar

from workflows.platforms.provider import Life, Published, Stand, Submitted

Row = TypeVar("Row")
_STATES: Mapping[Stand, str] = MappingProxyType(
    {
        Stand.WORKING: "opened",
        Stand.SUBMITTED: "submitted",
        Stand.APPROVED: "approved",
        Stand.REJECTED: "rejected",
        Stand.RETURNED: "returned",
        Stand.SCREENED_OUT: "returned",
    }
)
"""The state of a participation, by that of its submission on the platform."""

ENDED = (Stand.RETURNED, Stand.SCREENED_OUT)
"""States of places that ended without a page to pay for. Others can take them."""


@dataclass(frozen=True, slots=True)
class LocalPublication:
    """A publication as we have it."""

    state: str
    places: int
    submitted: int  # places submitted, and neither approved nor rejected
    decided: int  # places approved or rejected
    waiting: bool  # only a look can settle something here: see `workflows.crowd.rounds.local_state`


@dataclass(frozen=True, slots=True)
class LocalParticipation:
    """A participation as we have it."""

    state: str
    confirmed: bool
    submitted_at: datetime | None
    deadline: datetime | None
    keeps_pages: bool  # one of its pages is leased, or its answers count
    waiting: bool  # answers of it are held, or a page of it waits to be confirmed
    settling: bool  # a reward or a refusal is stored for it
    unpaid: bool  # one of its payments is not done
    disputed: bool  # an open problem says that its answers are a stranger's
    screened_out: bool = False  # it is booked that the platform paid for a failed test


def is_counted(published: Published, here: LocalPublication) -> bool:
    """Return whether we know all submissions that the platform counts, so that it need not list them."""
    return not here.waiting and (published.submitted, published.decided) == (here.submitted, here.decided)


def is_as_known(published: Published, here: LocalPublication) -> bool:
    """Return whether a list that says this gives no reason to look: nothing to collect, extend or release.

    A list may be a little late, so it decides nothing about money. If a place may have become free for good,
    there is a reason to look.
    """
    if not is_counted(published, here) or published.places < here.places:
        return False
    if published.life == Life.OPEN:
        return here.state == "open"
    return (
        published.life == Life.CLOSED
        and here.state == "closed"
        and bool(published.submitted or published.working)
    )


def is_final(published: Published) -> bool:
    """Return whether all places were submitted. Then even an old list is right, since no place comes back."""
    if published.submitted is None or published.decided is None:
        return False
    return published.life == Life.CLOSED and published.submitted + published.decided == published.places


def list_back_to(numbers: Iterable[int], *, newest: int, at_once: int, most: int) -> int | None:
    """Return how far back to read the list, as the number of the oldest publication to find in it.

    The list begins with the newest. It is read as far back as saves most calls against a look at each
    publication, with at most `most` calls. None means that the list saves nothing. `numbers` are those of the
    due publications, in the order in which we made them; `newest` is the last number there is. A call lists
    `at_once` publications, also those in between that are not due.
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
    """Yield rows from both by turns, so that a long sequence does not keep the other one waiting."""
    for pair in zip_longest(first, second):
        yield from (row for row in pair if row is not None)


def is_known(submission: Submitted, here: LocalParticipation | None) -> bool:
    """Return whether a submission changes nothing. In doubt it does: storing it once more does no harm."""
    if here is None or here.state != _STATES[submission.stand] or here.disputed:
        return False
    if (here.submitted_at, here.deadline) != (submission.submitted_at, submission.deadline):
        return False
    if submission.stand in ENDED:
        paid = here.screened_out == (submission.stand == Stand.SCREENED_OUT)
        return paid and not here.keeps_pages and not here.unpaid
    settled = here.settling or submission.stand == Stand.WORKING
    return here.confirmed and not here.waiting and settled
