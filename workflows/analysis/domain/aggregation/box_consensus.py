"""Compare boxes that several workers drew: which are the same, and how far the workers agree."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from annotation.domain.geometry import Box, iou
from annotation.domain.merge import MergeSettings, merge
from annotation.domain.records import BoxRecord, ChainRecord, ImageRecord
from evaluation.agreement import NO_ITEMS
from evaluation.arrays import Floats
from evaluation.significance import Estimate, estimate
from workflows.analysis.domain.same_answers import SAME

_Worker = TypeVar("_Worker", bound=Hashable)

MIN_SUPPORT = 3
"""Workers who must agree on a box before a gold box is doubted [ours]."""
MAX_VALUES = 2000
"""The most boxes compared for the disagreement expected by chance: 32 MB of distances."""


@dataclass(frozen=True, slots=True)
class Consensus:
    """A cluster of boxes: their coordinate-wise median, its members, and who drew them."""

    box: Box
    members: tuple[int, ...]  # places in what was given
    workers: tuple[Hashable, ...]  # each once, by first member

    @property
    def support(self) -> int:
        """The number of workers."""
        return len(self.workers)


def cluster(drawn: Sequence[tuple[Hashable, Box]], *, same: float = SAME) -> list[Consensus]:
    """Cluster the boxes of one image. The best supported cluster comes first, then by coordinates.

    Boxes are merged as in an export: best IoU first, and only if every two boxes of a cluster reach the IoU
    `same`. The result does not depend on the order of the boxes. Raises ValueError if `same` is not above 0
    and at most 1.
    """
    places = sorted(range(len(drawn)), key=lambda place: drawn[place][1])
    # Each box gets a chain of its own, so that only IoU keeps boxes apart. Its place is its provenance.
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
    least: int = MIN_SUPPORT,
) -> Consensus | None:
    """Return the box on which the crowd agrees if it matches no gold box: then the gold is in doubt.

    `drawn` has who drew what; None means that no further box is needed. The crowd agrees if a cluster has at
    least `least` workers and more than half of all who answered. Otherwise the result is None.
    """
    clusters = cluster([(worker, box) for worker, box in drawn if box is not None], same=same)
    if not clusters or clusters[0].support < least or 2 * clusters[0].support <= len(drawn):
        return None
    best = clusters[0]
    return None if any(iou(best.box, box) >= same for box in gold) else best


def around_known(
    drawn: Sequence[tuple[_Worker, Sequence[Box]]], known: Sequence[Box]
) -> list[list[tuple[_Worker, Box | None]]]:
    """Return for each known box who drew which box around the same thing. None: the worker drew none there.

    `drawn` has who drew which boxes at once. Each of them is for at most one known box, and the pair with
    the best IoU is made first.
    """
    found: list[list[tuple[_Worker, Box | None]]] = [[] for _ in known]
    for worker, boxes in drawn:
        pairs = sorted(
            (-iou(box, one), place, box)
            for place, one in enumerate(known)
            for box in boxes
            if iou(box, one) > 0
        )
        mine: dict[int, Box] = {}
        for _, place, box in pairs:
            if place not in mine and box not in mine.values():
                mine[place] = box
        for place, answers in enumerate(found):
            answers.append((worker, mine.get(place)))
    return found


def others_than_known(
    drawn: Sequence[tuple[_Worker, Sequence[Box]]], known: Sequence[Box], *, same: float = SAME
) -> list[tuple[_Worker, Box | None]]:
    """Return the boxes of each worker that match no known box. None: the worker drew no such box."""
    found: list[tuple[_Worker, Box | None]] = []
    for worker, boxes in drawn:
        others = [box for box in boxes if all(iou(box, one) < same for one in known)]
        found += [(worker, box) for box in others] or [(worker, None)]
    return found


def mean_iou(
    subjects: Sequence[Sequence[Box]], rng: np.random.Generator, *, resamples: int = 1000
) -> Estimate:
    """Return the mean IoU of every two boxes of a subject, averaged over subjects with several boxes."""
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
    """Return Krippendorff's alpha with 1 - IoU as the distance.

    None (no further box) has distance 1 from any box and 0 from None. The disagreement expected by chance is
    that of any two answers about any subjects, in pixels. If there are more than MAX_VALUES answers, whole
    subjects with at most that many answers are drawn.
    """
    several = [boxes for boxes in subjects if len(boxes) >= 2]
    kept: list[Sequence[Box | None]] = []
    values: list[Box | None] = []
    for place in rng.permutation(len(several)):
        if len(values) + len(several[place]) <= MAX_VALUES:
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
    """Return 1 - IoU of every two answers."""
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
