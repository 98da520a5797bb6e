"""What a set of suggestions would be like, before anybody sees it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.domain.suggested import MAX_SUGGESTED, SuggestedBox
from evaluation.arrays import Floats
from evaluation.boxes import iou_matrix
from evaluation.dataset import types_in_order
from evaluation.localization import HIT


@dataclass(frozen=True, slots=True)
class Known:
    """A mention whose boxes are known, of shape (n, 4), with n of at least 1."""

    types: tuple[str, ...]
    boxes: Floats


@dataclass(slots=True)
class Figures:
    """How suggestions compare with known boxes: a pair of them may match once, at an IoU of HIT or more."""

    mentions: int = 0
    known: int = 0
    suggested: int = 0
    matched: int = 0

    @property
    def recall(self) -> float | None:
        """The share of the known boxes that a suggestion matches, or None without any."""
        return self.matched / self.known if self.known else None

    @property
    def precision(self) -> float | None:
        """The share of the suggestions that match a known box, or None without any."""
        return self.matched / self.suggested if self.suggested else None

    def to_json(self) -> dict[str, int]:
        """Return the counts."""
        return {
            "mentions": self.mentions,
            "known": self.known,
            "suggested": self.suggested,
            "matched": self.matched,
        }


def histogram(numbers: Iterable[int]) -> list[int]:
    """Return how many mentions get 0, 1, … and MAX_SUGGESTED boxes.

    >>> histogram([0, 2, 2])[:4]
    [1, 0, 2, 0]
    """
    counts = Counter(numbers)
    return [counts[number] for number in range(MAX_SUGGESTED + 1)]


def matches(suggested: Floats, known: Floats) -> int:
    """Return how many suggestions match a known box.

    `suggested` (n, 4) are the best first. Each takes the known box (m, 4) that it overlaps most of those that
    are left, if the IoU is HIT or more, as in the evaluation of COCO.
    """
    if not len(suggested) or not len(known):
        return 0
    overlaps = iou_matrix(suggested, known)
    found = 0
    for row in range(len(suggested)):
        best = int(overlaps[row].argmax())
        if overlaps[row, best] >= HIT:
            overlaps[:, best] = -1.0
            found += 1
    return found


def compare(
    known: Mapping[int, Known], suggested: Mapping[int, Sequence[SuggestedBox]]
) -> dict[str, Figures]:
    """Return the figures by type, and those of all mentions under "all". A mention counts in all its types.

    Both are by mention id. Known mentions without an entry in `suggested` count as mentions without boxes.
    """
    found: defaultdict[str, Figures] = defaultdict(Figures)
    for mention, one in known.items():
        boxes = np.array([box[:4] for box in suggested.get(mention, ())], dtype=np.float64).reshape(-1, 4)
        matched = matches(boxes, one.boxes)
        for name in ("all", *one.types):
            figures = found[name]
            figures.mentions += 1
            figures.known += len(one.boxes)
            figures.suggested += len(boxes)
            figures.matched += matched
    order = [name for name in ("all", *types_in_order(set(found) - {"all"})) if name in found]
    return {name: found[name] for name in order}
