"""Boxes that several workers drew: which are the same, what they say together, how far they agree."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.domain.geometry import Box, iou
from annotation.domain.merge import MergeSettings, merge
from annotation.domain.records import BoxRecord, ChainRecord, ImageRecord
from workflows.analysis.domain.aggregation.bootstrap import Estimate, estimate
from workflows.analysis.domain.aggregation.reliability import NO_ITEMS
from workflows.analysis.domain.aggregation.votes import Floats

SAME = 0.7
"""IoU from which two boxes are of the same thing: the default of a batch's `control.box_iou`."""
LEAST_SUPPORT = 3
"""Workers who must agree on a box before they are held against a gold box [ours]."""
MOST_VALUES = 2000
"""Boxes compared with each other for the disagreement that chance would bring: 32 MB of distances."""


@dataclass(frozen=True, slots=True)
class Consensus:
    """Boxes that are one: their coordinate-wise median, which they are, and who drew them."""

    box: Box
    members: tuple[int, ...]  # places in what was given
    workers: tuple[Hashable, ...]  # each once, by first member

    @property
    def support(self) -> int:
        """How many workers."""
        return len(self.workers)


def cluster(drawn: Sequence[tuple[Hashable, Box]], *, same: float = SAME) -> list[Consensus]:
    """The boxes of one image in clusters, the best supported first, then by coordinates.

    As boxes merge at export: best IoU first, and only where every two of a cluster reach `same` (above 0, at
    most 1). The result does not depend on the order of the boxes. Raises ValueError for another `same`.
    """
    places = sorted(range(len(drawn)), key=lambda place: drawn[place][1])
    # A chain a box, so that nothing but IoU keeps boxes apart; a box's place is its provenance.
    record = ImageRecord(
        name="",
        captions=(),
        boxes=tuple(BoxRecord(drawn[place][1], judgments=(place,)) for place in places),
        chains=tuple(
            ChainRecord(id=n + 1, types=(), mentions=((0, n, n + 1),), boxes=(n,)) for n in range(len(places))
        ),
    )
    merged = merge(record, MergeSettings(iou=same, iou_other=same, never=()))
    found = [
        Consensus(each.box, each.judgments, tuple(dict.fromkeys(drawn[n][0] for n in each.judgments)))
        for each in merged.boxes
    ]
    return sorted(found, key=lambda each: (-each.support, each.box))


def against_gold(
    drawn: Sequence[tuple[Hashable, Box | None]],
    gold: Sequence[Box],
    *,
    same: float = SAME,
    least: int = LEAST_SUPPORT,
) -> Consensus | None:
    """What the crowd drew where it agrees with itself and with no gold box: then the gold is suspicious.

    `drawn` has who drew what; None is *no further box is needed*. A crowd that agrees is a cluster of `least`
    workers or more, and of more than half of all who answered.
    """
    clusters = cluster([(worker, box) for worker, box in drawn if box is not None], same=same)
    if not clusters or clusters[0].support < least or 2 * clusters[0].support <= len(drawn):
        return None
    best = clusters[0]
    return None if any(iou(best.box, box) >= same for box in gold) else best


def mean_iou(
    subjects: Sequence[Sequence[Box]], rng: np.random.Generator, *, resamples: int = 1000
) -> Estimate:
    """The mean IoU of every two boxes of a subject, on average over subjects with two boxes or more."""
    means = [
        float(np.mean([iou(a, b) for n, a in enumerate(boxes) for b in boxes[:n]]))
        for boxes in subjects
        if len(boxes) >= 2
    ]
    values = np.array(means)

    def statistic(weights: Floats) -> Floats:
        return np.asarray(weights @ values / weights.sum(axis=1))

    ones = np.ones(len(values), dtype=np.int64)
    return estimate(statistic, ones, rng, undefined="no subject has two boxes", resamples=resamples)


def box_alpha(
    subjects: Sequence[Sequence[Box | None]], rng: np.random.Generator, *, resamples: int = 1000
) -> Estimate:
    """Krippendorff's alpha with 1 - IoU for a distance; None, no further box, is 1 from any box, 0 from None.

    Chance is any two answers about any two subjects, in pixels as they are. Of more than MOST_VALUES answers
    that many are drawn, as whole subjects.
    """
    several = [boxes for boxes in subjects if len(boxes) >= 2]
    kept: list[Sequence[Box | None]] = []
    values: list[Box | None] = []
    for place in rng.permutation(len(several)):
        if len(values) + len(several[place]) <= MOST_VALUES:
            kept.append(several[place])
            values += several[place]
    distances = _distances(values)
    sizes = np.array([len(boxes) for boxes in kept], dtype=np.int64)
    begins = np.cumsum(sizes) - sizes
    between = distances  # subjects x subjects: the sum over their answers
    for axis in (0, 1):
        between = np.add.reduceat(between, begins, axis=axis) if kept else between
    within = np.diagonal(between) / np.maximum(sizes - 1, 1)

    def statistic(weights: Floats) -> Floats:
        total = weights @ sizes
        expected = ((weights @ between) * weights).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(expected > 0, 1 - (total - 1) * (weights @ within) / expected, np.nan)

    why = "all answers are alike" if kept else NO_ITEMS
    ones = np.ones(len(kept), dtype=np.int64)
    return estimate(statistic, ones, rng, undefined=why, resamples=resamples)


def _distances(values: Sequence[Box | None]) -> Floats:
    """1 - IoU of every two answers."""
    drawn = np.array([box is not None for box in values], dtype=bool)
    edges = np.array([box.edges if box else (0, 0, 1, 1) for box in values], dtype=np.float64).reshape(-1, 4)
    left, top, right, bottom = edges.T
    width = np.minimum(right[:, None], right) - np.maximum(left[:, None], left)
    height = np.minimum(bottom[:, None], bottom) - np.maximum(top[:, None], top)
    shared = np.maximum(width, 0) * np.maximum(height, 0)
    area = (right - left) * (bottom - top)
    far = 1 - shared / (area[:, None] + area - shared)
    both = drawn[:, None] & drawn
    return np.asarray(np.where(both, far, drawn[:, None] != drawn), dtype=np.float64)
