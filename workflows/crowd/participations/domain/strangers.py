"""Who of those whom no platform has confirmed may hold a page, where more came than there can be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from workflows.crowd.domain.absence import SLACK

GRACE = timedelta(minutes=2)
"""Platforms count somebody as at work within so long after they took a place [ours]."""
MOST_TOGETHER = 10
"""So many times what one address may open of a publication, all of them may at once [ours]."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A session whose worker no platform has confirmed."""

    id: int
    origin: str  # where it was opened from; empty: not known any more
    opened_at: datetime
    holds: bool  # a page, or asks for one
    answered_at: datetime | None = None
    of: tuple[str, str] = ("", "")  # the platform's ids of the place and the worker, as they were said


def most_participations(places: int) -> int:
    """How many one address may open of a publication of so many places: some return theirs, others come."""
    return places * 5 + 20


def staying(guests: Collection[Guest], room: int) -> frozenset[int]:
    """The ids of those who hold a page and keep it: at most `room`.

    Sessions of one address count against each other: each address' newest comes first, then each one's
    second, and so on. Of several addresses first the one with the fewest sessions, whether they hold a page
    or not, then whoever came last: who came before may have given the place back, which platforms do not
    tell at once.
    """
    weight = Counter(_origin(one) for one in guests)
    rank: dict[int, int] = {}
    seen: defaultdict[object, int] = defaultdict(int)
    holders = sorted(
        (one for one in guests if one.holds), key=lambda one: (one.opened_at, one.id), reverse=True
    )
    for one in holders:
        rank[one.id] = seen[_origin(one)]
        seen[_origin(one)] += 1
    holders.sort(key=lambda one: (rank[one.id], weight[_origin(one)]))  # stable: the newest stay in front
    return frozenset(one.id for one in holders[: max(0, room)])


def is_due(guest: Guest, now: datetime) -> bool:
    """Whether a platform that was asked `now` would know of it: then it may say that nobody is there.

    Who has answered is told of a little later than who works.
    """
    if guest.answered_at is not None:
        return now >= guest.answered_at + SLACK
    return now >= guest.opened_at + GRACE


def _origin(guest: Guest) -> object:
    return guest.origin or guest.id
