"""COCO result files: one JSON list with an object for each box.

`image_id` is a number from 1 in the order of the images' names, as in an export in COCO's format, or an
image's name. `bbox` is `[x, y, width, height]`. `phrase_id` says for which mention the box is: a number from
1 in the order of images, captions and mentions, as in the list `phrases` of such an export. Without it,
`category_id` says for which type, and the box is for all mentions of this type in the image.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np

from evaluation.arrays import Floats
from evaluation.dataset import Dataset, MentionKey
from evaluation.errors import Place, boxes_of, number, real
from evaluation.predictions.findings import Findings
from evaluation.predictions.lookup import Lookup, name_of
from evaluation.predictions.parts import Parts

CATEGORIES = ("people", "bodyparts", "animals", "clothing", "instruments", "vehicles", "scene", "other")
"""The names of `category_id` from 1, as in an export in COCO's format. Own types of a project follow."""
_MANY = 10**9

Result = tuple[dict[str, Any], Place]


def categories(dataset: Dataset) -> tuple[str, ...]:
    """Return the names of `category_id` from 1: CATEGORIES, then own types in the order of the first chain.

    Exports in COCO's format count them in the same way, while they are written (docs/formats.md).
    """
    chains = (chain for image in dataset.images for chain in image.chains.values())
    return tuple(dict.fromkeys([*CATEGORIES, *(name for chain in chains for name in chain.types)]))


def add_coco(results: Iterable[Result], lookup: Lookup, findings: Findings, parts: Parts) -> None:
    """Add results as predictions for mentions. Raise InputError for the first that cannot be read."""
    boxes: defaultdict[int, list[Floats]] = defaultdict(list)
    scores: defaultdict[int, list[float]] = defaultdict(list)
    keys = [mention.key for image in lookup.dataset.images for mention in image.mentions()]
    of_type, names = _rows_of_type(lookup), categories(lookup.dataset)
    for result, place in results:
        image, box, score = parse_result(result, place, lookup)
        if image is None:
            kind = "prediction for an image that the data set does not have"
            findings.add(kind, f"{place.entry}: {result['image_id']}")
            continue
        rows = _rows(result, place, image, keys, of_type, names, lookup, findings)
        for row in rows:
            boxes[row].append(box)
            scores[row].append(score)
    for row, found in boxes.items():
        parts.add(row, np.array(found), np.array(scores[row]))


def parse_result(result: dict[str, Any], place: Place, lookup: Lookup) -> tuple[int | None, Floats, float]:
    """Return the place of a result's image (None if there is none), its box in pixel edges, and its score."""
    for name in ("image_id", "bbox", "score"):
        if name not in result:
            raise place.error(name, "is missing")
    image_id, score = result["image_id"], real(result["score"], place, "score")
    if isinstance(image_id, str):
        image = lookup.image(image_id)
    else:
        at = number(image_id, place, "image_id", 0, 2**63 - 1) - 1
        image = at if 0 <= at < len(lookup.dataset.images) else None
    box = boxes_of([result["bbox"]], place, "bbox")[0]
    with np.errstate(invalid="ignore"):  # infinity, which `clean` counts
        return image, np.concatenate([box[:2], box[:2] + box[2:]]), score


def _rows_of_type(lookup: Lookup) -> dict[tuple[int, str], list[int]]:
    found: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for at, image in enumerate(lookup.dataset.images):
        for mention in image.mentions():
            row = lookup.row(mention.key)
            if row is not None:
                for one in mention.types:
                    found[at, one].append(row)
    return found


def _rows(
    result: dict[str, Any],
    place: Place,
    image: int,
    keys: list[MentionKey],
    of_type: dict[tuple[int, str], list[int]],
    names: tuple[str, ...],
    lookup: Lookup,
    findings: Findings,
) -> list[int]:
    if "phrase_id" not in result:
        if "category_id" not in result:
            raise place.error("phrase_id", "is missing, and so is category_id")
        category = number(result["category_id"], place, "category_id", 1, len(names))
        rows = of_type.get((image, names[category - 1]), [])
        if not rows:
            name = f"{names[category - 1]} in {lookup.dataset.images[image].name}"
            findings.add("prediction for a type without a query in its image", f"{place.entry}: {name}")
        return rows
    phrase = number(result["phrase_id"], place, "phrase_id", 0, _MANY) - 1
    if not 0 <= phrase < len(keys) or keys[phrase].image != lookup.dataset.images[image].name:
        kind = "prediction for a mention that the data set does not have"
        findings.add(kind, f"{place.entry}: phrase {phrase + 1} of image {result['image_id']}")
        return []
    row = lookup.row(keys[phrase])
    if row is None:
        findings.add("prediction for a mention without a box", name_of(keys[phrase]))
        return []
    return [row]
