"""Probes that show what a measure of plural phrases rewards: table 1 of the paper on component IoU (U).

A detector's boxes are all that these need. Predictions that are plainly wrong, such as the biggest box or
components drawn at random, should be right rarely.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from evaluation.arrays import Bools, Floats, Ints
from evaluation.boxes import areas, disjoint, enclosing_boxes, intersections, iou_matrix, share_of_union
from evaluation.component_iou import RIGHT, Compared, compare, judge
from evaluation.dataset import Boxes
from evaluation.ragged import RaggedBoxes

ENLARGED_BY = 0.5
"""By how much boxes are enlarged to probe a measure (U, section 2.2)."""
MIN_COMPONENTS, MAX_COMPONENTS = 2, 5
"""How many components a random prediction has (U, section 4)."""

Enlarged = Literal["area", "sides"]
"""What grows when a box is enlarged. The paper does not say."""


@dataclass(frozen=True, slots=True)
class Detections:
    """What a detector found in each image, whatever the phrases are.

    `boxes` has a list an image. `labels` has the shape (boxes,) and counts from 0. A detector without labels
    gives every box a label of its own.
    """

    boxes: RaggedBoxes
    labels: Ints


@dataclass(frozen=True, slots=True)
class Probe:
    """A row of table 1. `single` has single boxes as predictions, `several` also sets of several.

    One of them is None if the probe is not defined for it.
    """

    name: str
    single: Compared | None
    several: Compared | None


TABLE_1: Mapping[str, Mapping[str, tuple[float | None, ...]]] = MappingProxyType(
    {
        "upper bound": {"iou": (72.34, 75.16, 46.67, 67.65), "component": (72.34, 73.69, 46.69, 60.94)},
        "reference system": {"iou": (47.94, 49.63, 31.15, 36.60), "component": (48.05, 49.94, 31.00, 37.37)},
        "pruned": {"iou": (None, 53.36, None, 56.46), "component": (None, 52.38, None, 50.09)},
        "pruned and enlarged": {
            "iou": (47.99, 52.03, 33.84, 52.45),
            "component": (47.26, 51.02, 29.84, 46.95),
        },
        "whole image": {"iou": (23.63, 23.63, 32.19, 32.19), "component": (21.45, 20.98, 22.88, 22.19)},
        "random": {"iou": (17.97, 20.75, 24.09, 29.17), "component": (9.17, 13.86, 7.62, 14.08)},
    }
)
"""The paper's table 1 in per cent: all phrases with single and all objects, then plural ones likewise.

It calls the bound "[+prun.]", but the text takes all candidates (section 2.2), and with more candidates the
bound of singular phrases falls from 79.50 to 77.25, which follows from neither. So there is a row for each.
Its "max box" covers the entire image (section 2.2), or is of all objects in it (section 4): two rows, too.
Its section 4 says 19.97 where the table has 17.97 for random predictions.
"""


_BOUNDS = ("single", "several", "pruned")
"""What candidates an upper bound has."""
_EVERYTHING = "everything"


@dataclass(frozen=True, slots=True)
class _Candidates:
    """What may be predicted for the phrases of one image: each box, and all boxes of a label together."""

    sets: tuple[Boxes, ...]
    labels: Ints
    several: Bools
    enclosing: Boxes
    parts: Boxes  # disjoint ones of all sets
    owner: Ints  # whose parts they are
    covered: Floats


def probes(
    truth: RaggedBoxes,
    plural: Bools,
    image: Ints,
    detections: Detections,
    rng: np.random.Generator,
    *,
    vectors: tuple[Floats, Floats] | None = None,
    sizes: Floats | None = None,
    enlarged_by: float = ENLARGED_BY,
    enlarged: Enlarged = "area",
    threshold: float = RIGHT,
) -> tuple[Probe, ...]:
    """Return the rows of table 1 for a detector.

    `truth`, `plural` and `image` have one entry a phrase, and `image` is the place of its image in
    `detections`. `vectors` are the phrases' embeddings, of shape (phrases, d), and the labels', of shape
    (labels, d). Without them, the rows of the reference system are left out. `sizes`, of shape (images, 2),
    keep enlarged boxes within the images. The rows:

    - upper bound: any candidate is right. Candidates are single boxes or, beside them, all boxes of a label.
      Pruned [ours], a plural phrase has the latter alone, if there are any, and a singular one single boxes.
    - reference system (U, appendix A): the label in the image whose embedding has the largest cosine with the
      phrase's is the best. Of its candidates, a plural phrase gets all boxes together, and a singular one the
      largest. With sets, that is the set, too, as large as its enclosing box: unpruned, "plural objects" are
      allowed for singular phrases (section 4); how they are ranked, the paper does not say [ours].
    - pruned: a singular phrase gets the largest single box of the best label. A plural one chooses among
      labels with several boxes, if there are any [ours]. The enlarged row has boxes that are enlarged by
      `enlarged_by`.
    - whole image: one box over all of it. The row is left out if the size of an image is not known.
    - all objects: all boxes of the image together.
    - biggest: the candidate with the largest enclosing box [ours].
    - random: 2 to 5 candidates of different labels together.
    """
    found: defaultdict[str, list[Boxes]] = defaultdict(lambda: [np.empty((0, 4))] * len(truth))
    right = {name: np.zeros((3, len(truth)), dtype=bool) for name in (*_BOUNDS, _EVERYTHING)}
    enclosing = enclosing_boxes(truth)
    for where, phrases in _by_image(image):
        boxes, labels = _of_image(detections, where)
        if not len(boxes):
            continue
        candidates, everything = _candidates(boxes, labels), _together(boxes)
        every, single = np.arange(len(candidates.sets)), np.flatnonzero(~candidates.several)
        biggest = _largest(candidates, single), _largest(candidates, every)
        cosines = _cosines(vectors, phrases, candidates) if vectors else None
        for nth, phrase in enumerate(phrases.tolist()):
            many = bool(plural[phrase])
            fits = _fits(truth[phrase], enclosing[phrase], candidates, threshold)
            pruned = np.flatnonzero(candidates.several) if many and len(every) > len(single) else single
            for name, among in zip(_BOUNDS, (single, every, pruned), strict=True):
                right[name][:, phrase] = fits[:, among].any(axis=1)
            fits = _fits(truth[phrase], enclosing[phrase], everything, threshold)
            right[_EVERYTHING][:, phrase] = fits[:, 0]
            found["biggest"][phrase] = candidates.sets[biggest[0]]
            found["biggest with sets"][phrase] = candidates.sets[biggest[1]]
            found["random"][phrase] = _drawn(candidates, single, rng)
            found["random with sets"][phrase] = _drawn(candidates, every, rng)
            if cosines is not None:
                one = cosines[nth]
                found["system"][phrase] = candidates.sets[_chosen(candidates, one, single)]
                found["system with sets"][phrase] = candidates.sets[_chosen(candidates, one, every, many)]
                found["pruned"][phrase] = candidates.sets[_chosen(candidates, one, pruned, many)]
    within = np.zeros((len(truth), 2)) if sizes is None else sizes[image]

    def judged(name: str, *, larger: bool = False) -> Compared:
        sets = found[name]
        if larger:
            sets = [
                enlarge(one, enlarged_by, what=enlarged, size=size)
                for one, size in zip(sets, within, strict=True)
            ]
        return compare(truth, RaggedBoxes.of(sets), plural, threshold=threshold)

    bound = {name: judge(usual, component, both, plural) for name, (usual, component, both) in right.items()}
    rows = [
        Probe("upper bound", bound[_BOUNDS[0]], bound[_BOUNDS[1]]),
        Probe("upper bound, pruned", None, bound[_BOUNDS[2]]),
    ]
    if vectors:
        rows += [
            Probe("reference system", judged("system"), judged("system with sets")),
            Probe("pruned", None, judged("pruned")),
            Probe("pruned and enlarged", judged("system", larger=True), judged("pruned", larger=True)),
        ]
    if (within > 0).all():
        found["whole image"] = list(np.concatenate([np.zeros_like(within), within], axis=1)[:, None])
        rows.append(Probe("whole image", *[judged("whole image")] * 2))
    rows += [
        Probe("all objects", *[bound[_EVERYTHING]] * 2),
        Probe("biggest", judged("biggest"), judged("biggest with sets")),
        Probe("random", judged("random"), judged("random with sets")),
    ]
    return tuple(rows)


def enlarge(boxes: Boxes, by: float = ENLARGED_BY, *, what: Enlarged = "area", size: Floats) -> Boxes:
    """Return boxes that are larger by this share around the same centres, within the image.

    `size` is its width and height, of shape (2,) or (n, 2); a 0 is unknown and cuts nothing.

    >>> enlarge(np.array([[40.0, 40.0, 60.0, 60.0]]), what="sides", size=np.array([100, 100])).tolist()
    [[35.0, 35.0, 65.0, 65.0]]
    """
    factor = 1 + by if what == "sides" else math.sqrt(1 + by)
    centre, half = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]) / 2 * factor
    most = np.where(size > 0, size, np.inf)
    least = np.where(size > 0, 0.0, -np.inf)
    return np.concatenate([np.maximum(centre - half, least), np.minimum(centre + half, most)], axis=1)


def _by_image(image: Ints) -> Iterator[tuple[int, Ints]]:
    """Yield each image that has phrases, and the places of its phrases."""
    order = np.argsort(image, kind="stable")
    for phrases in np.split(order, np.flatnonzero(np.diff(image[order])) + 1):
        if len(phrases):
            yield int(image[phrases[0]]), phrases


def _of_image(detections: Detections, image: int) -> tuple[Boxes, Ints]:
    begin, end = detections.boxes.offsets[image : image + 2]
    return detections.boxes.boxes[begin:end], detections.labels[begin:end]


def _together(boxes: Boxes) -> _Candidates:
    """Return all boxes of an image as the one candidate."""
    return _of_sets([boxes], np.zeros(1, dtype=np.int64), np.array([len(boxes) > 1]))


def _candidates(boxes: Boxes, labels: Ints) -> _Candidates:
    present, times = np.unique(labels, return_counts=True)
    together = present[times > 1]
    sets = [*boxes[:, None], *(boxes[labels == label] for label in together)]
    return _of_sets(sets, np.concatenate([labels, together]), np.arange(len(sets)) >= len(boxes))


def _of_sets(sets: list[Boxes], labels: Ints, several: Bools) -> _Candidates:
    parts = [disjoint(one) for one in sets]
    lists = RaggedBoxes.of(parts)
    return _Candidates(
        sets=tuple(sets),
        labels=labels,
        several=several,
        enclosing=enclosing_boxes(RaggedBoxes.of(sets)),
        parts=lists.boxes,
        owner=np.repeat(np.arange(len(sets)), np.diff(lists.offsets)),
        covered=np.array([areas(one).sum() for one in parts], dtype=np.float64),
    )


def _largest(candidates: _Candidates, among: Ints) -> int:
    """Return the candidate of these with the largest enclosing box, the first of equals."""
    return int(among[areas(candidates.enclosing[among]).argmax()])


def _cosines(vectors: tuple[Floats, Floats], phrases: Ints, candidates: _Candidates) -> Floats:
    """Return the cosine of each phrase with each candidate's label (phrases x candidates)."""
    rows, columns = _unit(vectors[0][phrases]), _unit(vectors[1][candidates.labels])
    return np.asarray(rows @ columns.T, dtype=np.float64)


def _unit(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, length, out=np.zeros(vectors.shape), where=length > 0))


def _chosen(candidates: _Candidates, cosines: Floats, among: Ints, together: bool = False) -> int:
    """Return the candidate of the best label among some: all its boxes if `together`, else the largest."""
    best = candidates.labels[among[cosines[among].argmax()]]
    own = among[candidates.labels[among] == best]
    if together and candidates.several[own].any():
        return int(own[candidates.several[own]][0])
    return _largest(candidates, own)


def _drawn(candidates: _Candidates, among: Ints, rng: np.random.Generator) -> Boxes:
    """Return the boxes of 2 to 5 candidates of different labels, or of as many labels as there are."""
    number = int(rng.integers(MIN_COMPONENTS, MAX_COMPONENTS, endpoint=True))
    shuffled = rng.permutation(among)
    _, first = np.unique(candidates.labels[shuffled], return_index=True)
    chosen = shuffled[np.sort(first)[:number]]
    return np.concatenate([candidates.sets[one] for one in chosen.tolist()])


def _fits(truth: Boxes, enclosing: Boxes, candidates: _Candidates, threshold: float) -> Bools:
    """Return which candidates are right by IoU, by component IoU and by both (3 x candidates)."""
    parts = disjoint(truth)
    shared = np.zeros(len(candidates.sets))
    np.add.at(shared, candidates.owner, intersections(parts, candidates.parts).sum(axis=0))
    covered = np.full(len(candidates.sets), areas(parts).sum(), dtype=np.float64)
    usual = iou_matrix(enclosing[None], candidates.enclosing)[0] >= threshold
    component = share_of_union(shared, candidates.covered, covered) >= threshold
    return np.stack([usual, component, usual & component])
