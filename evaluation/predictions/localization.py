"""Predictions for `localization`: boxes for mentions, in our formats and in those that people have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation.errors import InputError, Place, boxes_of, fields_of, load_json, scores_of, within
from evaluation.predictions.chat import add_answer
from evaluation.predictions.coco import add_coco
from evaluation.predictions.compact import read_compact
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import FORMS, PIXELS, Form, PredictionsFormat
from evaluation.predictions.lookup import Lookup
from evaluation.predictions.parts import SEEN, Part, Parts, seen_of
from evaluation.predictions.phrases import SPAN, add_to, rows_of
from evaluation.predictions.published import add_sentence
from evaluation.predictions.recognition import hint_of, hint_of_text
from evaluation.readers.files import read_lines

MAX_LINE = 4 * 1024 * 1024
MAX_LINES = 20_000_000
"""Lines of a file."""
MAX_LIST = 1024 * 1024 * 1024
"""Bytes of a file that is one JSON list, which is read at once."""
_FORMS = ", ".join(FORMS)


def read_localization(
    path: Path,
    lookup: Lookup,
    findings: Findings,
    *,
    predictions_format: PredictionsFormat | None = None,
    strict: bool = False,
) -> Iterator[Part]:
    """Yield the predictions in a file, in parts, and in the end the queries that it has nothing for.

    The file is of one of these kinds, which its content tells:

    - JSON lines, one for each mention or phrase;
    - JSON lines with answers of a vision-language model (`evaluation.predictions.chat`);
    - `.npz`, compact (`evaluation.predictions.compact`);
    - sentences as the Flickr30k evaluation of MDETR and GLIP takes them: JSON lines, or one list;
    - COCO results: one list.

    `predictions_format` says what the numbers of boxes are. If it is None, they are pixels as left, top,
    right and bottom, and in COCO results as left, top, width and height. Answers need one.

    What else the file has is counted in `findings`. Raise InputError for the first thing that cannot be read;
    with `strict`, also for the first box or score with NaN or infinity.
    """
    parts = Parts(lookup, findings, strict=strict)

    def form(place: Place, usual: Form = PIXELS) -> Form:
        if predictions_format is None:
            return usual
        if predictions_format.is_model:
            name = predictions_format.name
            raise place.error(
                "", f"has boxes, and --predictions-format {name} is for answers: give one of {_FORMS}"
            )
        return predictions_format.form

    if path.suffix == ".npz":
        yield from read_compact(path, lookup, findings, parts, form(Place(str(path))))
    else:
        for entry, place in _entries(path):
            if "bbox" in entry:
                add_coco(_coco(path), lookup, findings, parts, form(place, FORMS["pixels-xywh"]))
                break
            if "answer" in entry:
                add_answer(entry, place, lookup, findings, parts, predictions_format)
            elif "sentence_id" in entry:
                add_sentence(entry, place, lookup, findings, parts, form(place))
            else:
                _add_mention(entry, place, lookup, findings, parts, form(place))
            yield from parts.full()
    yield from parts.rest()


def _entries(path: Path) -> Iterator[tuple[dict[str, Any], Place]]:
    for nth, (at, content) in enumerate(read_lines(path, MAX_LIST)):
        if nth == 0 and content.startswith(b"["):
            yield from list_entries(path)
            return
        place = Place(str(path), at)
        if nth >= MAX_LINES:
            raise place.error("", f"the file has more than {MAX_LINES:,} lines; use .npz for such sets")
        if len(content) > MAX_LINE:
            raise place.error("", f"is longer than {MAX_LINE:,} bytes")
        yield _entry(content, place), place


def _entry(content: bytes, place: Place) -> dict[str, Any]:
    try:
        return within(load_json(content, place), dict, place, "")
    except InputError as error:
        if hint := hint_of_text(content.decode(errors="replace")):
            raise place.error("", f"is no object of JSON, and {hint}") from error
        raise


def list_entries(path: Path) -> list[tuple[dict[str, Any], Place]]:
    """Return the objects of a JSON list, and where each is. Raise InputError if it is none, or too large."""
    place = Place(str(path))
    lines: list[bytes] = []
    size = 0
    for _, line in read_lines(path, MAX_LIST):
        lines.append(line)
        size += len(line) + 1
        if size > MAX_LIST:
            raise place.error("", f"has more than {MAX_LIST:,} bytes; use .npz for such sets")
    entries = within(load_json(b"\n".join(lines), place), list, place, "")
    found = []
    for at, entry in enumerate(entries):
        where = Place(str(path), f"entry {at}")
        found.append((within(entry, dict, where, ""), where))
    return found


def _add_mention(
    entry: dict[str, Any], place: Place, lookup: Lookup, findings: Findings, parts: Parts, form: Form
) -> None:
    field, hint = hint_of(entry) if "boxes" not in entry else ("", "")
    if hint:
        raise place.error(field[:40], hint)
    needed = ("image", "boxes") if "phrase" in entry else ("image", *SPAN, "boxes")
    fields = fields_of(entry, place, needed, ("phrase", *SPAN, "scores", *SEEN))
    boxes = boxes_of(fields["boxes"], place, "boxes")
    scores = scores_of(fields["scores"], place, "scores", len(boxes)) if "scores" in fields else None
    rows, seen = rows_of(fields, place, lookup, findings), seen_of(fields, place)
    add_to(rows, boxes, scores, parts, place, form=form, seen=seen)


def _coco(path: Path) -> list[tuple[dict[str, Any], Place]]:
    try:
        return list_entries(path)
    except InputError as error:
        raise InputError(f"{error} (COCO results are one list)") from error
