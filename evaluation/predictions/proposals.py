"""Boxes of images, whatever the phrases are: proposals, or what a detector found with labels.

The file has JSON lines `{"image": "a.jpg", "boxes": [[l, t, r, b], …], "scores": […], "labels": ["dog", …]}`,
of which scores and labels may be missing, or is `.npz` (`evaluation.predictions.compact`), or COCO results.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.arrays import Floats
from evaluation.boxes import areas
from evaluation.coordinates import edges_of
from evaluation.errors import InputError, Place, boxes_of, fields_of, load_json, scores_of, within
from evaluation.localization import Queries
from evaluation.predictions.coco import categories, parse_result
from evaluation.predictions.compact import lists, opened, read_index
from evaluation.predictions.findings import Findings
from evaluation.predictions.localization import MAX_LINE, MAX_LIST, list_entries
from evaluation.predictions.lookup import Lookup
from evaluation.predictions.parts import Part, clean, rank
from evaluation.ragged import RaggedBoxes, RankedBoxes
from evaluation.readers.files import read_lines


@dataclass(frozen=True, slots=True)
class Proposals:
    """The boxes of each image of a data set, in its order, best first.

    `labels` has the shape (boxes,) and counts from 0 in `names`, which is empty if the file has no labels.
    Then every box has a label of its own.
    """

    ranked: RankedBoxes
    labels: NDArray[np.int64]
    names: tuple[str, ...]


MAX_POOLED = 200
"""Boxes of an image that are taken from predictions for its phrases."""


class Pool:
    """Gathers boxes of each image from predictions for its phrases, so that they say nothing of one phrase.

    Of each phrase, it takes an equal number of boxes, evenly spaced over their ranks.
    """

    def __init__(self, queries: Queries) -> None:
        self._images = queries.image
        self._count = len(queries.sizes)
        phrases = np.bincount(queries.image, minlength=self._count)
        self._most = np.maximum(MAX_POOLED // np.maximum(phrases, 1), 1)
        self._boxes: list[Floats] = []
        self._owners: list[NDArray[np.int64]] = []

    def add(self, part: Part) -> None:
        """Take boxes from a part of the predictions."""
        lists, images = part.ranked.lists, self._images[part.rows]
        sizes = np.diff(lists.offsets)
        taken = np.minimum(sizes, self._most[images])
        list_of = np.repeat(np.arange(len(lists)), taken)
        nth = np.arange(len(list_of)) - np.repeat(np.cumsum(taken) - taken, taken)
        boxes = lists.boxes[lists.offsets[list_of] + nth * sizes[list_of] // taken[list_of]]
        real = areas(boxes) > 0
        self._boxes.append(boxes[real])
        self._owners.append(images[list_of][real])

    def lists(self) -> RaggedBoxes:
        """Return the boxes of each image of the data set."""
        if not self._boxes:
            return RaggedBoxes.of([np.empty((0, 4))] * self._count)
        owner = np.concatenate(self._owners)
        offsets = np.zeros(self._count + 1, dtype=np.int64)
        np.cumsum(np.bincount(owner, minlength=self._count), out=offsets[1:])
        return RaggedBoxes(np.concatenate(self._boxes)[np.argsort(owner, kind="stable")], offsets)


class _Gathered:
    def __init__(self, lookup: Lookup, findings: Findings) -> None:
        self.lookup, self.findings = lookup, findings
        self.boxes: list[Floats] = [np.empty((0, 4))] * len(lookup.dataset.images)
        self.scores: list[Floats] = [np.empty(0)] * len(lookup.dataset.images)
        self.labels: list[list[str] | None] = [None] * len(lookup.dataset.images)
        self.seen: set[int] = set()

    def add(
        self, name: str, boxes: Floats, scores: Floats | None, labels: list[str] | None, place: Place
    ) -> None:
        at = self.lookup.image(name)
        if at is None:
            self.findings.add(
                "prediction for an image that the data set does not have", f"{place.entry}: {name}"
            )
            return
        if at in self.seen:
            self.findings.add("second prediction for the same image", f"{place.entry}: {name}")
            return
        self.seen.add(at)
        self.boxes[at], self.labels[at] = boxes, labels
        self.scores[at] = -np.arange(len(boxes), dtype=np.float64) if scores is None else scores

    def proposals(self, path: Path) -> Proposals:
        """Return what was gathered. Raise InputError if only some images have labels."""
        images = self.lookup.dataset.images
        unlabelled = [at for at in sorted(self.seen) if self.labels[at] is None and len(self.boxes[at])]
        if unlabelled and any(self.labels):
            raise InputError(
                f"{path}: labels: {images[unlabelled[0]].name} has none, and other images have some"
            )
        for at, image in enumerate(images):
            if at not in self.seen:
                self.findings.add("image without proposals", image.name)
        sizes = np.array([len(one) for one in self.boxes], dtype=np.int64)
        owner = np.repeat(np.arange(len(images)), sizes)
        boxes, scores = clean(
            np.concatenate(self.boxes),
            np.concatenate(self.scores),
            self.findings,
            lambda at: images[int(owner[at])].name,
        )
        order = np.lexsort((-scores, owner))
        given = [label for labels in self.labels for label in labels or ()]
        if given:
            names, labels = np.unique(np.array(given, dtype=object).astype(str), return_inverse=True)
            known = tuple(map(str, names))
        else:
            labels, known = np.arange(len(boxes)), ()
        return Proposals(rank(boxes, scores, sizes), labels[order].astype(np.int64), known)


def read_proposals(path: Path, lookup: Lookup, findings: Findings) -> Proposals:
    """Return the proposals of all images. What else the file has is counted in `findings`.

    Raise InputError for the first thing that cannot be read.
    """
    gathered = _Gathered(lookup, findings)
    if path.suffix == ".npz":
        _read_compact(path, gathered)
    else:
        for nth, (at, content) in enumerate(read_lines(path, MAX_LIST)):
            if nth == 0 and content.startswith(b"["):
                _read_coco(path, gathered)
                break
            place = Place(str(path), at)
            if len(content) > MAX_LINE:
                raise place.error("", f"is longer than {MAX_LINE:,} bytes")
            fields = fields_of(load_json(content, place), place, ("image", "boxes"), ("scores", "labels"))
            boxes = boxes_of(fields["boxes"], place, "boxes")
            scores = scores_of(fields["scores"], place, "scores", len(boxes)) if "scores" in fields else None
            gathered.add(
                within(fields["image"], str, place, "image"),
                boxes,
                scores,
                _labels(fields["labels"], place, len(boxes)) if "labels" in fields else None,
                place,
            )
    return gathered.proposals(path)


def for_queries(proposals: RaggedBoxes, images: NDArray[np.int64]) -> RaggedBoxes:
    """Return the proposals of the image of each query: `images` has their places, of shape (queries,)."""
    sizes = np.diff(proposals.offsets)[images]
    offsets = np.zeros(len(images) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    places = np.arange(offsets[-1]) + np.repeat(proposals.offsets[images] - offsets[:-1], sizes)
    return RaggedBoxes(proposals.boxes[places], offsets)


def _labels(value: object, place: Place, count: int) -> list[str]:
    labels = within(value, list, place, "labels")
    if len(labels) != count:
        raise place.error("labels", f"has {len(labels)} entries for {count} boxes")
    return [within(one, str, place, f"labels[{at}]") for at, one in enumerate(labels)]


def _read_compact(path: Path, gathered: _Gathered) -> None:
    place = Place(str(path))
    with opened(path) as archive:
        index = read_index(archive, place)
        if index.with_mentions:
            raise place.error("mentions", "does not belong into a file of proposals")
        for at, boxes, scores in lists(archive, index, place):
            gathered.add(index.images[at], boxes.copy(), scores, None, place)


def _read_coco(path: Path, gathered: _Gathered) -> None:
    boxes: defaultdict[int, list[Floats]] = defaultdict(list)
    scores: defaultdict[int, list[float]] = defaultdict(list)
    labels: defaultdict[int, list[str]] = defaultdict(list)
    place, names = Place(str(path)), categories(gathered.lookup.dataset)
    for result, where in list_entries(path):
        image, box, score = parse_result(result, where, gathered.lookup)
        if image is None:
            gathered.findings.add("prediction for an image that the data set does not have", where.entry)
            continue
        boxes[image].append(box)
        scores[image].append(score)
        category = result.get("category_id")
        if isinstance(category, int) and 1 <= category <= len(names):
            labels[image].append(names[category - 1])
        else:
            labels[image].append(str(category))
    for image, found in boxes.items():
        name = gathered.lookup.dataset.images[image].name
        edges = edges_of(np.array(found), "xywh")
        gathered.add(name, edges, np.array(scores[image]), labels[image], place)
