"""What the entries of other people's files mean: which field names the image, which have captions.

An entry is an object of JSON or a row of a table. Readers give its fields, whatever file they come from.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.base import check_name, check_text, name_and_folder
from annotation.formats.captions.chunk_brackets import caption_of
from evaluation.readers.records import MAX_CAPTIONS

IMAGES = (
    *("filename", "filenames", "imagename", "imagefile", "file", "files", "image", "images", "img"),
    *("photo", "photos", "photoname", "photograph", "photographs", "picture", "pictures", "name"),
)
"""Names of the field with an image's file name, without case, spaces and numbers. The first one counts."""
PATHS = ("filepath", "imagepath", "path")
"""Names of a field that has a path if there is a name, and otherwise the name with its path."""
CAPTIONS = (
    *("sentences", "sentence", "captions", "caption", "sentencesraw", "texts", "text"),
    *("descriptions", "description", "comments", "comment"),
)
"""Names of fields with captions. The first of them counts, in all fields that are called so, as caption_1."""
NUMBERS = ("commentnumber", "captionnumber", "sentencenumber", "captionindex")
"""Names of a field that says which of its image's captions this one is, from 0."""
_TEXTS = ("raw", "caption", "text", "sentence")  # the text of a caption that is an object
SPLITS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("train", "training", "restval"), "train"),
        **dict.fromkeys(("val", "valid", "validation", "dev"), "val"),
        **dict.fromkeys(("test", "testing"), "test"),
    }
)
"""What other people call the splits. `restval` is what Karpathy's COCO adds to the training set."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An image with some of its captions, in order.

    `first` is the number of the first caption, if the file says it. `line` is None in files without lines.
    """

    name: str
    texts: tuple[str, ...]
    line: int | None = None
    folder: str = ""
    split: str = ""
    first: int | None = None
    picture: bytes | None = None


def plain(name: str) -> str:
    """Return a field's name without case, spaces and numbers: Caption_1 -> caption."""
    return "".join(character for character in name.casefold() if character.isalpha())


def picture_name(name: str) -> str:
    """Return a picture's file name as it is compared: composed, since macOS takes é apart."""
    return unicodedata.normalize("NFC", name.strip())


def what_is_missing(names: Iterable[str]) -> str | None:
    """Return why entries with fields of these names are no captions of images, or None if they may be."""
    shown = list(names)
    known = {plain(name) for name in shown}
    listed = ", ".join(repr(name[:40]) for name in shown[:8]) + (", …" if len(shown) > 8 else "")
    if known.isdisjoint((*IMAGES, *PATHS)):
        return f"no name of a file (image, file_name) is among {listed or 'its fields'}"
    if known.isdisjoint(CAPTIONS):
        return f"no captions (caption, captions, text, sentences) are among {listed}"
    return None


def parse_entry(fields: Mapping[str, object], line: int | None = None, fallback: str = "") -> Entry:
    """Return what an object or row says. Raise ValueError if it has no image or no usable caption.

    `fallback` is the image's name if the entry has its picture, but no name.
    """
    if wrong := what_is_missing(fields):
        raise ValueError(wrong)
    by_name: dict[str, list[object]] = {}
    for name, value in fields.items():
        if value is not None and value != "":
            by_name.setdefault(plain(name), []).append(value)
    path, picture = _image(by_name, fallback)
    name, folder = name_and_folder(picture_name(path))
    if wrong := check_name(name):
        raise ValueError(wrong)
    texts = tuple(_captions(by_name))
    if not texts:
        raise ValueError(f"{name} has no caption")
    for text in texts:
        if wrong := check_text(text):
            raise ValueError(wrong)
    split = next(iter(by_name.get("split", ())), "")
    return Entry(name, texts, line, folder, split if isinstance(split, str) else "", None, picture)


def _image(fields: Mapping[str, list[object]], fallback: str) -> tuple[str, bytes | None]:
    """Return the name of the image with its path, and its picture if the entry has it."""
    path, picture = "", None
    for value in (value for name in IMAGES for value in fields.get(name, ())):
        if isinstance(value, Mapping):
            content, at = value.get("bytes"), value.get("path")
            picture = picture or (content if isinstance(content, bytes) else None)
            path = path or (at if isinstance(at, str) else "")
        elif isinstance(value, bytes):
            picture = picture or value
        elif isinstance(value, str):
            path = path or value
    folder = next((value for name in PATHS for value in fields.get(name, ()) if isinstance(value, str)), "")
    if path and folder and "/" not in path:
        path = folder if folder.endswith(path) else f"{folder.rstrip('/')}/{path}"
    path = path or folder or (fallback if picture is not None else "")
    if not path:
        raise ValueError("the name of the image's file is missing, or is not a text")
    return path, picture


def _captions(fields: Mapping[str, list[object]]) -> Iterator[str]:
    values = next((fields[name] for name in CAPTIONS if name in fields), [])
    # Some tables have the captions twice: one a column, and all of them as a list.
    values = next(([value] for value in values if isinstance(value, list)), values)
    for value in values:
        for one in value if isinstance(value, list) else [value]:
            text = one
            if isinstance(one, Mapping):
                text = next((one[name] for name in _TEXTS if isinstance(one.get(name), str)), None)
            if not isinstance(text, str):
                raise ValueError("a caption is not a text")
            # A caption is one sentence, also if it has several lines.
            if said := " ".join(part for line in text.splitlines() if (part := line.strip())):
                yield said


def records_of(path: Path, entries: Iterable[Entry | Problem]) -> Iterator[ImageRecord | Problem]:
    """Yield one record for each run of entries about an image. An image that appears again comes in pieces.

    Captions are numbered in the order of the entries, unless these say their numbers.
    """
    run = _Run(path)
    for entry in entries:
        if isinstance(entry, Problem):
            yield entry
            continue
        if (entry.name, entry.folder) != run.image:
            yield from run.end()
        yield from run.add(entry)
    yield from run.end()


class _Run:
    """Entries about one image that follow each other."""

    def __init__(self, path: Path) -> None:
        self.path, self.image = path, ("", "")
        self._first: Entry | None = None
        self._captions: dict[int, CaptionRecord] = {}
        self._counts: Counter[str] = Counter()
        self._splits: set[str] = set()

    def add(self, entry: Entry) -> Iterator[Problem]:
        self.image = entry.name, entry.folder
        place = self._counts[entry.name] if entry.first is None else entry.first
        if place + len(entry.texts) > MAX_CAPTIONS:
            message = f"{entry.name} has more than {MAX_CAPTIONS} captions"
            yield Problem(str(self.path), entry.line, message, "this row was left out")
            return
        self._first = self._first or entry
        for index, text in enumerate(entry.texts, start=place):
            if index in self._captions:
                message = f"caption {index} of {entry.name} is given twice"
                yield Problem(str(self.path), entry.line, message, "the first one was taken")
                continue
            try:
                self._captions[index] = caption_of(index, text, entry.line)
            except ValueError as error:
                message = f"caption {index} of {entry.name}: {error}"
                yield Problem(str(self.path), entry.line, message, "this caption was left out")
        self._counts[entry.name] = place + len(entry.texts)
        split = entry.split.strip()
        if split and split.casefold() not in SPLITS and split not in self._splits:
            self._splits.add(split)
            message = f"{split[:40]!r} is none of the splits train, val and test"
            yield Problem(str(self.path), entry.line, message, "its images have no split; this is said once")

    def end(self) -> Iterator[ImageRecord]:
        if self._first is not None:
            first = self._first
            yield ImageRecord(
                first.name,
                tuple(self._captions.values()),
                split=SPLITS.get(first.split.strip().casefold(), ""),
                folder=first.folder,
                picture=first.picture,
                file=str(self.path),
                line=first.line,
            )
        self.image, self._first, self._captions = ("", ""), None, {}
