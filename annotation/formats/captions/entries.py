"""What the entries of other people's files mean: which field names the image, which have captions.

An entry is an object of JSON or a row of a table. Readers give its fields, whatever file they come from.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from urllib.parse import unquote, urlsplit

from annotation.domain.readable import says_missing
from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.base import caption_text, check_name, name_and_folder
from annotation.formats.captions.chunk_brackets import caption_of
from annotation.formats.captions.conversations import answer_of
from evaluation.readers.records import MAX_CAPTIONS

IMAGES = (
    *("filename", "filenames", "imagefilename", "imagename", "imgname", "imagefile", "imgfile"),
    *(
        "file",
        "files",
        "image",
        "images",
        "img",
        "imgs",
        "photo",
        "photos",
        "photoname",
        "photograph",
        "photographs",
    ),
    *("picture", "pictures", "name", "jpg", "jpeg", "png", "webp"),
)
"""Names of fields with an image's file name, without case, spaces and numbers."""
PATHS = ("filepath", "imagepath", "imgpath", "imagefilepath", "photopath", "picturepath", "path")
"""Names of a field that has a path if there is a name, and otherwise the name with its path."""
ADDRESSES = ("url", "imageurl", "imgurl", "photourl", "pictureurl", "cocourl", "flickrurl")
"""Names of a field with the address of an image. It counts if no other field names the image."""
DOWNLOADS = ("key", "status", "errormessage")
"""What img2dataset says of each image: its name without suffix, and whether it could be downloaded."""
CAPTIONS = (
    *("sentences", "sentence", "captions", "caption", "sentencesraw", "texts", "text"),
    *("descriptions", "description", "captiontext", "imagecaption", "txt", "comments", "comment", "titles"),
    *("title", "alttext", "alt"),
)
"""Names of fields with captions. The first of them counts, in all fields that are called so, as caption_1."""
CONVERSATIONS = ("conversations", "conversation", "messages")
"""Names of a field with what was said to a model, and what it answered, about the image."""
NUMBERS = ("commentnumber", "captionnumber", "sentencenumber", "captionindex")
"""Names of a field that says which of its image's captions this one is, from 0."""
_TEXTS = ("raw", "caption", "text", "sentence")  # the text of a caption that is an object
_NO_TEXT = "a caption is not a text"
_SUFFIX = re.compile(r".\.[A-Za-z]{3,4}$")  # what names of files have that other names have not
SPLITS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("train", "training", "restval"), "train"),
        **dict.fromkeys(("val", "valid", "validation", "dev"), "val"),
        **dict.fromkeys(("test", "testing"), "test"),
    }
)
"""What other people call the splits. `restval` is what Karpathy's COCO adds to the training set."""


LEFT_OUT = "this caption was left out"


@dataclass(frozen=True, slots=True)
class Refused:
    """Stands for a caption that cannot be used, so that those after it keep their numbers."""

    message: str
    hint: str = LEFT_OUT


@dataclass(frozen=True, slots=True)
class Entry:
    """An image with some of its captions, in order.

    `first` is the number of the first caption, if the file says it. `line` is None in files without lines,
    and `place` then says in messages where the entry is.
    `size` is (width, height) in pixels of the upright image, if the file says it.
    """

    name: str
    texts: tuple[str | Refused, ...]
    line: int | None = None
    folder: str = ""
    split: str = ""
    first: int | None = None
    picture: bytes | None = None
    size: tuple[int, int] | None = None
    place: str = ""


class NotDownloaded(ValueError):
    """An entry is about an image that could not be downloaded. The message says why."""


def plain(name: str) -> str:
    """Return a field's name without case, spaces and numbers: Caption_1 -> caption."""
    return "".join(character for character in name.casefold() if character.isalpha())


def picture_name(name: str) -> str:
    """Return a picture's file name as it is compared: composed, since macOS takes é apart."""
    return unicodedata.normalize("NFC", name.strip())


def names_image(name: str) -> bool:
    """Return whether this is the name of a file, by its suffix, as a sentence has none."""
    return bool(_SUFFIX.search(name[-6:])) and " " not in name[-6:]


def what_is_missing(names: Iterable[str]) -> str | None:
    """Return why entries with fields of these names are no captions of images, or None if they may be."""
    shown = list(names)
    known = {plain(name) for name in shown}
    listed = ", ".join(repr(name[:40]) for name in shown[:8]) + (", …" if len(shown) > 8 else "")
    if known.isdisjoint((*IMAGES, *PATHS, *ADDRESSES)):
        return f"no name of a file (image, file_name) is among {listed or 'its fields'}"
    if known.isdisjoint((*CAPTIONS, *CONVERSATIONS)):
        return f"no captions (caption, captions, text, sentences) are among {listed}"
    return None


def parse_entry(
    fields: Mapping[str, object], line: int | None = None, fallback: str = "", place: str = ""
) -> Entry:
    """Return what an object or row says. Raise ValueError if it has no image or is about something else.

    `fallback` is the image's name if the entry has its picture, but no name.
    """
    if wrong := what_is_missing(fields):
        raise ValueError(wrong)
    by_name: dict[str, list[object]] = {}
    for name, value in fields.items():
        if value is not None and value != "":
            by_name.setdefault(plain(name), []).append(value)
    path, picture = image_of(by_name, fallback)
    name, folder = name_and_folder(picture_name(path))
    if wrong := check_name(name):
        raise ValueError(wrong)
    texts = tuple(_captions(by_name, name)) or (Refused(f"{name} has no caption", "write one"),)
    said = next(iter(by_name.get("split", ())), "")
    split = said if isinstance(said, str) else ""
    return Entry(name, texts, line, folder, split, None, picture, place=place)


def image_of(fields: Mapping[str, list[object]], fallback: str = "") -> tuple[str, bytes | None]:
    """Return the name of the image with its path, and its picture if the entry has it.

    `fields` are the values of the fields by their plain names. Raise ValueError if none of them is a name, or
    if two name different files.
    """
    said, within, picture = [], "", None
    for value in (value for name in IMAGES for value in fields.get(name, ())):
        if isinstance(value, list):
            if len(value) > 1:
                raise ValueError(f"it has {len(value)} images, but a caption is about one")
            value = next(iter(value), None)
        if isinstance(value, Mapping):
            content, at = value.get("bytes"), value.get("path")
            picture = picture or (content if isinstance(content, bytes) else None)
            within = within or _told(at)
        elif isinstance(value, bytes):
            picture = picture or value
        elif name := _told(value):
            said.append(name)
    path = _one_of(said) or within
    folder = next(filter(None, (_told(value) for name in PATHS for value in fields.get(name, ()))), "")
    if path and folder and "/" not in path:
        path = folder if folder.endswith(path) else f"{folder.rstrip('/')}/{path}"
    path = path or folder or _downloaded(fields) or _at_address(fields) or (fallback if picture else "")
    if not path:
        raise ValueError("the name of the image's file is missing, or is not a text")
    return path, picture


def _told(value: object) -> str:
    """Return a value that names a file, or "" if it is no text or says that the name is missing."""
    return value if isinstance(value, str) and value.strip() and not says_missing(value) else ""


def _one_of(names: list[str]) -> str:
    """Return the only name, with the longest path. Names without a suffix do not count beside others."""
    if len(names) < 2:
        return names[0] if names else ""
    files = [name for name in names if names_image(name.strip())] or names
    ends = {name_and_folder(picture_name(name))[0] for name in files}
    if len(ends) > 1:
        first, second = sorted(ends)[:2]
        raise ValueError(
            f"{first[:80]!r} and {second[:80]!r} could both be its image: keep one of these fields"
        )
    return max(files, key=len)


def _downloaded(fields: Mapping[str, list[object]]) -> str:
    """Return the name that img2dataset gave an image, or "". Raise NotDownloaded if there is no such file."""
    key, status, error = (next(iter(fields.get(name, ())), None) for name in DOWNLOADS)
    if not isinstance(key, str) or not isinstance(status, str):
        return ""
    if status != "success":
        raise NotDownloaded(f"{key[:80]}: {str(error or status)[:80]}")
    return f"{key}.jpg"


def _at_address(fields: Mapping[str, list[object]]) -> str:
    given = (_told(value) for name in ADDRESSES for value in fields.get(name, ()))
    address = next(filter(None, given), "")
    parts = urlsplit(address.strip())
    path = unquote(parts.path)
    if address and not names_image(path):
        hint = "add a field with the names of the files, such as file_name"
        raise ValueError(f"the address {address[:80]!r} does not end in the name of a file: {hint}")
    return f"{parts.netloc}/{path.lstrip('/')}" if address else ""


def _captions(fields: Mapping[str, list[object]], image: str) -> Iterator[str | Refused]:
    values = next((fields[name] for name in CAPTIONS if name in fields), [])
    if not values:
        values = [answer_of(value) for name in CONVERSATIONS for value in fields.get(name, ())]
    # Some tables have the captions twice: one a column, and all of them as a list.
    values = next(([value] for value in values if isinstance(value, list)), values)
    for value in values:
        for index, one in enumerate(value if isinstance(value, list) else [value]):
            text = one
            if isinstance(one, Mapping):
                text = next((one[name] for name in _TEXTS if isinstance(one.get(name), str)), None)
            if isinstance(text, str) and not (text := on_one_line(text)):
                continue
            try:
                if not isinstance(text, str):
                    raise ValueError("the caption is missing" if text is one is None else _NO_TEXT)
                yield caption_text(text)
            except ValueError as error:
                which = f"caption {index} of {image}" if isinstance(value, list) else image
                yield Refused(f"{which}: {error}")


def on_one_line(text: str) -> str:
    """Return a text with a space in place of each end of a line, since a caption is one sentence."""
    return " ".join(part for line in text.splitlines() if (part := line.strip()))


def records_of(path: Path, entries: Iterable[Entry | Problem]) -> Iterator[ImageRecord | Problem]:
    """Yield one record for each run of entries about an image. An image that appears again comes in pieces.

    Captions are numbered in the order of the entries, unless these say their numbers. Each caption that is
    refused is a problem, and has a number too: it may be corrected, and imported again.
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
        before = f"{entry.place}: " if entry.place else ""
        self.image = entry.name, entry.folder
        place = self._counts[entry.name] if entry.first is None else entry.first
        if place + len(entry.texts) > MAX_CAPTIONS:
            message = f"{before}{entry.name} has more than {MAX_CAPTIONS} captions"
            yield Problem(str(self.path), entry.line, message, "this row was left out")
            return
        self._first = self._first or entry
        for index, text in enumerate(entry.texts, start=place):
            if isinstance(text, Refused):
                yield Problem(str(self.path), entry.line, f"{before}{text.message}", text.hint)
                continue
            if index in self._captions:
                message = f"{before}caption {index} of {entry.name} is given twice"
                yield Problem(str(self.path), entry.line, message, "the first one was taken")
                continue
            try:
                self._captions[index] = caption_of(index, text, entry.line)
            except ValueError as error:
                message = f"{before}caption {index} of {entry.name}: {error}"
                yield Problem(str(self.path), entry.line, message, LEFT_OUT)
        self._counts[entry.name] = place + len(entry.texts)
        split = entry.split.strip()
        if split and split.casefold() not in SPLITS and split not in self._splits:
            self._splits.add(split)
            message = f"{split[:40]!r} is none of the splits train, val and test"
            yield Problem(str(self.path), entry.line, message, "its images have no split; this is said once")

    def end(self) -> Iterator[ImageRecord]:
        if self._first is not None and self._captions:
            first = self._first
            width, height = first.size or (None, None)
            yield ImageRecord(
                first.name,
                tuple(self._captions.values()),
                width=width,
                height=height,
                split=SPLITS.get(first.split.strip().casefold(), ""),
                folder=first.folder,
                picture=first.picture,
                file=str(self.path),
                line=first.line,
            )
        self.image, self._first, self._captions = ("", ""), None, {}
