"""Predicted boxes as they are read, in parts of bounded size and ready to be measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.arrays import Floats
from evaluation.coordinates import Size
from evaluation.errors import Place, number
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import PIXELS, Form
from evaluation.predictions.likely_form import LOOKED_AT, Sample, likely_form
from evaluation.predictions.lookup import Lookup
from evaluation.ragged import RaggedBoxes, RankedBoxes
from evaluation.readers.records import MAX_SIDE

SEEN = ("width", "height")
"""The fields of a line that say the size of the image as a model saw it."""
MAX_PART_BOXES = 1_000_000
"""Boxes of a part: 32 MB."""
MAX_PART_QUERIES = 20_000
"""Queries of a part."""

MAX_EDGE = 1e9
"""Edges from here on, which no image has, count as infinite: areas of such boxes would lose their digits."""


@dataclass(frozen=True, slots=True)
class Part:
    """Predictions for some queries: `ranked` has the boxes of each of `rows`.

    `unscored` is a query whose boxes are in a file without scores, or None if all have some.
    """

    rows: NDArray[np.int64]
    ranked: RankedBoxes
    unscored: int | None = None


class Parts:
    """Gathers predictions until they make a part. It counts doubles, bad boxes, and queries without any.

    If it is `strict`, it refuses numbers that are not finite, where else it counts them. In the end it says
    what the numbers look like, if they seem to be read in a wrong way.
    """

    def __init__(self, lookup: Lookup, findings: Findings, *, strict: bool = False) -> None:
        self._lookup, self._findings, self._strict = lookup, findings, strict
        self._seen = np.zeros(len(lookup.queries), dtype=bool)
        self._rows: list[int] = []
        self._boxes: list[Floats] = []
        self._scores: list[Floats] = []
        self._size = 0
        self._unscored: int | None = None
        self._form = PIXELS
        self._firsts: list[tuple[int, Floats, Floats]] = []
        self._total = 0

    def add(
        self,
        row: int,
        numbers: Floats,
        scores: Floats | None,
        place: Place,
        *,
        form: Form = PIXELS,
        seen: Size | None = None,
    ) -> None:
        """Add the boxes of a query, of shape (n, 4), which are at this place in the file.

        `form` says what the numbers are, and `seen` how large the image was that the model saw. Without
        scores, boxes are the best first. Raise InputError if it is strict and finds NaN or infinity, and if
        the size of the image is needed and not known.
        """
        self.check(numbers, scores, place, self._lookup.name(row))
        if self._seen[row]:
            self._findings.add("second prediction for the same mention", self._lookup.name(row))
            return
        self._seen[row] = True
        boxes = numbers
        if form != PIXELS or seen or len(self._firsts) < LOOKED_AT:
            boxes = self._in_pixels(row, numbers, place, form, seen)
        self._total += len(boxes)
        if scores is None and len(boxes):
            self._unscored = row
        self._rows.append(row)
        self._boxes.append(boxes)
        self._scores.append(-np.arange(len(boxes), dtype=np.float64) if scores is None else scores)
        self._size += len(boxes)

    def _in_pixels(self, row: int, numbers: Floats, place: Place, form: Form, seen: Size | None) -> Floats:
        """Return the boxes in pixel edges, and keep the first one if not enough were kept for a look."""
        asked = self._lookup.queries
        width, height = asked.sizes[asked.image[row]].tolist()
        is_sized = bool(width and height)
        if not is_sized and (seen or form.needs_size):
            name = asked.keys[row].image
            raise place.error("image", f"the size of {name} is not known, and these numbers need it")
        boxes = form.pixels(numbers, (width, height), seen)
        if is_sized and len(boxes) and len(self._firsts) < LOOKED_AT and _is_usual(numbers[0]):
            self._form = form
            self._firsts.append((row, numbers[0], boxes[0]))
        return boxes

    def check(self, boxes: Floats, scores: Floats | None, place: Place, name: str) -> None:
        """Raise InputError if it is strict, and a box or score that is for `name` has NaN or infinity."""
        if not self._strict:
            return
        for field, numbers in (("boxes", boxes), ("scores", scores)):
            if numbers is not None and not np.isfinite(numbers).all():
                raise place.error(field, f"has NaN or infinity for {name}; leave such boxes out")

    def full(self) -> Iterator[Part]:
        """Yield a part if enough was gathered."""
        if self._size >= MAX_PART_BOXES or len(self._rows) >= MAX_PART_QUERIES:
            yield self._part()

    def rest(self) -> Iterator[Part]:
        """Yield what is left, and then the queries for which there was nothing, as queries without boxes."""
        if self._rows:
            yield self._part()
        self._look()
        missing = np.flatnonzero(~self._seen)
        if len(missing):
            for row in missing[:5]:
                self._findings.add("query without a prediction", self._lookup.name(int(row)))
            self._findings.add("query without a prediction", count=max(len(missing) - 5, 0))
            none = RankedBoxes(RaggedBoxes.of([np.empty((0, 4))] * len(missing)), np.empty(0))
            yield Part(missing.astype(np.int64), none)

    def _look(self) -> None:
        if not self._firsts:
            return
        rows, numbers, read = zip(*self._firsts, strict=True)
        at, asked = np.array(rows), self._lookup.queries
        truth = asked.enclosing[at] if self._lookup.has_truth else None
        sizes = asked.sizes[asked.image[at]]
        if found := likely_form(Sample(self._form, np.array(numbers), np.array(read), sizes, truth)):
            self._findings.add(*found, count=self._total)

    def _part(self) -> Part:
        sizes = np.array([len(one) for one in self._boxes], dtype=np.int64)
        owners = np.repeat(np.array(self._rows, dtype=np.int64), sizes)
        boxes, scores = np.concatenate(self._boxes), np.concatenate(self._scores)
        boxes, scores = clean(boxes, scores, self._findings, lambda at: self._lookup.name(int(owners[at])))
        self._count_outside(boxes, owners)
        part = Part(np.array(self._rows, dtype=np.int64), rank(boxes, scores, sizes), self._unscored)
        self._rows, self._boxes, self._scores, self._size = [], [], [], 0
        return part

    def _count_outside(self, boxes: Floats, owners: NDArray[np.int64]) -> None:
        sizes = self._lookup.queries.sizes[self._lookup.queries.image[owners]]
        outside = (boxes[:, :2] >= sizes).any(axis=1) | (boxes[:, 2:] <= 0).any(axis=1)
        places = np.flatnonzero(outside & (sizes > 0).all(axis=1) & boxes.any(axis=1))
        for place in places[:5]:
            self._findings.add("box outside of its image", self._lookup.name(int(owners[place])))
        self._findings.add("box outside of its image", count=max(len(places) - 5, 0))


def _is_usual(numbers: Floats) -> bool:
    return all(abs(one) < MAX_EDGE for one in numbers.tolist())


def seen_of(fields: dict[str, Any], place: Place) -> Size | None:
    """Return the size of the image as a model saw it, from SEEN, or None if a line does not say it.

    Raise InputError if it says half of it, or no number of pixels.
    """
    if not any(name in fields for name in SEEN):
        return None
    for name in SEEN:
        if name not in fields:
            raise place.error(
                name, "is missing: width and height are the size of the image as the model saw it"
            )
    width, height = (number(fields[name], place, name, 1, MAX_SIDE) for name in SEEN)
    return width, height


def clean(
    boxes: Floats, scores: Floats, findings: Findings, name: Callable[[int], str]
) -> tuple[Floats, Floats]:
    """Return the boxes with zeros in place of those that can hit nothing, and scores without NaN.

    `boxes` has the shape (n, 4), and `scores` (n,). Count what was replaced; `name` says whose box is at a
    place.
    """
    unknown = ~(np.abs(boxes) < MAX_EDGE).all(axis=1)
    with np.errstate(invalid="ignore"):
        empty = ~unknown & ((boxes[:, 2] <= boxes[:, 0]) | (boxes[:, 3] <= boxes[:, 1]))
    unscored = ~np.isfinite(scores)
    for kind, which in (
        ("box with NaN or infinity", unknown),
        ("box of zero or negative area", empty),
        ("score with NaN or infinity", unscored),
    ):
        places = np.flatnonzero(which)
        for place in places[:5]:
            findings.add(kind, name(int(place)))
        findings.add(kind, count=max(len(places) - 5, 0))
    bad = unknown | empty
    if bad.any():
        boxes = np.where(bad[:, None], 0.0, boxes)
    return boxes, np.where(unscored, -np.inf, scores) if unscored.any() else scores


def rank(boxes: Floats, scores: Floats, sizes: NDArray[np.int64]) -> RankedBoxes:
    """Return lists of so many boxes each, each sorted by falling score. Equal scores keep their order."""
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    owner = np.repeat(np.arange(len(sizes)), sizes)
    rising = (np.diff(scores) > 0) & (np.diff(owner) == 0)
    if rising.any():
        order = np.lexsort((-scores, owner))
        boxes, scores = boxes[order], scores[order]
    return RankedBoxes(RaggedBoxes(boxes, offsets), scores)
