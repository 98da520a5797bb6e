"""Predictions for `selection`: the boxes that a system chose in each image, or a sentence that names them.

The file has JSON lines `{"image": "a.jpg", "boxes": [[l, t, r, b], …]}`, with the best box first, or lines
`{"image": "a.jpg", "sentence": "A [woman]2 leans on a [car]3 ."}`. The number after a term is the place of
its box, from 0, in the file of labelled boxes, or in the one that `selection --write` makes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from evaluation.arrays import Floats
from evaluation.boxes import iou_matrix
from evaluation.content_selection import SAME, Instances
from evaluation.errors import Place, boxes_of, fields_of, within
from evaluation.predictions.findings import Findings
from evaluation.predictions.localization import MAX_LINE
from evaluation.readers.files import json_lines

_TERM = re.compile(r"\[[^\[\]]*\](?P<numbers>[0-9]{1,9}(?:,[0-9]{1,9})*)(?![0-9])")


def read_selection(path: Path, images: Mapping[str, Instances], findings: Findings) -> dict[str, list[int]]:
    """Return the instances that a system chose in each image, by its name, the best first.

    A box that is none of the image's gets a number that none of them has. What else the file has is counted
    in `findings`. Raise InputError for the first thing that cannot be read.
    """
    found: dict[str, list[int]] = {}
    for value, place in json_lines(path, MAX_LINE):
        fields = fields_of(value, place, ("image",), ("boxes", "sentence"))
        if len(fields) != 2:
            raise place.error("boxes", "a line has either boxes or a sentence")
        name = within(fields["image"], str, place, "image")
        boxes = boxes_of(fields["boxes"], place, "boxes") if "boxes" in fields else None
        numbers = None if boxes is not None else numbers_in(fields["sentence"], place)
        if name not in images:
            findings.add("prediction for an image that the data set does not have", f"{place.entry}: {name}")
        elif name in found:
            findings.add("second prediction for the same image", f"{place.entry}: {name}")
        elif boxes is not None:
            found[name] = _instances(boxes, images[name], place, findings)
        else:
            found[name] = _named(numbers or [], images[name], place, findings)
    for name in images:
        if name not in found:
            findings.add("image without a selection", name)
        elif not found[name]:
            findings.add("image that selects nothing", name)
    return found


def numbers_in(value: object, place: Place) -> list[int]:
    """Return the numbers of boxes in a sentence, each once, in its order. Raise InputError if one is missing.

    A term may have several: `[dogs]5,6` [ours].

    >>> numbers_in("A [woman]2 and two [dogs]5,6 ; the [woman]2 smiles .", Place("s.jsonl", 1))
    [2, 5, 6]
    """
    sentence = within(value, str, place, "sentence")
    terms = list(_TERM.finditer(sentence))
    if len(terms) != max(sentence.count("["), sentence.count("]")):
        raise place.error("sentence", "a term in brackets needs the number of its box, such as [woman]2")
    return list({int(number): None for term in terms for number in term["numbers"].split(",")})


def _named(numbers: list[int], image: Instances, place: Place, findings: Findings) -> list[int]:
    for number in numbers:
        if number >= len(image.boxes):
            findings.add("chosen box that is not a box of the image", f"{place.entry}: number {number}")
    return numbers


def _instances(boxes: Floats, image: Instances, place: Place, findings: Findings) -> list[int]:
    chosen: dict[int, None] = {}
    for at, box in enumerate(boxes):
        overlaps = iou_matrix(box[None], image.boxes)[0] if np.isfinite(box).all() else np.zeros(1)
        best = int(overlaps.argmax())
        if overlaps[best] < SAME:
            findings.add("chosen box that is not a box of the image", f"{place.entry}: boxes[{at}]")
            chosen[len(image.boxes) + at] = None
        elif best in chosen:
            findings.add("box that is chosen twice", f"{place.entry}: boxes[{at}]")
        else:
            chosen[best] = None
    return list(chosen)
