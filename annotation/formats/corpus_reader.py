"""Reads a corpus that was recognised, and counts its images. Commands and uploads use it for every corpus."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from annotation.domain.records import ImageRecord, Problem
from annotation.formats.base import is_shown, one_error, read_lines
from annotation.formats.captions import spreadsheet
from annotation.formats.captions.same_names import PicturesApart
from annotation.formats.recognition import Corpus, Pulse, split_in
from annotation.formats.registry import READERS
from evaluation.readers.jsonl import MAX_RECORD

_T = TypeVar("_T")
_WITH_OWN_CHECK = frozenset({"flickr30k-entities", "coco-captions"})
"""Formats in which many problems may come before the first image of a good corpus."""


def read_corpus(corpus: Corpus) -> Iterator[ImageRecord | Problem]:
    """Yield the images of all files of the corpus, and problems with them.

    A file of which nothing can be read gives one problem. Two images that have the same name and are in
    different folders would become one, so the first two end the reading with a problem. Pictures that are
    part of the corpus are kept apart if they differ and have the same name.
    """
    folders: dict[int, str] = {}  # by the hash of the name, because it may be a whole corpus
    apart = PicturesApart()
    for path in corpus.files or (corpus.path,):
        for entry in _entries(corpus, path):
            if isinstance(entry, ImageRecord):
                known = folders.setdefault(hash(entry.name), entry.folder)
                if known != entry.folder:
                    message = f"{entry.name} is in two folders, {known or '.'} and {entry.folder or '.'}"
                    hint = "an image is known by its file name: rename one; what came before was read"
                    yield Problem(entry.file, entry.line, message, hint, whole=True)
                    return
                entry = replace(entry, name=apart.name_of(entry.name, entry.picture))
            yield entry


def _entries(corpus: Corpus, path: Path) -> Iterator[ImageRecord | Problem]:
    entries = READERS[corpus.format](path)
    if corpus.format not in _WITH_OWN_CHECK:
        entries = one_error(entries)
    if not corpus.files:
        yield from entries
        return
    within = path.relative_to(corpus.path)
    above = within.parent.as_posix().removeprefix(".")
    for entry in entries:
        if isinstance(entry, ImageRecord):
            folder = "/".join(filter(None, (above, entry.folder)))
            entry = replace(entry, folder=folder, split=entry.split or split_in(within.as_posix()))
        yield entry


def count_images(corpus: Corpus, pulse: Pulse = lambda: None) -> int | None:
    """Return about how many images a corpus has, or None if it would have to be read twice to count them."""
    if corpus.files:
        counts = [count_images(Corpus(corpus.format, path), pulse) for path in corpus.files]
        return None if None in counts else sum(count or 0 for count in counts)
    if corpus.format == "flickr30k-entities":
        with os.scandir(corpus.path / "Sentences") as entries:
            names = (entry.name for entry in _heard(entries, pulse))
            return sum(name.endswith(".txt") and is_shown(name) for name in names)
    if corpus.format == "jsonl":
        return sum(1 for _ in _heard(read_lines(corpus.path, MAX_RECORD), pulse))
    if corpus.format == "spreadsheet":
        records = _heard(spreadsheet.read(corpus.path), pulse)
        return sum(isinstance(record, ImageRecord) for record in records)
    if corpus.format == "flickr30k-token":
        count, before = 0, b""
        for line in _heard(read_lines(corpus.path), pulse):
            name = line[1].partition(b"#")[0] if isinstance(line, tuple) else b""
            count, before = count + (name != before), name
        return count
    return None


def _heard(things: Iterable[_T], pulse: Pulse) -> Iterator[_T]:
    for thing in things:
        pulse()
        yield thing
