"""What suggestions do to the work and to the data: the same figures with and without them.

Whether a photograph shows suggestions is drawn by the batch's seed. So what differs between photographs with
and without is due to the suggestions, but for chance. Chains for which a model found nothing belong to their
photograph's group. Intervals come from resampling photographs, since chains of one photograph are alike.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from evaluation.audit import exact_bounds

RESAMPLES = 400
TAIL = 0.025
"""An interval has 95%."""
BINS = 5
"""Of the scores of suggestions, from 0 to 1."""
BAD_IOU = 0.5
"""A suggestion whose IoU with each known box is below this is bad."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """One answer of the stage `boxes` that counts.

    `suggested` are the scores of the boxes that were shown, or None if its photograph shows none.
    """

    image: int
    suggested: Sequence[float | None] | None
    accepted: frozenset[int] = frozenset()  # places of suggestions that are boxes of the answer, unmoved
    adjusted: frozenset[int] = frozenset()  # and those that were moved
    checked: frozenset[int] = frozenset()  # of those accepted: the ones that the check accepted or rejected
    right: frozenset[int] = frozenset()  # and those that it accepted
    boxes: int = 0
    good: int = 0  # of the boxes: those that the check accepted
    judged: int = 0  # of the boxes: those that the check accepted or rejected
    sides: Sequence[float] = ()  # of each box: the square root of its share of the photograph
    seconds: float | None = None
    overlooked: bool | None = None  # whether the check that followed missed something; None: none followed


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its interval. None: nothing to compute it from."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The figures of the answers with suggestions, or without."""

    answers: int
    seconds: Figure  # the median of an answer
    boxes: Figure  # a chain
    good: Figure  # share of judged boxes
    side: Figure  # mean side of a box, as a share of the photograph's
    overlooked: Figure  # share of chains for which a check missed something


@dataclass(frozen=True, slots=True)
class Bin:
    """Suggestions with scores of a range, and what became of them."""

    low: float
    shown: int
    accepted: int
    adjusted: int
    checked: int = 0  # of those accepted: the ones that a check accepted or rejected
    right: int = 0  # and those that it accepted


@dataclass(frozen=True, slots=True)
class Effects:
    """What suggestions did in a batch."""

    with_them: Group
    without: Group
    bins: tuple[Bin, ...]
    by_worker: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Bad suggestions on known images that a worker was shown, and those of them that were accepted."""

    @property
    def bad_shown(self) -> int:
        return sum(shown for shown, _ in self.by_worker.values())

    @property
    def bad_accepted(self) -> int:
        return sum(accepted for _, accepted in self.by_worker.values())


def effects(
    drawings: Sequence[Drawing], by_worker: Mapping[int, tuple[int, int]], rng: random.Random
) -> Effects:
    """Return the figures of a batch's answers. The order of the answers does not matter."""
    groups = defaultdict(list)
    for one in sorted(drawings, key=lambda one: (one.image, one.boxes, one.seconds or 0.0)):
        groups[one.suggested is not None].append(one)
    return Effects(_group(groups[True], rng), _group(groups[False], rng), _bins(groups[True]), by_worker)


def share_of(part: int, of: int) -> Figure:
    """Return a share with its exact interval (Clopper and Pearson 1934).

    >>> [round(float(x), 3) for x in (share_of(1, 4).low, share_of(1, 4).high)]
    [0.006, 0.806]
    """
    return Figure(part / of, *exact_bounds(part, of, tail=TAIL)) if of else Figure(None)


def _group(drawings: Sequence[Drawing], rng: random.Random) -> Group:
    def figure(of: Callable[[Sequence[Drawing]], float | None]) -> Figure:
        return _figure(drawings, of, rng)

    return Group(
        len(drawings),
        figure(lambda some: _median([one.seconds for one in some if one.seconds is not None])),
        figure(lambda some: _ratio(sum(one.boxes for one in some), len(some))),
        figure(lambda some: _ratio(sum(one.good for one in some), sum(one.judged for one in some))),
        figure(lambda some: _mean([side for one in some for side in one.sides])),
        figure(lambda some: _mean([float(one.overlooked) for one in some if one.overlooked is not None])),
    )


def _figure(
    drawings: Sequence[Drawing], of: Callable[[Sequence[Drawing]], float | None], rng: random.Random
) -> Figure:
    value = of(drawings)
    by_image: dict[int, list[Drawing]] = defaultdict(list)
    for one in drawings:
        by_image[one.image].append(one)
    images = list(by_image)
    if value is None or len(images) < 2:
        return Figure(value)
    drawn = []
    for _ in range(RESAMPLES):
        found = of([one for image in rng.choices(images, k=len(images)) for one in by_image[image]])
        if found is not None:
            drawn.append(found)
    drawn.sort()
    last = len(drawn) - 1
    return Figure(value, drawn[round(TAIL * last)], drawn[round((1 - TAIL) * last)])


def _bins(drawings: Sequence[Drawing]) -> tuple[Bin, ...]:
    counts = [[0] * 5 for _ in range(BINS)]
    for one in drawings:
        for place, score in enumerate(one.suggested or ()):
            if score is None:
                continue
            found = counts[min(BINS - 1, max(0, int(score * BINS)))]
            found[0] += 1
            found[1] += place in one.accepted
            found[2] += place in one.adjusted
            found[3] += place in one.checked
            found[4] += place in one.right
    return tuple(Bin(at / BINS, *found) for at, found in enumerate(counts))


def _ratio(above: float, below: float) -> float | None:
    return above / below if below else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _median(values: Sequence[float]) -> float | None:
    return median(values) if values else None
