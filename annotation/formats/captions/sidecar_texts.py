"""Reads a folder of photographs with a text beside each: `a.jpg` and `a.txt`, with a caption on each line.

Programs that train on captions keep them so, and img2dataset writes `00000/000000000.jpg` and `.txt`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from annotation.domain.records import ImageRecord, Problem
from annotation.formats.base import MAX_DEPTH, caption_text, check_name, is_shown, read_texts
from annotation.formats.captions.entries import Entry, Refused, picture_name, records_of
from annotation.formats.captions.spreadsheet import is_picture
from evaluation.readers.records import SPLITS

SUFFIX = ".txt"
_NO_CAPTIONS = frozenset({"readme", "license", "licence", "classes", "requirements", *SPLITS})
"""Names of texts, without suffix, that are about a whole folder."""
LOOK = 20  # pairs that are looked at
_BOX = re.compile(r"\s*\d+(?:\s+-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?){4,}\s*")
"""A line of a file of YOLO: the number of a class, and a box or the corners of a shape."""
_BOXES = "has boxes as YOLO writes them, and no captions: give a file of captions"


@dataclass(slots=True)
class Beside:
    """The photographs and the texts in one folder, by their names without suffix."""

    pictures: dict[str, list[str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def pairs(self) -> list[str]:
        """Return the stems that have both, in order."""
        return sorted(self.pictures.keys() & self.texts.keys())


def beside(names: Collection[str]) -> Beside:
    """Return the photographs and the texts among the files of a folder."""
    found = Beside()
    for name in sorted(filter(is_shown, names)):
        stem, suffix = os.path.splitext(name)
        if is_picture(name):
            found.pictures.setdefault(stem, []).append(name)
        elif suffix.lower() == SUFFIX:
            found.texts[stem] = name
    return found


def wrong_with(texts: Collection[Path]) -> str:
    """Return what the texts beside photographs are, if most of their lines are clearly no captions, or ""."""
    lines = boxes = 0
    for path in islice(texts, LOOK):
        for line in islice(read_texts(path), LOOK):
            if not isinstance(line, Problem) and line[1].strip():
                lines += 1
                boxes += bool(_BOX.fullmatch(line[1]))
    return _BOXES if 2 * boxes > lines else ""


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield one record for each photograph that has a text, by folder and name.

    A photograph without a text and a text without a photograph are problems.
    """
    found = False
    for place, folders, files in os.walk(path):
        within = Path(place).relative_to(path)
        shown = sorted(filter(is_shown, folders))
        folders[:] = shown if len(within.parts) < MAX_DEPTH else []
        content = beside(files)
        found = found or bool(content.pairs)
        if content.pictures:
            folder = within.as_posix().removeprefix(".")
            for stem in sorted({*content.pictures, *content.texts}):
                yield from _read_pair(Path(place), folder, content, stem)
    if not found:
        hint = "expected a.txt beside a.jpg, with a caption on each line"
        yield Problem(str(path), None, "it has no photograph with a text beside it", hint, whole=True)


def _read_pair(place: Path, folder: str, content: Beside, stem: str) -> Iterator[ImageRecord | Problem]:
    pictures, text = content.pictures.get(stem, []), content.texts.get(stem)
    if text is None:
        for picture in pictures:
            message = f"there is no {stem[:80]}{SUFFIX} beside it"
            yield Problem(str(place / picture), None, message, "it was left out")
    elif not pictures:
        if stem.casefold() not in _NO_CAPTIONS:
            message = "there is no photograph of this name beside it"
            yield Problem(str(place / text), None, message, "it was left out")
    elif len(pictures) > 1:
        message = f"{' and '.join(pictures[:3])} could both be its photograph"
        yield Problem(str(place / text), None, message, "rename one, and its text")
    else:
        yield from records_of(place / text, _entries(place / text, picture_name(pictures[0]), folder))


def _entries(path: Path, name: str, folder: str) -> Iterator[Entry | Problem]:
    if wrong := check_name(name):
        yield Problem(str(path), None, wrong, "rename the photograph and its text")
        return
    empty = True
    for line in read_texts(path):
        if isinstance(line, Problem):
            yield line
        elif line[1].strip():
            try:
                yield Entry(name, (caption_text(line[1].strip()),), line[0], folder)
            except ValueError as error:
                yield Entry(name, (Refused(str(error)),), line[0], folder)
        else:
            continue
        empty = False
    if empty:
        yield Problem(str(path), None, "it is empty", "write a caption on each line")
