"""Reads lists of images with their captions in JSON: ALBEF's and BLIP's, Karpathy's, and JSON lines.

- `[{"image": "folder/a.jpg", "caption": "…" or ["…", …]}, …]`
- `{"images": [{"filename": "a.jpg", "filepath": "folder", "sentences": [{"raw": "…"}], "split": "train"}]}`
- `{"file_name": "a.jpg", "text": "…"}` on each line, as in Hugging Face's `metadata.jsonl`
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ijson
import orjson
from ijson.common import ObjectBuilder

from annotation.domain.records import ImageRecord, Problem
from annotation.formats.base import read_lines
from annotation.formats.captions.entries import Entry, parse_entry, records_of
from evaluation.errors import InputError
from evaluation.readers.files import opened_file
from evaluation.readers.jsonl import MAX_RECORD

IMAGES = "images"
_MAX_DEPTH = 32
_MAX_EVENTS = 500_000  # values and brackets of one entry
_LISTS = ("", IMAGES, "annotations")
ERRORS = (ijson.JSONError, ValueError)
"""What a file that is damaged raises as it is read."""


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield one record for each run of entries about an image. An image that appears again comes in pieces.

    Entries with a mistake are left out.
    """
    yield from records_of(path, _lines(path) if first_line(path) is not None else _listed(path))


def first_line(path: Path) -> dict[str, Any] | None:
    """Return the object on the first line that is not empty; None unless each line is an entry."""
    for line in read_lines(path, MAX_RECORD):
        if isinstance(line, Problem):
            return None
        if content := line[1].strip():
            try:
                found = orjson.loads(content)
            except orjson.JSONDecodeError:
                return None
            whole = not isinstance(found, dict) or any(isinstance(found.get(name), list) for name in _LISTS)
            return None if whole else found
    return None


def _lines(path: Path) -> Iterator[Entry | Problem]:
    for line in read_lines(path, MAX_RECORD):
        if isinstance(line, Problem):
            yield line
            continue
        number, content = line
        if not content.strip():
            continue
        try:
            yield parse_entry(_object(orjson.loads(content)), number)
        except orjson.JSONDecodeError as error:
            yield Problem(str(path), number, f"not JSON: {error}", "one object a line, in UTF-8")
        except ValueError as error:
            yield Problem(str(path), number, str(error), "it was left out")


def _listed(path: Path) -> Iterator[Entry | Problem]:
    try:
        for one in listed(path):
            if one.list not in ("", IMAGES):
                continue
            try:
                yield parse_entry(_object(one.value))
            except ValueError as error:
                place = f"{one.list}[{one.index}]" if one.list else f"entry {one.index}"
                yield Problem(str(path), None, f"{place}: {error}", "it was left out")
    except ERRORS as error:
        message = f"the JSON cannot be read to its end: {said(error)}"
        yield Problem(str(path), None, message, "what came before was read", whole=True)


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("it is not an object")
    return value


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry of a list: of the list that the file is (""), or of one in the object that the file is."""

    list: str
    index: int
    value: Any


def listed(path: Path, keys: list[str] | None = None) -> Iterator[Listed]:
    """Yield the entries of all lists, one by one, and add the names of an object's fields to `keys`.

    Raise one of ERRORS.
    An entry is built only as long as it has a usual size and depth, so that no file fills the memory.
    """
    depth, key, at, index, size, events = 0, "", 1, 0, 0, 0
    inside = False  # a list of entries, which are at depth `at`
    builder: ObjectBuilder | None = None
    with opened_file(path) as file:
        for event, value in ijson.basic_parse(file, use_float=True):
            if event.startswith("end_"):
                depth -= 1
            elif event == "map_key" and depth == 1 and builder is None:
                key = value
                if keys is not None:
                    keys.append(value)
            if builder is None and inside and depth == at and not event.startswith("end_"):
                builder, size, events = ObjectBuilder(), 0, 0
            if builder is not None:
                size += len(value) if isinstance(value, str) else 0
                events += 1
                if size > MAX_RECORD or events > _MAX_EVENTS:
                    raise ijson.JSONError(f"entry {index} of a list is too large")
                builder.event(event, value)
            if event.startswith("start_"):
                if event == "start_array" and builder is None and not inside and depth <= 1:
                    inside, at, index = True, depth + 1, 0
                    key = key if depth else ""
                depth += 1
                if depth > _MAX_DEPTH:
                    raise ijson.JSONError(f"nested deeper than {_MAX_DEPTH}")
            if inside and depth < at:
                inside = False
            elif builder is not None and depth == at:
                yield Listed(key if at == 2 else "", index, builder.value)
                builder, index = None, index + 1


def said(error: Exception) -> str:
    """Return the first line of the error's message. In the other lines, the parser quotes the file."""
    first = error.args[0] if error.args else ""
    text = first.decode("utf-8", "replace") if isinstance(first, bytes) else str(error)
    if isinstance(error, InputError):
        text = error.what
    return text.splitlines()[0] if text else "it ends too early"
