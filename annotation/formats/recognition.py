"""Recognises a file or folder: its format, where the corpus is in it, and where its pictures are."""

from __future__ import annotations

import codecs
import gzip
import os
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import orjson

from annotation.domain.records import ImageRecord
from annotation.formats import spreadsheet
from annotation.formats.base import GZIP_MAGIC, read_lines
from annotation.formats.spreadsheet import PICTURES

WORKBOOKS = frozenset({".xlsx", ".xlsm", ".xls", ".ods", ".numbers"})
SAVE_AS_CSV = "is a workbook: open it, save the sheet as CSV (in Excel: Save as, CSV UTF-8), and upload that"
SPLIT_LISTS = ("train.txt", "val.txt", "test.txt")
MAX_DEPTH = 4  # folders within folders; an archive often has one around everything
_FIRST = 1 << 22  # bytes of a first line: as long as those of jsonl
Pulse = Callable[[], object]
"""A function that is called for every file or line that is read, since slow storage may take minutes."""
_T = TypeVar("_T")
_TOKEN = re.compile(rb"[^\t\0]+#[0-9]+\t")
_LOOK = 4096  # unpacked bytes of a file: enough to tell whether it is text
_PACKED = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"BZh91AY&SY",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
)
"""The first bytes of archives and packed files: ZIP, an empty ZIP, 7z, RAR, bzip2, xz, Zstandard."""
_TAR, _TAR_AT = b"ustar", 257
_ARCHIVE = "is an archive or packed in another way than gzip: unpack it, or upload a ZIP archive"
_NO_TEXT = "is not UTF-8 text: if it is text, save it as UTF-8"


class NotRecognised(Exception):
    """A file or folder is not recognised. The message says what is expected."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What to read, as the readers take it.

    `pictures` is the folder with the most pictures, if there is one.
    """

    format: str
    path: Path
    pictures: Path | None = None
    splits: tuple[Path, ...] = ()


def format_of(path: Path) -> str | None:
    """Return the format of a file, plain or gzip, by its first line that is not empty, or None."""
    if is_packed(path):
        return None
    try:
        for line in read_lines(path, _FIRST):
            text = line[1].strip() if isinstance(line, tuple) else _beginning(path)
            if text:
                return _format_of_line(text)
    except OSError:
        return None
    return None


def is_packed(path: Path) -> bool:
    """Return whether a file is an archive, or packed by something other than gzip.

    Unreadable files are not.
    """
    begins = _look(path)
    return begins.startswith(_PACKED) or begins[_TAR_AT:].startswith(_TAR)


def _is_text(path: Path) -> bool:
    """Return whether a file begins as UTF-8.

    A character cut in two at the end of the sample does not count.
    """
    begins = _look(path)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(begins)
    except UnicodeDecodeError:
        return False
    return b"\0" not in begins


def _look(path: Path) -> bytes:
    """Return the first bytes of a file, plain or gzip; b"" if it is damaged or cannot be read."""
    try:
        with path.open("rb") as plain:
            begins = plain.read(_LOOK)
        if begins.startswith(GZIP_MAGIC):
            with gzip.open(path) as packed:
                return packed.read(_LOOK)
    except (EOFError, OSError, zlib.error):
        return b""
    return begins


def _why_none(path: Path) -> str | None:
    """Return why no format can be read from this file, or None if one might be."""
    if path.suffix.lower() in WORKBOOKS:
        return f"{path.name} {SAVE_AS_CSV}"
    if is_packed(path):
        return f"{path.name} {_ARCHIVE}"
    return None if _is_text(path) else f"{path.name} {_NO_TEXT}"


def _beginning(path: Path) -> bytes:
    """Return the first bytes of a file whose first line is very long: it may be JSON on a single line."""
    with path.open("rb") as file:
        return file.read(16).lstrip()


def _format_of_line(text: bytes) -> str | None:
    if text.startswith(b"{"):
        try:
            found = orjson.loads(text)
        except orjson.JSONDecodeError:
            return "coco-captions"
        return "jsonl" if {"images", "annotations"}.isdisjoint(found) else "coco-captions"
    if _TOKEN.match(text):
        return "flickr30k-token"
    known = isinstance(spreadsheet.shape_of(text.decode("utf-8", "replace")), spreadsheet.Shape)
    return "spreadsheet" if known else None


def recognise(path: Path, format: str = "", pulse: Pulse = lambda: None) -> Corpus:
    """Return the corpus in `path`, in the given `format`, or in the one that it looks like.

    In a folder, it is the folder with `Sentences` in it, or else the only file that looks like captions.
    Raise NotRecognised if there is none, or more than one.
    """
    if path.is_file():
        if is_packed(path):
            raise NotRecognised(_why_none(path))
        found = format or format_of(path) or _by_suffix([path])
        if found is None:
            raise NotRecognised(
                _why_none(path)
                or f"{path.name} looks like none of the formats; name the format, or see docs/importing.md"
            )
        return Corpus(found, path)
    root = _Folder(path, pulse)
    pictures = path / root.pictures if root.pictures is not None else None
    if format == "flickr30k-entities" or (not format and root.sentences):
        if len(root.sentences) != 1:
            count = "no folder" if not root.sentences else f"{len(root.sentences)} folders"
            raise NotRecognised(f"it has {count} called Sentences; there has to be one")
        return Corpus("flickr30k-entities", path / root.sentences[0], pictures)
    if format and len(root.files) == 1 and not is_packed(path / root.files[0]):
        # The format was given, so problems are reported line by line, whatever the file looks like.
        return _with_lists(format, path / root.files[0], pictures)
    like = {}
    for name in root.files:
        pulse()
        if (looks := format_of(path / name)) is not None:
            like[name] = looks
    if not like and (found := _by_suffix([path / name for name in root.files])):
        like = {name: found for name in root.files if Path(name).suffix.lower() in spreadsheet.SUFFIXES}
    chosen = [name for name, found in like.items() if format in ("", found)]
    if len(chosen) != 1:
        wanted = format or "captions"
        listed = ", ".join(sorted(chosen)[:5])
        said = f"several files look like {wanted} ({listed})"
        if not chosen:
            said = f"no file in it looks like {wanted}"
            why = next(filter(None, (_why_none(path / name) for name in _heard(root.files, pulse))), None)
            if why is not None and len(root.files) == 1:
                raise NotRecognised(why)
            said += f" ({why})" if why is not None else ""
        raise NotRecognised(f"{said}; there has to be one, or a folder called Sentences")
    return _with_lists(like[chosen[0]], path / chosen[0], pictures)


def _by_suffix(files: list[Path]) -> str | None:
    """Return the format that names alone tell: the reader of spreadsheets says what their first row lacks."""
    sheets = [file for file in files if file.suffix.lower() in spreadsheet.SUFFIXES and _is_text(file)]
    return "spreadsheet" if len(sheets) == 1 else None


def _with_lists(format: str, file: Path, pictures: Path | None) -> Corpus:
    """Return the corpus of a file of captions, with the split lists beside it."""
    lists = tuple(one for name in SPLIT_LISTS if (one := file.parent / name).is_file())
    return Corpus(format, file, pictures, lists)


def pictures_in(folder: Path, pulse: Pulse = lambda: None) -> Path | None:
    """Return the folder with the most pictures, `folder` or one within it, or None."""
    within = _Folder(folder, pulse).pictures
    return folder / within if within is not None else None


class _Folder:
    """The content of a folder, as paths within it: files that may have captions, folders with `Sentences`."""

    def __init__(self, root: Path, pulse: Pulse) -> None:
        self.files: list[str] = []
        self.sentences: list[str] = []
        counts: Counter[str] = Counter()
        for folder, folders, files in os.walk(root):
            pulse()
            within = os.path.relpath(folder, root)
            if "Sentences" in folders:
                self.sentences.append(within)
            deep = within != "." and within.count(os.sep) + 1 >= MAX_DEPTH
            kept = (name for name in folders if name not in ("Sentences", "Annotations") and _is_shown(name))
            folders[:] = [] if deep else sorted(kept)
            for name in files:
                if Path(name).suffix.lower() in PICTURES:
                    counts[within] += 1
                elif _is_shown(name) and name not in (*SPLIT_LISTS, "manifest.json", "provenance.jsonl"):
                    self.files.append(os.path.normpath(os.path.join(within, name)))
        self.pictures = counts.most_common(1)[0][0] if counts else None


def _is_shown(name: str) -> bool:
    """Return whether a name is neither hidden nor the folder that macOS adds to archives."""
    return not name.startswith(".") and name != "__MACOSX"


def count_images(corpus: Corpus, pulse: Pulse = lambda: None) -> int | None:
    """Return about how many images a corpus has, or None if it would have to be read twice to count them."""
    if corpus.format == "flickr30k-entities":
        with os.scandir(corpus.path / "Sentences") as entries:
            return sum(entry.name.endswith(".txt") for entry in _heard(entries, pulse))
    if corpus.format == "jsonl":
        return sum(1 for _ in _heard(read_lines(corpus.path, _FIRST), pulse))
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
