"""COCO result files: one JSON list with an object for each box.

`image_id` is a number from 1 in the order of the images' names, as in an export in COCO's format, or an
image's name. `bbox` is `[x, y, width, height]`. One of these says for which mention the box is:

- `phrase_id`, a number from 1 in the order of images, captions and mentions, as in the list `phrases` of such
  an export;
- `tokens_positive`, a list of `[begin, end]`, in characters of `caption`, the text of the caption. `caption`
  may also be its number from 0, and be missing if the image has one caption: then they are characters of the
  caption with single spaces between its tokens. They have to begin and end with tokens. If no mention has
  just these tokens, the box is for those with the same words;
- `category_id`, a type: the box is for all mentions of this type in the image.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from evaluation.arrays import Floats
from evaluation.dataset import Caption, Dataset, Image, MentionKey
from evaluation.errors import Place, boxes_of, entries_of, list_of, number, real
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import Form
from evaluation.predictions.lookup import Lookup, letters_of, name_of
from evaluation.predictions.parts import Parts
from evaluation.predictions.phrases import MAX_PHRASE, rows_of

CATEGORIES = ("people", "bodyparts", "animals", "clothing", "instruments", "vehicles", "scene", "other")
"""The names of `category_id` from 1, as in an export in COCO's format. Own types of a project follow."""
_MANY = 10**9
MAX_SPANS = 100
"""The most spans of one box."""
_CUT = "characters that do not begin and end with tokens"
_UNKNOWN = "prediction for a mention that the data set does not have"

Result = tuple[dict[str, Any], Place]


def categories(dataset: Dataset) -> tuple[str, ...]:
    """Return the names of `category_id` from 1: CATEGORIES, then own types in the order of the first chain.

    Exports in COCO's format count them in the same way, while they are written (docs/formats.md).
    """
    chains = (chain for image in dataset.images for chain in image.chains.values())
    return tuple(dict.fromkeys([*CATEGORIES, *(name for chain in chains for name in chain.types)]))


def add_coco(results: Iterable[Result], lookup: Lookup, findings: Findings, parts: Parts, form: Form) -> None:
    """Add results as predictions for mentions. `form` says what the numbers of `bbox` are.

    Raise InputError for the first that cannot be read.
    """
    boxes: defaultdict[int, list[Floats]] = defaultdict(list)
    scores: defaultdict[int, list[float]] = defaultdict(list)
    keys = [mention.key for image in lookup.dataset.images for mention in image.mentions()]
    of_type, names = _rows_of_type(lookup), categories(lookup.dataset)
    for result, place in results:
        image, box, score = parse_result(result, place, lookup)
        parts.check(box, np.array(score), place, f"image {result['image_id']}")
        if image is None:
            kind = "prediction for an image that the data set does not have"
            findings.add(kind, f"{place.entry}: {result['image_id']}")
            continue
        if "tokens_positive" in result and "phrase_id" not in result:
            rows = _of_tokens(result, place, image, lookup, findings)
        else:
            rows = _rows(result, place, image, keys, of_type, names, lookup, findings)
        for row in rows:
            boxes[row].append(box)
            scores[row].append(score)
    for row, found in boxes.items():
        parts.add(row, np.array(found), np.array(scores[row]), Place(place.file), form=form)


def parse_result(result: dict[str, Any], place: Place, lookup: Lookup) -> tuple[int | None, Floats, float]:
    """Return the place of a result's image (None if there is none), the numbers of its box, and its score."""
    for name in ("image_id", "bbox", "score"):
        if name not in result:
            raise place.error(name, "is missing")
    image_id, score = result["image_id"], real(result["score"], place, "score")
    if isinstance(image_id, str):
        image = lookup.image(image_id)
    else:
        at = number(image_id, place, "image_id", 0, 2**63 - 1) - 1
        image = at if 0 <= at < len(lookup.dataset.images) else None
    return image, boxes_of([result["bbox"]], place, "bbox")[0], score


def _rows_of_type(lookup: Lookup) -> dict[tuple[int, str], list[int]]:
    found: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for at, image in enumerate(lookup.dataset.images):
        for mention in image.mentions():
            row = lookup.row(mention.key)
            if row is not None:
                for one in mention.types:
                    found[at, one].append(row)
    return found


def _of_tokens(
    result: dict[str, Any], place: Place, image: int, lookup: Lookup, findings: Findings
) -> list[int]:
    spans = _spans(result["tokens_positive"], place)
    known = lookup.dataset.images[image]
    caption, text = _caption(result, place, known), result.get("caption")
    begin, end = spans[0][0], spans[-1][1]
    if caption is None and not isinstance(text, str):
        findings.add(_UNKNOWN, f"{place.entry}: caption {text} of {known.name}")
        return []
    said = text if isinstance(text, str) else " ".join(caption.tokens) if caption else ""
    fields: dict[str, Any] = {"image": known.name, "phrase": said[begin:end][:MAX_PHRASE]}
    if caption is not None:
        span = _tokens(caption.tokens, said, begin, end)
        if span is None:
            findings.add(_CUT, f"{place.entry}: {said[begin:end][:60]!r} in {known.name}")
            return []
        fields |= {"caption": caption.index, "start": span[0], "end": span[1]}
    return rows_of(fields, place, lookup, findings)


def _spans(value: object, place: Place) -> list[tuple[int, int]]:
    """Return the spans of `tokens_positive` in their order. Raise InputError if it is no list of them."""
    found = []
    for span, field in entries_of(value, place, "tokens_positive", MAX_SPANS):
        ends = list_of(span, place, field, 2)
        if len(ends) != 2:
            raise place.error(field, "is not two numbers [begin, end]")
        begin, end = (number(one, place, field, 0, _MANY) for one in ends)
        if begin >= end:
            raise place.error(field, "is empty: begin < end is needed")
        found.append((begin, end))
    if not found:
        raise place.error("tokens_positive", "is empty")
    return sorted(found)


def _caption(result: dict[str, Any], place: Place, image: Image) -> Caption | None:
    """Return the caption that a result names by its number or text, or None if the image has none such."""
    named = result.get("caption")
    if named is None:
        if len(image.captions) != 1:
            raise place.error("caption", "is missing: its number, or its text, since the image has several")
        return image.captions[0]
    if isinstance(named, str):
        letters = letters_of(named)
        return next((one for one in image.captions if letters_of(" ".join(one.tokens)) == letters), None)
    index = number(named, place, "caption", 0, 100_000)
    return next((one for one in image.captions if one.index == index), None)


def _tokens(tokens: Sequence[str], text: str, begin: int, end: int) -> tuple[int, int] | None:
    """Return which tokens are characters `begin` to `end` of a text, half open, or None if these cut a token.

    The text has the letters of the tokens, and any spaces between them.

    >>> _tokens(["A", "man", "'s", "two", "dogs"], "A man's two dogs", 8, 16)
    (3, 5)
    """
    edges = [0, *accumulate(len("".join(one.split())) for one in tokens)]
    before, within = (len("".join(part.split())) for part in (text[:begin], text[begin:end]))
    if not within or before not in edges or before + within not in edges:
        return None
    return edges.index(before), edges.index(before + within)


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
            raise place.error("phrase_id", "is missing, and so are tokens_positive and category_id")
        category = number(result["category_id"], place, "category_id", 1, len(names))
        rows = of_type.get((image, names[category - 1]), [])
        if not rows:
            name = f"{names[category - 1]} in {lookup.dataset.images[image].name}"
            findings.add("prediction for a type without a query in its image", f"{place.entry}: {name}")
        return rows
    phrase = number(result["phrase_id"], place, "phrase_id", 0, _MANY) - 1
    if not 0 <= phrase < len(keys) or keys[phrase].image != lookup.dataset.images[image].name:
        findings.add(_UNKNOWN, f"{place.entry}: phrase {phrase + 1} of image {result['image_id']}")
        return []
    row = lookup.row(keys[phrase])
    if row is None:
        findings.add("prediction for a mention without a box", f"{place.entry}: {name_of(keys[phrase])}")
        return []
    return [row]
