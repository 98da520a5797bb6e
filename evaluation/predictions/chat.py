"""Boxes in the answers of vision-language models, which are texts.

Two ways of writing boxes are read: objects of JSON such as `{"bbox_2d": [12, 30, 200, 340], "label": "a
dog"}`, as Qwen-VL writes them, in any text around them; and tokens such as
`a dog<loc_24><loc_60><loc_400><loc_680>`, as Florence-2 writes them. Both give left, top, right and bottom.
Models count in pixels or in thousandths of the image's sides, and do not say which: the caller has to.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from evaluation.arrays import Floats
from evaluation.errors import MAX_BOXES, InputError, Place, boxes_of, fields_of, number, within
from evaluation.predictions.findings import Findings
from evaluation.predictions.lookup import Lookup
from evaluation.predictions.parts import Parts
from evaluation.predictions.phrases import SPAN, add_to, rows_of

Coordinates = Literal["pixels", "thousandths"]
COORDINATES: tuple[Coordinates, ...] = ("pixels", "thousandths")
"""What the numbers in answers are."""
MAX_ANSWER = 200_000
"""Characters of an answer."""
_OBJECT = re.compile(r"\{[^{}]*\}")  # boxes are in objects without others inside, also in lists cut off
_TOKENS = re.compile(r"((?:<loc_\d{1,4}>)+)")
_MARK = re.compile(r"</?[a-z]{1,9}>")


@dataclass(frozen=True, slots=True)
class Said:
    """A box that an answer has: four numbers as they were written, its label or "", and its score."""

    numbers: tuple[float, float, float, float]
    label: str = ""
    score: float | None = None


def add_answer(
    entry: dict[str, Any],
    place: Place,
    lookup: Lookup,
    findings: Findings,
    parts: Parts,
    coordinates: Coordinates | None,
) -> None:
    """Add the boxes of an entry such as `{"image": "a.jpg", "phrase": "a dog", "answer": "…"}`.

    An entry without phrase and without `caption`, `start` and `end` is for the phrases that its labels name.
    Raise InputError if it cannot be read, or if nobody says what its numbers are.
    """
    fields = fields_of(entry, place, ("image", "answer"), ("phrase", *SPAN))
    name, text = within(fields["image"], str, place, "image"), within(fields["answer"], str, place, "answer")
    if len(text) > MAX_ANSWER:
        raise place.error("answer", f"has more than {MAX_ANSWER:,} characters")
    if coordinates is None:
        raise place.error("answer", "its numbers may be pixels or thousandths: say which with --coordinates")
    said = boxes_said(text, place, findings)
    for_labels = "phrase" not in fields and "start" not in fields
    caption = number(fields["caption"], place, "caption", 0, 100_000) if "caption" in fields else None
    image = lookup.image(name)
    if image is None:
        if not for_labels:
            rows_of(fields, place, lookup, findings)  # checks the fields, too
            return
        findings.add("prediction for an image that the data set does not have", f"{place.entry}: {name}")
        return
    size = _factors(image, place, lookup, coordinates)
    if not for_labels:
        add_to(rows_of(fields, place, lookup, findings), *_arrays(said, size), parts, place)
        return
    by_row: dict[int, list[Said]] = {}
    for one in said:
        for row in lookup.rows_of_phrase(image, one.label, caption) or _unknown(one, name, place, findings):
            by_row.setdefault(row, []).append(one)
    for row, own in by_row.items():
        add_to([row], *_arrays(own, size), parts, place)


def boxes_said(text: str, place: Place, findings: Findings) -> list[Said]:
    """Return the boxes in an answer, in their order. Count what looks like one and cannot be read.

    >>> boxes_said("a dog<loc_1><loc_2><loc_3><loc_4>", Place("f", 1), Findings())
    [Said(numbers=(1.0, 2.0, 3.0, 4.0), label='a dog', score=None)]
    """
    found = _of_tokens(text, place, findings) if "<loc_" in text else _of_objects(text, place, findings)
    if len(found) > MAX_BOXES:
        raise place.error("answer", f"has more than {MAX_BOXES:,} boxes")
    if not found:
        findings.add("answer in which no box was found", f"{place.entry}: {text[:40]!r}")
    return found


def _of_tokens(text: str, place: Place, findings: Findings) -> list[Said]:
    found, label = [], ""
    for piece in _TOKENS.split(text):
        if not _TOKENS.fullmatch(piece):
            label = _label(piece)
            continue
        numbers = [float(one) for one in re.findall(r"\d+", piece)]
        if len(numbers) % 4:
            findings.add("box of an answer that cannot be read", f"{place.entry}: {len(numbers)} tokens")
        for at in range(0, len(numbers) - 3, 4):
            left, top, right, bottom = numbers[at : at + 4]
            found.append(Said((left, top, right, bottom), label))
    return found


def _label(text: str) -> str:
    return _MARK.sub("", text).strip(" \t\r\n,.;:")


def _of_objects(text: str, place: Place, findings: Findings) -> list[Said]:
    found: list[Said] = []
    for match in _OBJECT.finditer(text):
        if "bbox_2d" not in match[0]:
            continue
        try:
            found += _of_object(json.loads(match[0]), place)
        except (ValueError, InputError):
            findings.add("box of an answer that cannot be read", f"{place.entry}: {match[0][:60]}")
    return found


def _of_object(value: dict[str, Any], place: Place) -> list[Said]:
    """Return the box of an object, or its boxes. Raise InputError or ValueError."""
    given = value.get("bbox_2d")
    several = isinstance(given, list) and bool(given) and isinstance(given[0], list)
    boxes = boxes_of(given if several else [given], place, "bbox_2d")
    label, score = value.get("label", ""), value.get("score")
    if score is not None and (isinstance(score, bool) or not isinstance(score, int | float)):
        raise ValueError("score")
    said = label if isinstance(label, str) else ""
    return [
        Said((left, top, right, bottom), said, None if score is None else float(score))
        for left, top, right, bottom in boxes.tolist()
    ]


def _arrays(said: list[Said], factors: Floats) -> tuple[Floats, Floats | None]:
    boxes = np.array([one.numbers for one in said], dtype=np.float64).reshape(-1, 4) * factors
    scores = [one.score for one in said if one.score is not None]
    return boxes, np.array(scores) if said and len(scores) == len(said) else None


def _factors(image: int, place: Place, lookup: Lookup, coordinates: Coordinates) -> Floats:
    if coordinates == "pixels":
        return np.ones(4)
    known = lookup.dataset.images[image]
    if not known.width or not known.height:
        raise place.error("image", f"the size of {known.name} is not known, and thousandths need it")
    return np.array([known.width, known.height, known.width, known.height]) / 1000


def _unknown(one: Said, image: str, place: Place, findings: Findings) -> list[int]:
    kind = "prediction for a mention that the data set does not have"
    findings.add(kind, f"{place.entry}: {one.label[:60]!r} in {image}")
    return []
