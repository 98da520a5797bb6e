"""Reads aligned text files, as Multi30k has them: captions a line in one file, image names a line in another.

`train.en` and `train_images.txt` belong together, and so do `train.1.en` … `train.5.en`, which have the first
to the fifth caption of each image. They are found by their names, anywhere in a folder.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from annotation.domain.records import ImageRecord, Problem
from annotation.formats.base import (
    caption_text,
    check_name,
    is_shown,
    name_and_folder,
    read_lines,
    read_texts,
)
from annotation.formats.captions.entries import SPLITS, Entry, picture_name, records_of
from annotation.formats.captions.spreadsheet import is_picture

_MAX_DEPTH = 6
_TEXT = re.compile(r"(?P<part>[\w-]+)(?:\.(?:lc|norm|tok))*(?:\.(?P<number>[1-9]))?\.(?P<language>[a-z]{2})")
_LIST = re.compile(r"(?P<part>[\w-]+?)(?:_images)?\.(?:txt|lst)")
_NO_LANGUAGES = frozenset({"md", "py", "sh", "js"})  # what else ends in two letters
_EXPECTED = "expected train.en beside train_images.txt, or train.1.en to train.5.en"


@dataclass(slots=True)
class _Part:
    """The files of one part of a corpus, such as `train`."""

    texts: dict[int, Path] = field(default_factory=dict)  # by the number of the caption
    twice: list[Path] = field(default_factory=list)  # other files with the same captions
    lists: list[Path] = field(default_factory=list)


def is_aligned(folder: Path) -> bool:
    """Return whether the folder has a file of captions and a list of images that belongs to it."""
    parts, _ = _parts(folder)
    return any(part.texts and part.lists for part in parts.values())


def is_list_of_images(path: Path) -> bool:
    """Return whether the file has nothing but file names of pictures, one a line, as far as one looks."""
    found = False
    for count, line in enumerate(read_lines(path)):
        text = "" if isinstance(line, Problem) else line[1].decode("utf-8", "replace").strip()
        if isinstance(line, Problem) or (
            text and not (is_picture(text) and check_name(_name(text)[0]) is None)
        ):
            return False
        found = found or bool(text)
        if count >= 20:
            break
    return found


def _name(text: str) -> tuple[str, str]:
    return name_and_folder(picture_name(text))


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield one record an image, in the order of the lists. Captions are numbered as their files are."""
    parts, languages = _parts(path)
    if not any(part.texts for part in parts.values()):
        yield Problem(str(path), None, "it has no file of captions such as train.en", _EXPECTED, whole=True)
    texts = [text for part in parts.values() for text in part.texts.values()]
    if len(languages) > 1:
        listed = " and ".join(sorted(languages))
        message = f"its folder has captions in several languages, {listed}"
        yield Problem(str(min(texts)), None, message, "give the files of one language", whole=True)
        return
    for name, part in parts.items():
        if part.texts:
            yield from _read_part(path, name, part)


def _parts(folder: Path) -> tuple[dict[str, _Part], set[str]]:
    """Return the parts by their names, and the languages of their captions."""
    parts: defaultdict[str, _Part] = defaultdict(_Part)
    languages: set[str] = set()
    for place, folders, files in os.walk(folder):
        if place.removeprefix(str(folder)).count(os.sep) >= _MAX_DEPTH:
            folders.clear()
        folders[:] = sorted(filter(is_shown, folders))
        for name in sorted(filter(is_shown, files)):
            plain, path = name.removesuffix(".gz"), Path(place) / name
            if (text := _TEXT.fullmatch(plain)) and text["language"] not in _NO_LANGUAGES:
                number = int(text["number"]) - 1 if text["number"] else 0
                part = parts[text["part"]]
                if part.texts.setdefault(number, path) != path:
                    part.twice.append(path)
                languages.add(text["language"])
            elif (found := _LIST.fullmatch(plain)) and is_list_of_images(path):
                parts[found["part"]].lists.append(path)
    for part in parts.values():
        part.texts = dict(sorted(part.texts.items()))
    return dict(sorted(parts.items())), languages


def _read_part(folder: Path, name: str, part: _Part) -> Iterator[ImageRecord | Problem]:
    first = part.texts[min(part.texts)]
    if part.twice:
        message = f"{part.twice[0].relative_to(folder)} has the same captions in another form"
        yield Problem(str(first), None, message, "give one of these files", whole=True)
        return
    if len(part.lists) != 1:
        found = "no list" if not part.lists else f"more than one list ({len(part.lists)})"
        message = f"there is {found} of image names called {name}_images.txt or {name}.txt"
        yield Problem(str(first), None, message, _EXPECTED, whole=True)
        return
    (images,) = part.lists
    counts = {path: sum(1 for _ in read_lines(path)) for path in (images, *part.texts.values())}
    for path, count in counts.items():
        if count != counts[images]:
            message = f"it has {count:,} lines, but {images.name} has {counts[images]:,}"
            hint = "each line has to be about the image on the same line of the list"
            yield Problem(str(path), None, message, hint, whole=True)
            return
    yield from records_of(first, _entries(images, part, _split_of(name)))


def _split_of(name: str) -> str:
    return next((split for split in re.split(r"[_\d-]", name) if split in SPLITS), "")


def _entries(images: Path, part: _Part, split: str) -> Iterator[Entry | Problem]:
    texts = [read_texts(path) for path in part.texts.values()]
    for listed, *lines in zip(read_texts(images), *texts, strict=True):
        if isinstance(listed, Problem):
            yield listed
            continue
        name, folder = _name(listed[1])
        if wrong := check_name(name):
            yield Problem(str(images), listed[0], wrong)
            continue
        for (number, file), line in zip(part.texts.items(), lines, strict=True):
            if isinstance(line, Problem):
                yield line
                continue
            try:
                text = caption_text(line[1]).strip()
            except ValueError as error:
                yield Problem(str(file), line[0], f"{error} (of {name})", "it was left out")
            else:
                yield Entry(name, (text,), line[0], folder, split, number)
