"""Reads COCO's caption files: `{"images": [{id, file_name, …}], "annotations": [{image_id, caption, …}]}`."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import ijson

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.base import (
    check_name,
    check_text,
    cut_short,
    name_and_folder,
    one_error,
    problem_of,
)
from annotation.formats.captions.json_captions import said
from evaluation.errors import InputError, Place
from evaluation.readers.captions import coco_caption, coco_image
from evaluation.readers.files import opened_file
from evaluation.readers.records import MAX_CAPTIONS

_FIELDS = {
    "images": ("id", "file_name", "width", "height"),
    "annotations": ("image_id", "caption", "category_id"),
}
_MAX_DEPTH = 32
_TABLES = """
CREATE TABLE image (place INTEGER PRIMARY KEY, id TEXT UNIQUE, name TEXT UNIQUE, folder TEXT,
                    width INT, height INT);
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
        problems = yield from _fill(path, spool)
        spool.execute("CREATE INDEX caption_image ON caption (image, place)")
        images = spool.execute("SELECT count(*) FROM image").fetchone()[0]
        captioned = spool.execute("SELECT 1 FROM caption").fetchone()
        if not images or not captioned:
            if not problems:
                message = f"it has {images:,} images, but no captions" if images else "it has no images"
                hint = 'expected {"images": […], "annotations": […]}, as in COCO\'s file of captions'
                yield Problem(str(path), None, message, hint, whole=True)
            return
        yield from _without_image(path, spool)
        yield from _images(path, spool)


def _fill(path: Path, spool: sqlite3.Connection) -> Generator[Problem, None, int]:
    """Yield the problems, and return how many there are."""
    count = 0
    for kept in _sections(path, spool):
        if isinstance(kept, Problem):
            count += 1
            yield kept
    return count


def _sections(path: Path, spool: sqlite3.Connection) -> Iterator[Entry | Problem]:
    try:
        for _, entries in groupby(_entries(path), key=lambda entry: entry[0]):
            yield from one_error(_kept(path, spool, entries))
    except InputError as error:
        yield cut_short(error)
    except (ijson.JSONError, ValueError) as error:
        message = f"the JSON is damaged: {said(error)}"
        yield Problem(str(path), None, message, "what came before was read", whole=True)


def _kept(
    path: Path, spool: sqlite3.Connection, entries: Iterable[tuple[str, int, Entry]]
) -> Iterator[Entry | Problem]:
    for section, number, entry in entries:
        try:
            _keep(spool, section, number, entry, Place(str(path)))
            yield entry
        except InputError as error:
            hint = "it was left out"
            if "category_id" in entry:
                hint = "the file looks like COCO's boxes: give its file of captions"
            yield problem_of(error, hint)


def _entries(path: Path) -> Iterator[tuple[str, int, Entry]]:
    """Yield (list, index, wanted fields) of every entry. Anything else in the file is skipped.

    The parser's events are followed by hand. A library that builds a path for each event, or an object for
    each entry, would let a small file with deep nesting or a large entry fill the memory.
    """
    counts = dict.fromkeys(_FIELDS, 0)
    depth, section, key = 0, "", ""
    entry: Entry | None = None
    with opened_file(path) as file:
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


def _keep(spool: sqlite3.Connection, section: str, number: int, entry: Entry, place: Place) -> None:
    """Keep an image or a caption. Raise InputError if something is wrong with it."""
    field = f"{section}[{number}]"
    if section == "annotations":
        key, text = coco_caption(entry, place, field)
        if wrong := check_text(text):
            raise place.error(field, wrong)
        spool.execute("INSERT INTO caption VALUES (?, ?, ?)", (number, key, text))
        return
    key, path, width, height = coco_image(entry, place, field)
    name, folder = name_and_folder(path)
    if wrong := check_name(name):
        raise place.error(f"{field}.file_name", wrong)
    try:
        row = (number, key, name, folder, width or None, height or None)
        spool.execute("INSERT INTO image VALUES (?, ?, ?, ?, ?, ?)", row)
    except sqlite3.IntegrityError as error:
        raise place.error(field, f"id {key} or file_name {name!r} is given twice") from error


def _without_image(path: Path, spool: sqlite3.Connection) -> Iterator[Problem]:
    unknown = "SELECT place, image FROM caption WHERE image NOT IN (SELECT id FROM image) ORDER BY place"
    for place, key in spool.execute(unknown):
        message = f"annotations[{place}]: there is no image with id {key[:80]}"
        yield Problem(str(path), None, message, "it was left out")


def _images(path: Path, spool: sqlite3.Connection) -> Iterator[ImageRecord | Problem]:
    found = spool.execute("SELECT id, name, folder, width, height FROM image ORDER BY place")
    for key, name, folder, width, height in found:
        texts = spool.execute(
            "SELECT text FROM caption WHERE image = ? ORDER BY place LIMIT ?", (key, MAX_CAPTIONS + 1)
        ).fetchall()
        if len(texts) > MAX_CAPTIONS:
            message = f"{name} has more than {MAX_CAPTIONS} captions"
            yield Problem(str(path), None, message, "the rest was left out")
        captions = tuple(CaptionRecord(index, text) for index, (text,) in enumerate(texts[:MAX_CAPTIONS]))
        yield ImageRecord(name, captions, width, height, folder=folder, file=str(path))
