"""Lines of JSON as MM-Grounding-DINO and Open-GroundingDino read them for grounding (`odvg`).

Only the captions are read back: a phrase has neither its chain nor its types, and phrases without boxes are
not there, so that mentions and known answers would be incomplete.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import orjson

from annotation.domain.records import ImageRecord, Problem
from annotation.formats import parts
from annotation.formats.base import Writer, problem_of, read_lines
from annotation.formats.captions.entries import Entry, parse_entry, records_of
from annotation.formats.datasets.grounded_captions import said, size_of, split_of
from annotation.formats.datasets.split_files import SplitFiles
from evaluation.errors import InputError, Place, load_json
from evaluation.readers.jsonl import MAX_RECORD
from evaluation.readers.records import MAX_SIDE

GROUNDING = "grounding"


def file_name(split: str) -> str:
    """Return the name of the file of a split."""
    return f"odvg_{split}.jsonl"


def is_line(fields: dict[str, Any]) -> bool:
    """Return whether an object of JSON is such a line."""
    return "filename" in fields and isinstance(fields.get(GROUNDING), dict)


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield one record for each run of lines about an image, with its captions in the order of the lines."""
    yield from records_of(path, _entries(path))


def _entries(path: Path) -> Iterator[Entry | Problem]:
    for line in read_lines(path, MAX_RECORD):
        if isinstance(line, Problem):
            yield line
            continue
        if not line[1].strip():
            continue
        place = Place(str(path), line[0])
        try:
            yield _entry(load_json(line[1], place), place)
        except InputError as error:
            yield problem_of(error, "it was left out")


def _entry(fields: object, place: Place) -> Entry:
    if not isinstance(fields, dict) or not is_line(fields):
        raise place.error("", 'it is no object with "filename" and "grounding"')
    given = {"filename": fields["filename"], "caption": fields[GROUNDING].get("caption")}
    try:
        entry = parse_entry(given, int(place.at or 0))
    except ValueError as error:
        raise place.error("", str(error)) from error
    return replace(entry, size=size_in(fields))


def size_in(fields: dict[str, Any]) -> tuple[int, int] | None:
    """Return (width, height) of an image as its entry says it, or None if it does not."""
    width, height = fields.get("width"), fields.get("height")
    if type(width) is int and type(height) is int and 0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE:
        return width, height
    return None


class OdvgWriter(Writer):
    """Writes a file for each split, with a line for each caption that has boxes.

    A region is one phrase with one of its boxes, since Open-GroundingDino takes one box a region, and fails
    on a caption without regions.
    """

    LACKS = frozenset(
        {
            parts.CAPTIONS_WITHOUT_BOXES,
            parts.PHRASES_WITHOUT_BOXES,
            parts.NOT_VISUAL,
            parts.SAME,
            parts.SCENES,
            parts.NOT_BOXED,
        }
    )

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._files: SplitFiles[IO[bytes]] = SplitFiles(lambda split: (out / file_name(split)).open("wb"))

    def _add(self, record: ImageRecord) -> None:
        width, height = size_of(record)
        file = self._files.of(split_of(record))
        for caption in said(record):
            regions = [
                {"bbox": box.edges, "phrase": phrase.text, "tokens_positive": [phrase.span]}
                for phrase in caption.phrases
                for box in phrase.boxes
            ]
            if regions:
                line = {
                    "filename": record.name,
                    "height": height,
                    "width": width,
                    "grounding": {"caption": caption.text, "regions": regions},
                }
                file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))

    def close(self) -> None:
        for file in self._files.all():
            file.close()

    def discard(self) -> None:
        for file in self._files.opened():
            file.close()
