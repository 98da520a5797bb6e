"""The rules by which items and verification questions make a page, so that nobody can tell them apart.

A question on its own looks like an item. It could only be recognised by its place on the page, or by how
often and how recently its image was seen before. The rules here draw both so that they say nothing
(docs/quality.md).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain
from random import Random
from typing import NamedTuple

from annotation.domain.page_entries import Candidate
from annotation.domain.protocols import ALL_STAGES


class Sighting(NamedTuple):
    """How often a worker saw an image on pages, by stage, and how many pages ago last (0 if never).

    A claim makes a thousand of them, and a named tuple takes a third of the time of a frozen dataclass.
    """

    earlier: int = 0  # in stages before the page's
    here: int = 0
    later: int = 0
    ago: int = 0

    @property
    def times(self) -> int:
        """Return how often the worker saw the image in all stages."""
        return self.earlier + self.here + self.later

    def difference(self, other: Sighting) -> int:
        """Return how many sightings make the difference, whenever they were."""
        return abs(self.earlier - other.earlier) + abs(self.here - other.here) + abs(self.later - other.later)


NEVER = Sighting()
RESERVED_SHARE = 0.25
"""The share of a stage's questions that is for entrances, if the entrance is not longer [ours]."""


def own_boxes_until(hours: int | None, now: datetime) -> datetime | None:
    """Return since when a box must have waited so that the worker who drew it may judge it; None: never.

    `hours` is the setting `author_after_hours`. In a small team, nobody else may be there to judge it.
    """
    return None if hours is None else now - timedelta(hours=hours)


AGAIN_AFTER = timedelta(minutes=3)
"""If an item has waited for so long, nobody else is there for it [ours]: most pages take less."""


def again_until(now: datetime) -> datetime:
    """Return since when an item must have waited so that a worker may visit its image a second time."""
    return now - AGAIN_AFTER


def share_of(size: int, share: float, rng: Random) -> int:
    """Return `share` of `size`, rounded up or down at random so that the mean over many pages is exact."""
    whole, part = divmod(size * share, 1)
    return int(whole) + (rng.random() < part)


def most_of(items: int, size: int, share: float) -> int:
    """Return the most questions a page of `size` places can have if so many items wait for it."""
    most = math.ceil(size * share)
    if items >= size - most:
        return most
    return min(most, math.ceil(items * share / (1 - share)))


def share_beside(items: int, share: float, rng: Random) -> int:
    """Return how many questions to add to so many items, so that `share` of the page is questions."""
    return share_of(items, share / (1 - share), rng)


def sightings(
    pages: Sequence[tuple[str, Sequence[int]]], stage: str, *, among: Collection[int]
) -> dict[int, Sighting]:
    """Return how often and when a worker who gets a page of `stage` saw those of the images `among`.

    `pages` are stages and image ids, the newest page first. Images that the worker never saw are left out.
    """
    order = {str(one): place for place, one in enumerate(ALL_STAGES)}
    parts: tuple[list[Sequence[int]], ...] = ([], [], [])
    for other, images in pages:
        parts[1 + (order[other] > order[stage]) - (order[other] < order[stage])].append(images)
    earlier, here, later = (Counter(chain.from_iterable(part)) for part in parts)
    last: dict[int, int] = {}
    for ago in range(len(pages), 0, -1):
        for image in pages[ago - 1][1]:
            last[image] = ago
    return {  # `get`, since a Counter looks up what it does not have by a function in Python
        image: Sighting(earlier.get(image, 0), here.get(image, 0), later.get(image, 0), last[image])
        for image in set(among).intersection(last)
    }


def order_items(
    candidates: Sequence[Candidate], seen: Mapping[int, Sighting], rng: Random
) -> list[Candidate]:
    """Return all the candidates in the order in which a page should take them.

    The first candidates of all images come first, then their second ones, and so on; within each round, the
    images that the worker saw least often come first. The rest is chance. So a page that is taken from the
    front has one item an image as long as there are enough images.
    """
    shuffled = rng.sample(candidates, len(candidates))
    before: Counter[int] = Counter()
    keyed = []
    for candidate in shuffled:
        image = candidate[1]
        keyed.append((before[image], seen.get(image, NEVER).times, candidate))
        before[image] += 1
    keyed.sort(key=lambda entry: entry[:2])  # stable: chance decides the rest
    return [candidate for _, _, candidate in keyed]


def match_questions(
    candidates: Sequence[Candidate],
    images: Sequence[int],
    count: int,
    *,
    seen: Mapping[int, Sighting],
    rng: Random,
) -> list[Candidate]:
    """Return up to `count` questions that go with items of these images, in an order without a meaning.

    Each question resembles an item of the page that is drawn at random: the worker saw its image as often in
    the same stages and as recently, or nearly so. Questions about an image that is on the page already come
    last.

    If no question's image was seen exactly as often as the item's, the nearest one is taken. If that was seen
    more often, a coin decides whether another item that has an exact match (mostly one of an image that was
    never seen) is resembled instead, so that the questions err to neither side.
    """
    left = rng.sample(candidates, len(candidates))  # so that the first of equals is any of them
    taken = set(images)
    chosen: list[Candidate] = []
    for _ in range(min(count, len(left))):
        models = [seen.get(image, NEVER) for image in rng.sample(images, len(images))]
        best = _nearest(left, models[0], seen, taken)
        if seen.get(best[1], NEVER).times > models[0].times and rng.random() < 0.5:
            there = [seen.get(image, NEVER) for _, image in left if image not in taken]
            kinds = {(one.earlier, one.here, one.later) for one in there}
            fits = (other for other in models if (other.earlier, other.here, other.later) in kinds)
            best = _nearest(left, next(fits, models[0]), seen, taken)
        left.remove(best)
        taken.add(best[1])
        chosen.append(best)
    return chosen


def _nearest(
    questions: Sequence[Candidate], model: Sighting, seen: Mapping[int, Sighting], taken: Collection[int]
) -> Candidate:
    return min(questions, key=lambda candidate: _distance(candidate[1], model, seen, taken))


def split_page(visits: Sequence[tuple[int, int]], size: int) -> dict[int, int]:
    """Return how many of the `size` places of a page each image gets: {image: places}.

    `visits` pairs images with how many items about them wait. The last image may get fewer places than that.
    """
    parts: dict[int, int] = {}
    for image, waiting in visits:
        if (room := size - sum(parts.values())) <= 0:
            break
        parts[image] = min(waiting, room)
    return parts


def match_visits(
    candidates: Sequence[Candidate],
    parts: Mapping[int, int],
    *,
    seen: Mapping[int, Sighting],
    rng: Random,
) -> dict[int, list[Candidate]]:
    """Return for each image of a page the questions that could take its places, all about one other image.

    That image resembles it as in `match_questions`, and then has as many questions as it has places. If
    there is no such image, they are fewer. No image is matched twice.
    """
    questions: dict[int, list[Candidate]] = defaultdict(list)
    for candidate in rng.sample(candidates, len(candidates)):
        questions[candidate[1]].append(candidate)
    matched: dict[int, list[Candidate]] = {}
    for image, places in parts.items():
        model = seen.get(image, NEVER)

        def distance(other: int, model: Sighting = model, places: int = places) -> tuple[bool, int, int, int]:
            taken, difference, ago = _distance(other, model, seen, parts.keys())
            return taken, difference, max(0, places - len(questions[other])), ago

        best = min(questions, key=distance, default=None)
        matched[image] = questions.pop(best)[:places] if best is not None else []
    return matched


def draw_questions(
    parts: Mapping[int, int], matched: Mapping[int, Sequence[Candidate]], share: float, rng: Random
) -> set[int]:
    """Draw the images whose places the matched questions take, so that `share` of all places is questions.

    An image with too few matched questions is drawn more often, because the share matters more than how many
    questions come together.
    """
    return {
        image
        for image, places in parts.items()
        if matched[image] and rng.random() < share * places / len(matched[image])
    }


def _distance(
    image: int, model: Sighting, seen: Mapping[int, Sighting], taken: Collection[int]
) -> tuple[bool, int, int]:
    own = seen.get(image, NEVER)
    return image in taken, own.difference(model), abs(own.ago - model.ago)


def entrance_questions(
    candidates: Sequence[Candidate],
    count: int,
    *,
    known: Collection[int],
    reserved: Collection[int],
    rng: Random,
) -> list[Candidate]:
    """Return up to `count` questions for a page of nothing but questions.

    The worker will know that the images of such a page have questions, which uses these images up. So the
    images that are used up already (`known`) come first, then those that are `reserved`, then those with
    most questions, so that few are used. The rest is chance.
    """
    questions: dict[int, list[Candidate]] = defaultdict(list)
    for candidate in rng.sample(candidates, len(candidates)):
        questions[candidate[1]].append(candidate)

    def place(image: int) -> tuple[bool, bool, int]:
        return image not in known, image not in reserved, -len(questions[image])

    return [candidate for image in sorted(questions, key=place) for candidate in questions[image]][:count]


def room_for_entrances(*, everything: int, reserved: int, entrance: int) -> tuple[bool, bool]:
    """Return whether more images may be reserved for entrances, and whether some should be.

    `everything` counts the questions of a stage, and `reserved` those about images that are reserved. There
    must be enough of these for one `entrance`. If all workers got the same ones, answers could be passed on,
    so a quarter of the questions should be for entrances. No worker can bring it to more than that, whatever
    they do with their pages: the rest is for pages with items.
    """
    should = reserved < everything * RESERVED_SHARE
    return should or reserved < entrance, should
