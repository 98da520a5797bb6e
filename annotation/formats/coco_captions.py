"""Reads COCO's caption files: `{"images": [{id, file_name, …}], "annotations": [{image_id, caption, …}]}`."""

from __future__ import annotations

import gzip
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import ijson

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.base import MAX_CAPTIONS, MAX_ID, MAX_SIDE, check_name, check_text, opened

_FIELDS = {"images": ("id", "file_name", "width", "height"), "annotations": ("image_id", "caption")}
_MAX_DEPTH = 32
_TABLES = """
CREATE TABLE image (place INTEGER PRIMARY KEY, id TEXT UNIQUE, name TEXT UNIQUE, width INT, height INT);
CREATE TABLE caption (place INTEGER PRIMARY KEY, image TEXT, text TEXT);
"""
Entry = dict[str, object]


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield one record an image, in the order of `images`. `annotations` gives the order of captions.

    Either list may come first, so the file is read into a temporary database: memory does not grow with its
    size. A damaged file is read up to the damage.
    """
    with (
        TemporaryDirectory(prefix="groundcrew-coco-") as folder,
        closing(sqlite3.connect(Path(folder) / "spool.sqlite3")) as spool,
    ):
        spool.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _TABLES)
        yield from _fill(path, spool)
        spool.execute("CREATE INDEX caption_image ON caption (image, place)")
        if not spool.execute("SELECT 1 FROM image").fetchone():
            hint = 'expected {"images": […], "annotations": […]}'
            yield Problem(str(path), None, "it has no images", hint, whole=True)
        yield from _without_image(path, spool)
        yield from _images(path, spool)


def _fill(path: Path, spool: sqlite3.Connection) -> Iterator[Problem]:
    try:
        for section, number, entry in _entries(path):
            keep = _keep_image if section == "images" else _keep_caption
            if wrong := keep(spool, number, entry):
                yield Problem(str(path), None, f"{section}[{number}]: {wrong}", "it was left out")
    except (ijson.JSONError, ValueError) as error:
        message = f"the JSON is damaged: {_said(error)}"
        yield Problem(str(path), None, message, "what came before was read", whole=True)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        message = f"the gzip file is damaged: {error}"
        yield Problem(str(path), None, message, "what came before was read", whole=True)
    except OSError as error:
        yield Problem(str(path), None, f"cannot be read: {error.strerror or error}", whole=True)


def _said(error: Exception) -> str:
    """Return the first line of the error's message. In the other lines the library quotes the file."""
    said = error.args[0] if error.args else ""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return text.splitlines()[0] if text else "it ends too early"


def _entries(path: Path) -> Iterator[tuple[str, int, Entry]]:
    """Yield (list, index, wanted fields) of every entry. Anything else in the file is skipped.

    The parser's events are followed by hand. A library that builds a path for each event, or an object for
    each entry, would let a small file with deep nesting or a large entry fill the memory.
    """
    counts = dict.fromkeys(_FIELDS, 0)
    depth, section, key = 0, "", ""
    entry: Entry | None = None
    with opened(path) as file:
        for event, value in ijson.basic_parse(file, use_float=True):
            ends_entry = False
            if event == "map_key":
                if depth == 1:
                    section = value if value in _FIELDS else ""
                key = value
            elif event.startswith("start_"):
                if depth == 1 and event != "start_array":
                    section = ""
                elif depth == 2 and event == "start_map":
                    entry = {}
                depth += 1
                if depth > _MAX_DEPTH:
                    raise ijson.JSONError(f"nested deeper than {_MAX_DEPTH}")
            elif event.startswith("end_"):
                depth -= 1
                ends_entry = depth == 2
            elif depth == 3 and section and entry is not None and key in _FIELDS[section]:
                entry[key] = value
            else:
                ends_entry = depth == 2
            if ends_entry:
                if section:
                    yield section, counts[section], entry or {}
                    counts[section] += 1
                entry = None


def _key(value: object) -> str | None:
    """Return an id, a number or a text, as a key for which 1 and "1" differ.

    Return None for anything else.
    """
    if isinstance(value, str):
        return repr(value) if len(value) <= 200 else None
    usable = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_ID
    return repr(value) if usable else None


def _keep_image(spool: sqlite3.Connection, number: int, entry: Entry) -> str | None:
    key, name = _key(entry.get("id")), entry.get("file_name")
    if key is None:
        return "id is missing, or is not a number or text"
    if not isinstance(name, str):
        return "file_name is missing, or is not a text"
    if wrong := check_name(name):
        return f"file_name: {wrong}"
    sides = []
    for side in ("width", "height"):
        value = entry.get(side)
        if value is not None and (type(value) is not int or not 0 < value <= MAX_SIDE):
            return f"{side} is not a whole number of pixels from 1 to {MAX_SIDE}"
        sides.append(value)
    try:
        spool.execute("INSERT INTO image VALUES (?, ?, ?, ?, ?)", (number, key, name, *sides))
    except sqlite3.IntegrityError:
        return f"id {key} or file_name {name!r} is given twice"
    return None


def _keep_caption(spool: sqlite3.Connection, number: int, entry: Entry) -> str | None:
    key, text = _key(entry.get("image_id")), entry.get("caption")
    if key is None:
        return "image_id is missing, or is not a number or text"
    if not isinstance(text, str):
        return "caption is missing, or is not a text"
    if wrong := check_text(text):
        return wrong
    spool.execute("INSERT INTO caption VALUES (?, ?, ?)", (number, key, text))
    return None


def _without_image(path: Path, spool: sqlite3.Connection) -> Iterator[Problem]:
    unknown = "SELECT place, image FROM caption WHERE image NOT IN (SELECT id FROM image) ORDER BY place"
    for place, key in spool.execute(unknown):
        message = f"annotations[{place}]: there is no image with id {key[:80]}"
        yield Problem(str(path), None, message, "it was left out")


def _images(path: Path, spool: sqlite3.Connection) -> Iterator[ImageRecord | Problem]:
    for key, name, width, height in spool.execute("SELECT id, name, width, height FROM image ORDER BY place"):
        texts = spool.execute(
            "SELECT text FROM caption WHERE image = ? ORDER BY place LIMIT ?", (key, MAX_CAPTIONS + 1)
        ).fetchall()
        if len(texts) > MAX_CAPTIONS:
            message = f"{name} has more than {MAX_CAPTIONS} captions"
            yield Problem(str(path), None, message, "the rest was left out")
        captions = tuple(CaptionRecord(index, text) for index, (text,) in enumerate(texts[:MAX_CAPTIONS]))
        yield ImageRecord(name, captions, width, height, file=str(path))
