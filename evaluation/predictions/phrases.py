"""Which mentions an entry is for: by its tokens, else by its words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluation.arrays import Floats
from evaluation.coordinates import Size
from evaluation.dataset import MentionKey
from evaluation.errors import Place, number, within
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import Form
from evaluation.predictions.lookup import Lookup, name_of
from evaluation.predictions.parts import Parts

SPAN = ("caption", "start", "end")
"""The fields that say where a mention is in its image."""
MAX_PHRASE = 1000
"""Characters of a phrase."""
_NONE = "prediction for a mention that the data set does not have"
_BOXLESS = "prediction for a mention without a box"


def rows_of(fields: dict[str, Any], place: Place, lookup: Lookup, findings: Findings) -> list[int]:
    """Return the queries that an entry is for, and count it if there is none.

    `fields` has `image`, and either `caption`, `start` and `end`, or `phrase` and perhaps these. A mention of
    just these tokens is found first, else the mentions with the phrase's words, as `rows_of_words` finds
    them. Raise InputError for a field that is missing or wrong.
    """
    image = within(fields["image"], str, place, "image")
    phrase = fields.get("phrase")
    if phrase is not None and len(within(phrase, str, place, "phrase")) > MAX_PHRASE:
        raise place.error("phrase", f"has more than {MAX_PHRASE:,} characters")
    by_span = phrase is None or "start" in fields or "end" in fields
    numbers: dict[str, int] = {}
    for name in SPAN:
        if name in fields:
            numbers[name] = number(fields[name], place, name, 0, 100_000)
        elif by_span:
            raise place.error(name, "is missing")
    at = lookup.image(image)
    if at is not None:
        image = lookup.dataset.images[at].name
    if by_span:
        key = MentionKey(image, numbers["caption"], numbers["start"], numbers["end"])
        row = lookup.row(key)
        if row is not None:
            return [row]
        if lookup.is_mention(key):
            findings.add(_BOXLESS, f"{place.entry}: {name_of(key)}")
            return []
        if phrase is None:
            findings.add(_NONE, f"{place.entry}: {name_of(key)}")
            return []
    assert phrase is not None
    if at is None:
        findings.add(_NONE, f"{place.entry}: {phrase[:60]!r} in {image}")
        return []
    return rows_of_words(lookup, at, phrase, numbers.get("caption"), place, findings)


def rows_of_words(
    lookup: Lookup,
    image: int,
    phrase: str,
    caption: int | None,
    place: Place,
    findings: Findings,
    *,
    count: int = 1,
) -> list[int]:
    """Return the queries with just these words, in upper or lower case; spaces make no difference.

    If a caption is given, its mention counts, and none if it has several: which of them is meant cannot be
    known. Without a caption, all mentions of the image count. If there is no query, `count` predictions are
    counted.
    """
    mentions = lookup.mentions_of(image, phrase, caption)
    name = f"{place.entry}: {phrase[:60]!r} in {lookup.dataset.images[image].name}"
    if caption is not None and len(mentions) > 1:
        findings.add("prediction for words that their caption has several times", name, count)
        return []
    rows = [row for mention in mentions if (row := lookup.row(mention.key)) is not None]
    if not rows:
        findings.add(_BOXLESS if mentions else _NONE, name, count)
    return rows


def add_to(
    rows: Iterable[int],
    numbers: Floats,
    scores: Floats | None,
    parts: Parts,
    place: Place,
    *,
    form: Form,
    seen: Size | None = None,
) -> None:
    """Add the same boxes, of shape (n, 4), for each of these queries. `form` says what their numbers are."""
    for row in rows:
        parts.add(row, numbers, scores, place, form=form, seen=seen)
