"""How many links and chains images are expected to have, by how often their captions mention each type.

These are closed forms, so that a hundred images take milliseconds. The shares are those of the paper's tables
2 and 4.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, sqrt

from workflows.batch_settings.domain.paper import CHAINS, IMAGES, MENTIONS, MERGED_CHAINS, PLUS, PRESENT

ImageShape = Sequence[Sequence[Sequence[str]]]
"""The types of every annotatable mention of an image, caption by caption."""

GREEDY = frozenset({"greedy", "greedy_plus"})
EXHAUSTIVE = frozenset({"exhaustive", "exhaustive_plus", "every_pair"})
OF_GREEDY: Mapping[str, float] = {"likely_first": 0.63, "posterior": 0.53}
"""Strategies that ask a share of the pairs that greedy asks [ours]: `make bench-strategies`.

The link strategies are sorted by how many pairs they ask. A new one needs a place here, or a rule of its
own."""
SEVERAL = 0.643
"""A chain has more than one mention with a chance of 1 - exp(-SEVERAL x (mentions a chain - 1)) [ours]: with
2.10 mentions a chain, as in table 4, this is the 50.7% that went to verification."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Means over some images, and how much these vary (standard deviation over mean)."""

    links: float  # asked once; settling comes on top
    alone: Mapping[str, float]  # chains of one mention, by type
    several: Mapping[str, float]  # chains of more, by type
    links_vary: float
    chains_vary: float


def _news(kind: str) -> float:
    """Return the chance that a mention begins a new chain if its type was mentioned before in the image.

    It follows from the chains, mentions and images of a type (table 4, figure 5, section 3.4), before
    merging.
    """
    images = PRESENT[kind] * IMAGES
    chains = CHAINS[kind] / (1 - MERGED_CHAINS) / images
    mentions = CHAINS[kind] * MENTIONS[kind] / images
    return max(0.0, (chains - 1) / (mentions - 1))


NEWS: Mapping[str, float] = {kind: _news(kind) for kind in CHAINS}


def chains_of(mentions: int, most_in_one: int, kind: str, factor: float) -> float:
    """Return how many chains so many mentions of a type form if one caption has `most_in_one` of them."""
    if not mentions:
        return 0.0
    begun = 1 + (mentions - 1) * min(1.0, NEWS[kind] * factor)
    return max(begun, float(most_in_one))


@dataclass(frozen=True, slots=True)
class Counts:
    """What the closed forms need to know of an image."""

    pairs: int  # pairs that `exhaustive` asks
    kinds: Sequence[tuple[str, int, int]]  # a type, its mentions, the most of one caption
    steps: Sequence[tuple[int, str, int, int]]  # mentions of a caption, and their type in those before


def count_shape(image: ImageShape) -> Counts:
    """Count what the closed forms need, once an image."""
    seen: Counter[str] = Counter()
    most: dict[str, int] = {}
    steps = []
    for caption in image:
        here = Counter(_first(types) for types in caption)
        steps += [(count, kind, seen[kind], most[kind]) for kind, count in here.items() if kind in most]
        for kind, count in here.items():
            seen[kind] += count
            most[kind] = max(most.get(kind, 0), count)
    return Counts(admissible_pairs(image), [(kind, seen[kind], most[kind]) for kind in most], steps)


def expected_work(images: Sequence[Counts], strategy: str, factor: float = 1.0) -> Expected:
    """Return what the images take under the link strategy, if `factor` times as many new chains begin."""
    links: list[float] = []
    chains: list[float] = []
    alone: dict[str, float] = defaultdict(float)
    several: dict[str, float] = defaultdict(float)
    for image in images:
        total = 0.0
        for kind, count, most in image.kinds:
            number = chains_of(count, most, kind, factor)
            joined = number * (1 - exp(-SEVERAL * (count / number - 1)))
            several[kind] += joined
            alone[kind] += number - joined
            total += number
        chains.append(total)
        asked = float(image.pairs)
        if strategy not in GREEDY | EXHAUSTIVE | OF_GREEDY.keys():
            raise LookupError(f"no forecast knows the link strategy {strategy!r}")
        if strategy not in EXHAUSTIVE:
            # Each mention is compared with one mention of every chain of its type from earlier captions.
            # What exhaustive does not ask, greedy does not ask either.
            steps = (n * chains_of(seen, most, kind, factor) for n, kind, seen, most in image.steps)
            asked = min(asked, sum(steps)) * OF_GREEDY.get(strategy, 1.0)
        links.append(asked)
    n = max(1, len(images))
    return Expected(
        links=PLUS[strategy] * sum(links) / n,
        alone={kind: number / n for kind, number in alone.items()},
        several={kind: number / n for kind, number in several.items()},
        links_vary=_variation(links),
        chains_vary=_variation(chains),
    )


def admissible_pairs(image: ImageShape) -> int:
    """Return how many pairs `exhaustive` asks: mentions of different captions that share a type."""
    alike = [Counter(frozenset(types) for types in caption) for caption in image]
    return sum(
        count * other_count
        for one, other in combinations(alike, 2)
        for types, count in one.items()
        for other_types, other_count in other.items()
        if types & other_types
    )


def _first(types: Sequence[str]) -> str:
    return types[0] if types and types[0] in NEWS else "other"


def _variation(values: Sequence[float]) -> float:
    n = len(values)
    mean = sum(values) / n if n else 0.0
    return sqrt(sum((value - mean) ** 2 for value in values) / n) / mean if mean else 0.0
