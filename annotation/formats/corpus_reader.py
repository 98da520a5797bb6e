"""Reads a corpus that was recognised. Commands and uploads read every corpus in this way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from annotation.domain.records import ImageRecord, Problem
from annotation.formats.base import one_error
from annotation.formats.recognition import Corpus, split_in
from annotation.formats.registry import READERS

_WITH_OWN_CHECK = frozenset({"flickr30k-entities", "coco-captions"})
"""Formats in which many problems may come before the first image of a good corpus."""


def read_corpus(corpus: Corpus) -> Iterator[ImageRecord | Problem]:
    """Yield the images of all files of the corpus, and problems with them.

    A file of which nothing can be read gives one problem. Two images that have the same name and are in
    different folders would become one, so the first two end the reading with a problem.
    """
    folders: dict[int, str] = {}  # by the hash of the name, because it may be a whole corpus
    for path in corpus.files or (corpus.path,):
        for entry in _entries(corpus, path):
            if isinstance(entry, ImageRecord) and (entry.folder or folders):
                known = folders.setdefault(hash(entry.name), entry.folder)
                if known != entry.folder:
                    message = f"{entry.name} is in two folders, {known or '.'} and {entry.folder or '.'}"
                    hint = "an image is known by its file name: rename one; what came before was read"
                    yield Problem(entry.file, entry.line, message, hint, whole=True)
                    return
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
