"""What a platform has beside what we have: the differences, each of one kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from workflows.crowd.provider import Bonus, Published


@dataclass(frozen=True, slots=True)
class Known:
    """A publication as we have it; `external_id` is empty where we never heard that it was published."""

    token: str
    external_id: str
    there: bool = True  # the platform is expected to have it


@dataclass(frozen=True, slots=True)
class Difference:
    """Publications on which both sides do not agree."""

    found: tuple[Published, ...] = ()  # ours, and we did not know that they are there
    doubles: tuple[Published, ...] = ()  # a second one of one order
    orphans: tuple[Published, ...] = ()  # under our mark, of an order that we do not have
    missing: tuple[Known, ...] = ()  # we have them, the platform has not


def compare(ours: Iterable[Known], theirs: Iterable[Published]) -> Difference:
    """Both sides. What bears no token of ours and is not known by its id is somebody else's.

    Of several that are new under one token, the one with the fewest free places is ours: people are at work
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
    """A bonus as we have it."""

    token: str
    done: bool


@dataclass(frozen=True, slots=True)
class Bonuses:
    """Bonuses on which both sides do not agree."""

    paid: tuple[str, ...] = ()  # tokens: paid there, and we did not know
    doubles: tuple[str, ...] = ()  # tokens: paid more than once
    orphans: tuple[Bonus, ...] = ()  # paid there, and nobody here asked for it
    missing: tuple[str, ...] = ()  # tokens: we think that they are paid, the platform does not tell of them


def compare_bonuses(ours: Iterable[Owed], theirs: Iterable[Bonus]) -> Bonuses:
    """Both sides, of one publication."""
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
