"""Which items and which verification questions make a page, so that nobody can tell one from the other.

A question differs from an item in nothing that is shown of it alone. What is left to learn from is the
company it keeps: its place, and how often and how lately its image was seen before. Both are drawn here so
that they say nothing (docs/quality.md).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from annotation.domain.page_entries import Candidate


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a worker saw of an image: on how many places, and how many pages ago last (0: never)."""

    times: int = 0
    ago: int = 0


NEVER = Sighting()


def share_of(size: int, share: float, rng: Random) -> int:
    """`share` of `size`, rounded up or down at random so that the mean over many pages is exact."""
    whole, part = divmod(size * share, 1)
    return int(whole) + (rng.random() < part)


def most_of(items: int, size: int, share: float) -> int:
    """The most questions that a page of `size` places can have where so many items wait for it."""
    most = math.ceil(size * share)
    if items >= size - most:
        return most
    return min(most, math.ceil(items * share / (1 - share)))


def share_beside(items: int, share: float, rng: Random) -> int:
    """How many questions go with so many items that they are `share` of both together."""
    return share_of(items, share / (1 - share), rng)


def sightings(pages: Sequence[Sequence[int]]) -> dict[int, Sighting]:
    """Of every image on these pages (image ids, newest page first): how often and when it was seen."""
    times = Counter(image for page in pages for image in page)
    last: dict[int, int] = {}
    for ago, page in enumerate(pages, start=1):
        for image in page:
            last.setdefault(image, ago)
    return {image: Sighting(times[image], last[image]) for image in times}


def order_items(
    candidates: Sequence[Candidate], seen: Mapping[int, Sighting], rng: Random
) -> list[Candidate]:
    """All the candidates, in the order in which a page should take them.

    One an image first, then their second ones, and so on; among these, images the worker saw least often.
    The rest is chance. Who takes a page full from the front has one item an image while there is choice.
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
    """Up to `count` questions that go with items of these images, in no order that means anything.

    Each takes after an item of the page drawn at random: its image was seen as often, and as lately, or
    nearly so. An image that is on the page already comes last.

    Where no image was seen exactly as often, the nearest would mostly be one that was seen more often, and
    another item with a match mostly one that was never seen. A coin between both errs to neither side.
    """
    left = rng.sample(candidates, len(candidates))  # so that the first of equals is any of them
    taken = set(images)
    chosen: list[Candidate] = []
    for _ in range(min(count, len(left))):
        models = [seen.get(image, NEVER) for image in rng.sample(images, len(images))]
        model = models[0]
        if rng.random() < 0.5:
            there = {seen.get(image, NEVER).times for _, image in left if image not in taken}
            model = next((other for other in models if other.times in there), model)
        best = min(left, key=lambda candidate: _distance(candidate[1], model, seen, taken))
        left.remove(best)
        taken.add(best[1])
        chosen.append(best)
    return chosen


def _distance(
    image: int, model: Sighting, seen: Mapping[int, Sighting], taken: Collection[int]
) -> tuple[bool, int, int]:
    own = seen.get(image, NEVER)
    return image in taken, abs(own.times - model.times), abs(own.ago - model.ago)


def entrance_questions(
    candidates: Sequence[Candidate], count: int, *, known: Collection[int], rng: Random
) -> list[Candidate]:
    """Up to `count` questions for a page of nothing else.

    Who enters knows what they see, so these questions use up images: first those that are used up already
    (`known`), then as few others as will do, which are those with most questions. The rest is chance.
    """
    questions: dict[int, list[Candidate]] = defaultdict(list)
    for candidate in rng.sample(candidates, len(candidates)):
        questions[candidate[1]].append(candidate)
    images = sorted(questions, key=lambda image: (image not in known, -len(questions[image])))
    return [candidate for image in images for candidate in questions[image]][:count]
