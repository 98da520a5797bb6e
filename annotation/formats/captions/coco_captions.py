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
    caption_text,
    check_name,
    cut_short,
    name_and_folder,
    one_error,
    problem_of,
)
from annotation.formats.captions.chunk_brackets import caption_of
from annotation.formats.captions.entries import LEFT_OUT
from annotation.formats.captions.json_captions import listed, said
from evaluation.errors import InputError, Place
from evaluation.readers.captions import coco_caption, coco_image, coco_key
from evaluation.readers.records import MAX_CAPTIONS

_LISTS = ("images", "annotations")
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
        captioned = spool.execute("SELECT 1 FROM caption WHERE text IS NOT NULL").fetchone()
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
    """Yield (list, index, object) of every entry of the two lists. Anything else in the file is skipped."""
    for one in listed(path):
        if one.list in _LISTS:
            yield one.list, one.index, one.value if isinstance(one.value, dict) else {}


def _keep(spool: sqlite3.Connection, section: str, number: int, entry: Entry, place: Place) -> None:
    """Keep an image or a caption. Raise InputError if something is wrong with it."""
    field = f"{section}[{number}]"
    if section == "annotations":
        key = text = None
        try:
            if "caption" in entry:
                key = coco_key(entry.get("image_id"), place, f"{field}.image_id")
            text = caption_text(coco_caption(entry, place, field)[1])
        except InputError:
            raise
        except ValueError as error:
            raise place.error(field, str(error)) from error
        finally:
            # Without a text, its number stays free: it may be corrected, and imported again.
            if key is not None:
                spool.execute("INSERT INTO caption VALUES (?, ?, ?)", (number, key, text))
        return
    key, path, width, height = coco_image(entry, place, field, strict=True)
    name, folder = name_and_folder(path)
    if wrong := check_name(name):
        raise place.error(f"{field}.file_name", wrong)
    try:
        row = (number, key, name, folder, width or None, height or None)
        spool.execute("INSERT INTO image VALUES (?, ?, ?, ?, ?, ?)", row)
    except sqlite3.IntegrityError as error:
        raise place.error(field, f"id {key} or file_name {name!r} is given twice") from error


def _without_image(path: Path, spool: sqlite3.Connection) -> Iterator[Problem]:
    unknown = (
        "SELECT place, image FROM caption WHERE text IS NOT NULL AND image NOT IN (SELECT id FROM image)"
        " ORDER BY place"
    )
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
        captions: list[CaptionRecord] = []
        for index, (text,) in enumerate(texts[:MAX_CAPTIONS]):
            try:
                captions += [] if text is None else [caption_of(index, text)]
            except ValueError as error:
                yield Problem(str(path), None, f"caption {index} of {name}: {error}", LEFT_OUT)
        yield ImageRecord(name, tuple(captions), width, height, folder=folder, file=str(path))
