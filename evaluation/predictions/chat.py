"""Boxes in the answers of vision-language models, which are texts.

How a model writes boxes is said with `--predictions-format` (`evaluation.predictions.formats`). The texts do
not say what their numbers are, so nothing is guessed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from evaluation.arrays import Floats
from evaluation.dataset import Mention
from evaluation.errors import MAX_BOXES, InputError, Place, fields_of, number, within
from evaluation.predictions.answers import MAX_SHOWN, Said
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import FORMATS, PredictionsFormat, format_named
from evaluation.predictions.lookup import Lookup, letters_of
from evaluation.predictions.parts import SEEN, Parts, seen_of
from evaluation.predictions.phrases import SPAN, add_to, rows_of, rows_of_words
from evaluation.predictions.recognition import formats_like

MAX_ANSWER = 200_000
"""Characters of an answer."""


def add_answer(
    entry: dict[str, Any],
    place: Place,
    lookup: Lookup,
    findings: Findings,
    parts: Parts,
    written: PredictionsFormat | None,
) -> None:
    """Add the boxes of an entry such as `{"image": "a.jpg", "phrase": "a dog", "answer": "…"}`.

    An entry without phrase and without `start` and `end` is for the phrases that its labels name. If a
    caption has the same phrase several times, and the answer as many boxes under this label, these are for
    them in the order of the caption. Raise InputError if it cannot be read, or if nobody says how it is
    written.
    """
    fields = fields_of(entry, place, ("image", "answer"), ("phrase", *SPAN, *SEEN))
    name, text = within(fields["image"], str, place, "image"), within(fields["answer"], str, place, "answer")
    if len(text) > MAX_ANSWER:
        raise place.error("answer", f"has more than {MAX_ANSWER:,} characters")
    if written is None:
        raise unsaid(text, place)
    seen = seen_of(fields, place)
    said = boxes_said(text, place, findings, written)
    for_labels = "phrase" not in fields and "start" not in fields
    caption = number(fields["caption"], place, "caption", 0, 100_000) if "caption" in fields else None
    if not for_labels:
        numbers, scores = _arrays(said)
        rows = rows_of(fields, place, lookup, findings)
        add_to(rows, numbers, scores, parts, place, form=written.form, seen=seen)
        return
    image = lookup.image(name)
    if image is None:
        findings.add("prediction for an image that the data set does not have", f"{place.entry}: {name}")
        return
    by_label: dict[str, list[Said]] = {}
    for one in said:
        by_label.setdefault(letters_of(one.label), []).append(one)
    for own in by_label.values():
        label = own[0].label
        mentions = lookup.mentions_of(image, label, caption) if caption is not None else []
        if len(mentions) == len(own) > 1:
            named = [
                (rows_of(_span_of(mention), place, lookup, findings), [one])
                for mention, one in zip(sorted(mentions, key=_start), own, strict=True)
            ]
        else:
            named = [(rows_of_words(lookup, image, label, caption, place, findings, count=len(own)), own)]
        for rows, boxes in named:
            numbers, scores = _arrays(boxes)
            add_to(rows, numbers, scores, parts, place, form=written.form, seen=seen)


def _start(mention: Mention) -> int:
    return mention.key.start


def _span_of(mention: Mention) -> dict[str, Any]:
    key = mention.key
    return {"image": key.image, "caption": key.caption, "start": key.start, "end": key.end}


def boxes_said(text: str, place: Place, findings: Findings, written: PredictionsFormat) -> list[Said]:
    """Return the boxes in an answer, in their order. Count what looks like one and cannot be read.

    Raise InputError if there are too many.
    """
    found = written.find(text)
    if len(found.said) > MAX_BOXES:
        raise place.error("answer", f"has more than {MAX_BOXES:,} boxes")
    for one in found.unreadable:
        findings.add("box of an answer that cannot be read", f"{place.entry}: {one[:MAX_SHOWN]}")
    if found.points:
        findings.add("point of an answer", f"{place.entry}: {found.points}", found.points)
    if found.said or found.unreadable or found.points:
        return found.said
    others = [name for name in formats_like(text) if format_named(name).find(text).said]
    if others:
        kind = "answer that looks like another format"
        findings.add(kind, f"{place.entry}: like {' or '.join(others)}, and not {written.name}")
    else:
        findings.add("answer in which no box was found", f"{place.entry}: {text[:40]!r}")
    return []


def unsaid(text: str, place: Place) -> InputError:
    """Return the error that asks how an answer is written, and says what it looks like."""
    names = formats_like(text)
    if not names:
        return place.error(
            "answer", f"say how boxes are written in it with --predictions-format: {', '.join(FORMATS)}"
        )
    return place.error(
        "answer",
        f"looks like {' or '.join(names)}. If it is, say so with --predictions-format {names[0]}; "
        f"docs/evaluation.md has the {len(FORMATS)} formats",
    )


def _arrays(said: list[Said]) -> tuple[Floats, Floats | None]:
    numbers = np.array([one.numbers for one in said], dtype=np.float64).reshape(-1, 4)
    scores = [one.score for one in said if one.score is not None]
    return numbers, np.array(scores) if said and len(scores) == len(said) else None
