"""Reads images with their captions in JSON: ALBEF's and BLIP's, Karpathy's, LLaVA's, and JSON lines.

- `[{"image": "folder/a.jpg", "caption": "…" or ["…", …]}, …]`
- `{"images": [{"filename": "a.jpg", "filepath": "folder", "sentences": [{"raw": "…"}], "split": "train"}]}`
- `{"file_name": "a.jpg", "text": "…"}` on each line, as in Hugging Face's `metadata.jsonl`
- `{"a.jpg": "…" or ["…", …], …}`
- `[{"image": "a.jpg", "conversations": [{"from": "human", "value": "…"}, {"from": "gpt", "value": "…"}]}, …]`

NaN, which Python writes in place of a missing value although it is no JSON, is read as null.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ijson
import orjson
from ijson.common import ObjectBuilder

from annotation.domain.records import ImageRecord, Problem
from annotation.formats.base import read_lines
from annotation.formats.captions.bare_nan import NUMBERS, opened_json
from annotation.formats.captions.entries import Entry, names_image, parse_entry, records_of
from evaluation.errors import InputError
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
    if first_line(path) is not None:
        entries = _lines(path)
    else:
        entries = _by_name(path) if is_by_name(path) else _listed(path)
    yield from records_of(path, entries)


def first_line(path: Path) -> dict[str, Any] | None:
    """Return the object on the first line that is not empty; None unless each line is an entry."""
    for line in read_lines(path, MAX_RECORD):
        if isinstance(line, Problem):
            return None
        if content := line[1].strip():
            try:
                found = load_line(content)
            except ValueError:
                return None
            return found if isinstance(found, dict) and not _is_whole(found) else None
    return None


def load_line(content: bytes) -> Any:
    """Return the JSON value of a line, in which a bare NaN is null. Raise ValueError."""
    if any(number in content for number in NUMBERS):
        try:
            return json.loads(content, parse_constant=lambda _: None)
        except RecursionError as error:
            raise ValueError("nested too deep") from error
    return orjson.loads(content)


def _is_whole(found: dict[str, Any]) -> bool:
    """Return whether an object is a whole file. In an entry, `images` may be a list of names."""
    lists = [found[name] for name in _LISTS if isinstance(found.get(name), list)]
    return any(not one or isinstance(one[0], dict) for one in lists) or names_image(next(iter(found), ""))


def is_by_name(path: Path) -> bool:
    """Return whether the file is an object whose first field is called as the file of an image."""
    try:
        with opened_json(path) as file:
            for count, (event, value) in enumerate(ijson.basic_parse(file, use_float=True)):
                if (count, event) != (0, "start_map"):
                    return event == "map_key" and names_image(value)
    except ERRORS:
        return False
    return False


def _by_name(path: Path) -> Iterator[Entry | Problem]:
    try:
        for name, captions in fields_of(path):
            try:
                yield parse_entry({"image": name, "captions": captions})
            except ValueError as error:
                yield Problem(str(path), None, f"{name[:80]!r}: {error}", "it was left out")
    except ERRORS as error:
        yield damaged(path, error)


def _lines(path: Path) -> Iterator[Entry | Problem]:
    for line in read_lines(path, MAX_RECORD):
        if isinstance(line, Problem):
            yield line
            continue
        number, content = line
        if not content.strip():
            continue
        try:
            yield parse_entry(_object(load_line(content)), number)
        except json.JSONDecodeError as error:
            yield Problem(str(path), number, f"not JSON: {error}", "one object a line, in UTF-8")
        except ValueError as error:
            yield Problem(str(path), number, str(error), "it was left out")


def _listed(path: Path) -> Iterator[Entry | Problem]:
    try:
        for one in listed(path):
            if one.list not in ("", IMAGES):
                continue
            place = f"{one.list}[{one.index}]" if one.list else f"entry {one.index}"
            try:
                yield parse_entry(_object(one.value), place=place)
            except ValueError as error:
                yield Problem(str(path), None, f"{place}: {error}", "it was left out")
    except ERRORS as error:
        yield damaged(path, error)


def damaged(path: Path, error: Exception) -> Problem:
    """Return the problem that a file cannot be read to its end, by one of ERRORS."""
    message = f"the JSON cannot be read to its end: {said(error)}"
    return Problem(str(path), None, message, "what came before was read", whole=True)


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


class _Building:
    """Builds one value, as long as it has a usual size, so that no file fills the memory."""

    def __init__(self, place: str) -> None:
        self._builder, self._place = ObjectBuilder(), place
        self._size = self._events = 0

    def add(self, event: str, value: Any) -> None:
        self._size += len(value) if isinstance(value, str) else 0
        self._events += 1
        if self._size > MAX_RECORD or self._events > _MAX_EVENTS:
            raise ijson.JSONError(f"{self._place} is too large")
        self._builder.event(event, value)

    @property
    def value(self) -> Any:
        return self._builder.value


def listed(path: Path, keys: list[str] | None = None) -> Iterator[Listed]:
    """Yield the entries of all lists, one by one, and add the names of an object's fields to `keys`.

    Raise one of ERRORS.
    """
    depth, key, at, index = 0, "", 1, 0
    inside = False  # a list of entries, which are at depth `at`
    building: _Building | None = None
    with opened_json(path) as file:
        for event, value in ijson.basic_parse(file, use_float=True):
            if event.startswith("end_"):
                depth -= 1
            elif event == "map_key" and depth == 1 and building is None:
                key = value
                if keys is not None:
                    keys.append(value)
            if building is None and inside and depth == at and not event.startswith("end_"):
                building = _Building(f"entry {index} of a list")
            if building is not None:
                building.add(event, value)
            if event.startswith("start_"):
                if event == "start_array" and building is None and not inside and depth <= 1:
                    inside, at, index = True, depth + 1, 0
                    key = key if depth else ""
                depth = _deeper(depth)
            if inside and depth < at:
                inside = False
            elif building is not None and depth == at:
                yield Listed(key if at == 2 else "", index, building.value)
                building, index = None, index + 1


def fields_of(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of the fields of the object that the file is. Raise one of ERRORS."""
    depth, key = 0, ""
    building: _Building | None = None
    with opened_json(path) as file:
        for event, value in ijson.basic_parse(file, use_float=True):
            if event == "map_key" and depth == 1:
                key, building = value, _Building(repr(value[:80]))
                continue
            depth = _deeper(depth) if event.startswith("start_") else depth - event.startswith("end_")
            if building is not None and depth:
                building.add(event, value)
                if depth == 1:
                    yield key, building.value
                    building = None


def _deeper(depth: int) -> int:
    if depth == _MAX_DEPTH:
        raise ijson.JSONError(f"nested deeper than {_MAX_DEPTH}")
    return depth + 1


def said(error: Exception) -> str:
    """Return the first line of the error's message. In the other lines, the parser quotes the file."""
    first = error.args[0] if error.args else ""
    text = first.decode("utf-8", "replace") if isinstance(first, bytes) else str(error)
    if isinstance(error, InputError):
        text = error.what
    return text.splitlines()[0] if text else "it ends too early"
