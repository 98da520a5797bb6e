"""Content selection: which of an image's boxes a description mentions.

The source is the paper on generating image descriptions from gold standard visual inputs, called C below,
with its errata. Each description of an image mentions some of its instances (boxes). A system selects some,
and is compared with all descriptions, so that what most of them mention counts most.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from evaluation.arrays import Floats
from evaluation.boxes import areas, iou_matrix
from evaluation.dataset import Boxes, Dataset, Image

MAX_SELECTED = 15
"""The largest number of instances that systems were asked for (C, section 5)."""
SAME = 0.5
"""The least IoU with which two boxes of an image are one instance [ours]."""


# The measure ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Selection:
    """Precision, recall and F, each from 0 to 1 and of shape (images,).

    An image is nan in all of them if no description mentions anything, and then counts nowhere [ours].
    """

    precision: Floats
    recall: Floats
    f: Floats

    def mean(self) -> tuple[float, float, float]:
        """Return the means over images of precision, recall and F."""
        table = self._known()
        return _three(table.mean(axis=0) if len(table) else [math.nan] * 3)

    def deviation(self) -> tuple[float, float, float]:
        """Return the standard deviations over images, of the images as a population [ours]."""
        table = self._known()
        return _three(table.std(axis=0) if len(table) else [math.nan] * 3)

    def _known(self) -> Floats:
        table = np.stack([self.precision, self.recall, self.f], axis=1)
        return np.asarray(table[~np.isnan(table).any(axis=1)])


def score(gold: Sequence[Set[int]], selected: Set[int]) -> tuple[float, float, float]:
    """Return precision, recall and F of what was selected in one image (C, equations 1 to 3).

    `gold` has the instances that each description mentions. A description that mentions none is left out;
    without any other, all three are nan. If nothing was selected, all three are 0 [ours].

    >>> gold = [{2, 0, 5, 3}, {2, 3}, {2, 5, 3}, {2, 3}, {2, 3}, {2, 5, 3}, {2, 5, 0, 3}]
    >>> [round(value, 4) for value in score(gold, {2, 3})]
    [1.0, 0.7619, 0.8649]
    """
    described = [one for one in gold if one]
    if not described:
        return math.nan, math.nan, math.nan
    shared = [len(one & selected) for one in described]
    precision = sum(shared) / len(described) / len(selected) if selected else 0.0
    recall = sum(n / len(one) for n, one in zip(shared, described, strict=True)) / len(described)
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def select(gold: Iterable[Sequence[Set[int]]], selected: Iterable[Set[int]]) -> Selection:
    """Return the scores of a system over images. Raises ValueError if the numbers of images differ.

    >>> found = select([[{1, 2}], [{3}]], [{1}, {4}])
    >>> found.precision.tolist(), found.recall.tolist(), found.mean()[0]
    ([1.0, 0.0], [0.5, 0.0], 0.5)
    """
    return _selection([score(one, other) for one, other in zip(gold, selected, strict=True)])


def human_bound(gold: Iterable[Sequence[Set[int]]]) -> Selection:
    """Return the scores of people: each description against the others of its image (C, section 5).

    An image's figures are the means over its descriptions, also of F. Descriptions that mention nothing are
    left out, and an image with fewer than two that mention something is nan (paper: P .77, R .77, F .74).

    >>> gold = [{2, 0, 5, 3}, {2, 3}, {2, 5, 3}, {2, 3}, {2, 3}, {2, 5, 3}, {2, 5, 0, 3}]
    >>> [round(value, 4) for value in human_bound([gold]).mean()]
    [0.8571, 0.8571, 0.8375]
    """
    found = []
    for image in gold:
        described = [one for one in image if one]
        each = [score([*described[:n], *described[n + 1 :]], one) for n, one in enumerate(described)]
        found.append(_three(np.mean(each, axis=0) if len(each) > 1 else [math.nan] * 3))
    return _selection(found)


def mentioned_boxes(images: Iterable[Instances]) -> int:
    """Return how many boxes of the images a description mentions, each once."""
    return sum(len(frozenset().union(*image.gold())) for image in images)


# Ranks of several systems -----------------------------------------------------------------------------------


def ranks(order: Sequence[int], number: int) -> Floats:
    """Return the rank of each of `number` instances from 1, of shape (number,) (C, section 5.1).

    `order` has those that a system selected, the best first. Those that it did not select have the mean of
    the ranks that are left: 0.5 ((N + 1) - Ns) + Ns.

    >>> ranks([4, 0, 8], 9).tolist()
    [2.0, 6.5, 6.5, 6.5, 1.0, 6.5, 6.5, 6.5, 3.0]
    """
    found = np.full(number, 0.5 * ((number + 1) - len(order)) + len(order))
    found[list(order)] = np.arange(1.0, len(order) + 1)
    return found


def combine(orders: Sequence[Sequence[int]], number: int) -> list[int]:
    """Return all instances by their mean rank over several systems, the best first.

    Instances with one mean rank are in the order of the first system, and then of their numbers [ours].

    >>> combine([[0, 1, 2], [2, 0]], 3)
    [0, 2, 1]
    """
    every = np.stack([ranks(order, number) for order in orders])
    order: list[int] = np.lexsort((every[0], every.mean(axis=0))).tolist()
    return order


# Systems ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Labelled:
    """All boxes of an image, as a file names them: of shape (n, 4), with a label each."""

    boxes: Boxes
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Instances:
    """The boxes of an image, mentioned or not, and which of them its descriptions mention."""

    boxes: Boxes
    concepts: tuple[str, ...]
    """What each box is: its label. Without one, the commonest last word of the mentions that mean it [ours],
    or "" if there is none."""
    size: tuple[int, int]
    descriptions: tuple[tuple[int, ...], ...]
    """The boxes that each caption mentions, each once, in the order of the mentions."""
    name: str = ""

    def gold(self) -> list[Set[int]]:
        """Return the set of each description."""
        return [frozenset(one) for one in self.descriptions]


def instances(
    dataset: Dataset, *, split: str = "", labelled: Mapping[str, Labelled] | None = None
) -> list[Instances]:
    """Return the instances of every image of a data set, or of one of its splits, that has boxes.

    They are those that mentions mean (a mention leads to its chain, and the chain to its boxes), and those
    that no mention means (C, section 5: the pool has all boxes of the image). Equal boxes are one instance.
    The boxes of a mention with several come one after the other; the paper has single words [ours].

    If `labelled` has the image, its boxes are the instances, in its order. A box of a mention is the one with
    which its IoU is largest, if that is at least SAME, and else a further instance [ours].
    """
    found = (
        _instances(image, (labelled or {}).get(image.name))
        for image in dataset.images
        if not split or image.split == split
    )
    return [image for image in found if len(image.boxes)]


def by_chance(image: Instances, rng: np.random.Generator) -> list[int]:
    """Return all instances in random order."""
    order: list[int] = rng.permutation(len(image.boxes)).tolist()
    return order


def by_size(image: Instances) -> list[int]:
    """Return all instances by their area, the largest first (C, section 4.1)."""
    order: list[int] = np.argsort(-areas(image.boxes), kind="stable").tolist()
    return order


def by_position(image: Instances) -> list[int]:
    """Return all instances by the distance of their centres to the image's (C, section 4.1).

    The paper's errata say that this is worse than all but chance. If the size of the image is unknown, its
    centre is that of the box around all instances.
    """
    centres = (image.boxes[:, :2] + image.boxes[:, 2:]) / 2
    whole = np.concatenate([image.boxes[:, :2].min(axis=0), image.boxes[:, 2:].max(axis=0)])
    centre = np.array(image.size) / 2 if all(image.size) else (whole[:2] + whole[2:]) / 2
    order: list[int] = np.argsort(np.square(centres - centre).sum(axis=1), kind="stable").tolist()
    return order


@dataclass(frozen=True, slots=True)
class Concepts:
    """How often descriptions of a development part mention each concept, and each after each other."""

    unigrams: Mapping[str, int]
    bigrams: Mapping[tuple[str, str], int]
    """(concept, the next); the first concept of a description comes after ""."""


def count_concepts(images: Iterable[Instances]) -> Concepts:
    """Return the counts of a development part (C, section 4.2)."""
    unigrams: Counter[str] = Counter()
    bigrams: Counter[tuple[str, str]] = Counter()
    for image in images:
        for description in image.descriptions:
            said = [image.concepts[one] for one in description]
            unigrams.update(said)
            bigrams.update(pairwise(["", *said]))
    return Concepts(unigrams, bigrams)


def by_unigrams(image: Instances, counts: Concepts) -> list[int]:
    """Return all instances by how often their concept was mentioned, and then by size [ours]."""
    return sorted(by_size(image), key=lambda one: -counts.unigrams.get(image.concepts[one], 0))


def by_bigrams(image: Instances, counts: Concepts) -> list[int]:
    """Return the instances that a greedy walk over concepts selects (C, section 4.2).

    It begins with the concept that is likeliest to be mentioned first, goes on with the one that most often
    comes next, and stops when none of those that are left ever did. Of one concept, the largest comes first
    [ours].
    """
    left, last = by_size(image), ""
    order: list[int] = []
    while left:
        best = max(left, key=lambda one: counts.bigrams.get((last, image.concepts[one]), 0))
        if not counts.bigrams.get((last, image.concepts[best]), 0):
            break
        order.append(best)
        left.remove(best)
        last = image.concepts[best]
    return order


def _instances(image: Image, labelled: Labelled | None) -> Instances:
    given = labelled.boxes if labelled else np.empty((0, 4))
    more: dict[tuple[float, ...], int] = {}
    of_chain = {
        chain.id: [_place(box, given, more) for box in chain.boxes] for chain in image.chains.values()
    }
    if labelled is None:
        for box in image.unmentioned:
            _place(box, given, more)
    called: list[Counter[str]] = [Counter() for _ in range(len(given) + len(more))]
    descriptions = []
    for caption in image.captions:
        said: dict[int, None] = {}
        for mention in caption.mentions:
            for one in of_chain.get(mention.chain, ()):
                said[one] = None
                called[one][mention.tokens[-1].lower() if mention.tokens else ""] += 1
        descriptions.append(tuple(said))
    words = tuple(max(sorted(one), key=one.__getitem__) if one else "" for one in called[len(given) :])
    return Instances(
        boxes=np.concatenate([given, np.array(list(more), dtype=np.float64).reshape(-1, 4)]),
        concepts=(*(labelled.labels if labelled else ()), *words),
        size=(image.width, image.height),
        descriptions=tuple(descriptions),
        name=image.name,
    )


def _place(box: Floats, given: Boxes, more: dict[tuple[float, ...], int]) -> int:
    """Return the number of a box of the image, which is one of `given` or of `more`; add it to these."""
    if len(given):
        overlaps = iou_matrix(box[None], given)[0]
        if overlaps.max() >= SAME:
            return int(overlaps.argmax())
    return more.setdefault(tuple(box.tolist()), len(given) + len(more))


def _selection(found: Sequence[tuple[float, float, float]]) -> Selection:
    table = np.array(found, dtype=np.float64).reshape(-1, 3)
    return Selection(table[:, 0], table[:, 1], table[:, 2])


def _three(values: Iterable[float]) -> tuple[float, float, float]:
    precision, recall, f = values
    return float(precision), float(recall), float(f)
