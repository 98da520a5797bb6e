"""Compare publications and bonuses that a platform has with those that we have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from workflows.platforms.provider import Bonus, Published


@dataclass(frozen=True, slots=True)
class Known:
    """A publication as we have it."""

    token: str
    external_id: str  # empty if we never heard that it was published
    there: bool = True  # whether the platform should have it


@dataclass(frozen=True, slots=True)
class Difference:
    """The publications that differ."""

    found: tuple[Published, ...] = ()  # ours, and we did not know that the platform has them
    doubles: tuple[Published, ...] = ()  # further publications of one order
    orphans: tuple[Published, ...] = ()  # under our mark, from an order that we do not have
    missing: tuple[Known, ...] = ()  # ours, and the platform does not have them


def compare(ours: Iterable[Known], theirs: Iterable[Published]) -> Difference:
    """Return how our publications and the platform's differ.

    A publication without a token of ours whose id we do not know is somebody else's, and is left out. If
    several new ones have one token, the one with the fewest free places is ours, since people are at work
    there; the others are doubles.
    """
    known = list(ours)
    by_id = {one.external_id: one for one in known if one.external_id}
    by_token = {one.token: one for one in known}
    seen: set[str] = set()
    new: dict[str, list[Published]] = defaultdict(list)
    orphans = []
    for one in theirs:
        if one.external_id in by_id:
            seen.add(one.external_id)
        elif one.token in by_token:
            new[one.token].append(one)
        elif one.token:
            orphans.append(one)
    found, doubles = [], []
    for token, several in new.items():
        several.sort(key=lambda one: (one.free, one.external_id))
        if not by_token[token].external_id:
            found.append(several.pop(0))
        doubles += several
    missing = [one for one in by_id.values() if one.there and one.external_id not in seen]
    return Difference(tuple(found), tuple(doubles), tuple(orphans), tuple(missing))


@dataclass(frozen=True, slots=True)
class Owed:
    """A bonus as we have it; `done` if we know that it was paid."""

    token: str
    done: bool


@dataclass(frozen=True, slots=True)
class Bonuses:
    """The bonuses that differ, by their tokens."""

    paid: tuple[str, ...] = ()  # paid by the platform, and we did not know
    doubles: tuple[str, ...] = ()  # paid more than once
    orphans: tuple[Bonus, ...] = ()  # paid by the platform, and nobody here asked for it
    missing: tuple[str, ...] = ()  # paid as far as we know, and the platform does not tell of them


def compare_bonuses(ours: Iterable[Owed], theirs: Iterable[Bonus]) -> Bonuses:
    """Return how our bonuses of one publication and the platform's differ."""
    owed = {one.token: one for one in ours}
    times: dict[str, int] = defaultdict(int)
    orphans = []
    for bonus in theirs:
        if bonus.token in owed:
            times[bonus.token] += 1
        else:
            orphans.append(bonus)
    return Bonuses(
        paid=tuple(token for token in times if not owed[token].done),
        doubles=tuple(token for token, number in times.items() if number > 1),
        orphans=tuple(orphans),
        missing=tuple(one.token for one in owed.values() if one.done and one.token not in times),
    )
