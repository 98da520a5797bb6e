"""Files of the user's with what equations 1 and 3 take: scores of a detector or of colours, and categories.

Scores are JSON lines, plain or gzip: a line for an image, with boxes and each class's scores of them.

    {"image": "a.jpg", "boxes": [[l, t, r, b], …], "scores": {"person": [0.9, …], "dog": [0.01, …]}}

Categories are lines of a phrase and a category, or - for none, with a tab between them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baselines.words import content_words
from evaluation.arrays import Floats
from evaluation.boxes import iou_matrix
from evaluation.dataset import Boxes, Dataset, Image
from evaluation.errors import InputError, Place, boxes_of, fields_of, scores_of, within
from evaluation.readers.files import json_lines, read_lines, text_of

MAX_LINE = 64 * 1024 * 1024
MAX_CLASSES = 1_000
MAX_NUMBERS = 400_000_000
"""Scores that are kept of a file: those of the images that are asked for."""
MAX_CATEGORY_LINE = 4_096
MAX_CATEGORIES = 100_000
NONE = "-"
"""In place of a category: the phrase has none, whatever its head noun has."""
SAME = 0.5
"""A region has the scores of the box that overlaps it most, if by this IoU, and else scores of 0 [ours]."""


class ScoreFile:
    """Scores of regions by class, from 0 to 1, of the images of a data set. Other images are skipped."""

    def __init__(self, path: Path, dataset: Dataset) -> None:
        """Read the file. Raise InputError for the first wrong line, or if no image is one of these."""
        self.path = path
        self.classes: tuple[str, ...] = ()
        self._found: dict[str, tuple[Boxes, NDArray[np.float32]]] = {}
        wanted = {image.name for image in dataset.images}
        wanted |= {name.rpartition(".")[0] or name for name in wanted}
        kept = 0
        for value, place in json_lines(path, MAX_LINE):
            entry = fields_of(value, place, ("image", "boxes", "scores"))
            name = within(entry["image"], str, place, "image")
            boxes = boxes_of(entry["boxes"], place, "boxes")
            scores = self._scores(entry["scores"], len(boxes), place)
            if not np.isfinite(boxes).all():
                raise place.error("boxes", "have NaN or infinity")
            if name in self._found:
                raise place.error("image", f"{name} has a line already")
            if name in wanted:
                kept += scores.size
                if kept > MAX_NUMBERS:
                    raise place.error("scores", f"there are more than {MAX_NUMBERS:,}; give fewer classes")
                self._found[name] = (boxes, scores)
        if not self._found:
            raise InputError(f"{path}: has no image of {dataset.title}")

    def of_boxes(self, image: Image, boxes: Boxes) -> Floats:
        """Return the scores of the file's box that overlaps each box most, of shape (boxes, classes).

        Raise InputError if the file does not have the image.
        """
        name = image.name if image.name in self._found else image.name.rpartition(".")[0]
        if name not in self._found:
            raise InputError(f"{self.path}: has no line of the image {image.name}")
        mine, scores = self._found[name]
        found = np.zeros((len(boxes), len(self.classes)))
        if len(mine) and len(boxes):
            overlaps = iou_matrix(boxes, mine)
            same = overlaps.max(axis=1) >= SAME
            found[same] = scores[overlaps.argmax(axis=1)[same]]
        return found

    def _scores(self, value: object, count: int, place: Place) -> NDArray[np.float32]:
        given = within(value, dict, place, "scores")
        if not self.classes:
            if not 0 < len(given) <= MAX_CLASSES:
                raise place.error("scores", f"have {len(given):,} classes, not from 1 to {MAX_CLASSES:,}")
            self.classes = tuple(given)
        if {*given} != {*self.classes}:
            other = sorted({*given} ^ {*self.classes})[0]
            raise place.error("scores", f"{other[:40]!r} is not in all lines; each has the same classes")
        found = np.empty((count, len(self.classes)), dtype=np.float32)
        for at, name in enumerate(self.classes):
            numbers = scores_of(given[name], place, f"scores.{name[:40]}", count)
            if not ((numbers >= 0) & (numbers <= 1)).all():
                raise place.error(f"scores.{name[:40]}", "has a number that is not from 0 to 1")
            found[:, at] = numbers
        return found


def read_categories(path: Path, scores: ScoreFile | None = None) -> dict[str, str]:
    """Return the category of phrases by their words that count, in lower case and with spaces between them.

    A line has a phrase, a tab and a category, or - for none. A line that begins with # is a comment. With
    `scores`, each category has to be one of its classes. Raise InputError for the first line that is wrong.
    """
    found: dict[str, str] = {}
    for line, content in read_lines(path, MAX_CATEGORY_LINE):
        place = Place(str(path), line)
        text = text_of(content, place)
        if text.startswith("#"):
            continue
        phrase, _, category = (part.strip() for part in text.partition("\t"))
        if not phrase or not category or "\t" in category:
            raise place.error("", "is not a phrase and a category with a tab between them")
        words = " ".join(content_words(phrase.split()))
        if not words:
            raise place.error("", f"{phrase[:40]!r} has no word that counts, such as a noun")
        if category == NONE:
            category = ""
        elif scores is not None and category not in scores.classes:
            known = ", ".join(scores.classes)[:200]
            raise place.error("", f"{category[:40]!r} is no class of {scores.path}, which has {known}")
        if found.setdefault(words, category) != category:
            raise place.error("", f"{words[:40]!r} has the category {found[words][:40] or NONE!r} already")
        if len(found) > MAX_CATEGORIES:
            raise place.error("", f"there are more than {MAX_CATEGORIES:,} phrases")
    if not found:
        raise InputError(f"{path}: has no phrase with a category")
    return found
