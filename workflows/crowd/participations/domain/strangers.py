"""Rules on which unconfirmed workers may hold a page if more have come than there are places."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from workflows.crowd.domain.absence import SLACK

GRACE = timedelta(minutes=2)
"""Platforms count somebody as at work within this time after they took a place [ours]."""
MAX_SESSIONS_FACTOR = 10
"""All addresses together may open this many times what one address may open of a publication [ours]."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A session whose worker no platform has confirmed."""

    id: int
    origin: str  # from where it was opened; empty if that is not known any more
    opened_at: datetime
    holds: bool  # whether it has a page, or asks for one
    answered_at: datetime | None = None
    of: tuple[str, str] = ("", "")  # the platform's ids of the place and the worker, as the session gave them


def most_participations(places: int) -> int:
    """Return how many sessions one address may open of a publication: some return places, and others come."""
    return places * 5 + 20


def staying(guests: Collection[Guest], room: int) -> frozenset[int]:
    """Return the ids of the guests who keep the page they hold: at most `room`.

    Sessions of one address count against each other: the newest of each address comes first, then the second
    of each, and so on. Among addresses, the one with the fewest sessions comes first, whether these hold a
    page or not. Then whoever came last comes first: earlier guests may have given the place back, which
    platforms do not tell at once.
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
    """Return whether a platform that is asked `now` should know of this guest, if the worker exists.

    Platforms tell of workers who have answered a little later than of those who work.
    """
    if guest.answered_at is not None:
        return now >= guest.answered_at + SLACK
    return now >= guest.opened_at + GRACE


def _origin(guest: Guest) -> object:
    return guest.origin or guest.id
