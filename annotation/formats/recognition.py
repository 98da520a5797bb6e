"""Recognises a file or folder: its format, where the corpus is in it, and where its pictures are."""

from __future__ import annotations

import codecs
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from annotation.domain.records import Problem
from annotation.formats.base import MAX_DEPTH, is_shown, read_lines
from annotation.formats.captions import (
    aligned_text,
    flickr30k_token,
    json_captions,
    parquet_captions,
    spreadsheet,
)
from annotation.formats.captions.entries import CAPTIONS, SPLITS, plain, what_is_missing
from annotation.formats.captions.spreadsheet import PICTURES
from evaluation.errors import InputError
from evaluation.readers.files import opened_file
from evaluation.readers.jsonl import MAX_RECORD
from evaluation.readers.records import SPLITS as OWN_SPLITS

WORKBOOKS = frozenset({".xlsx", ".xlsm", ".xls", ".ods", ".numbers"})
SAVE_AS_CSV = "is a workbook: open it, save the sheet as CSV (in Excel: Save as, CSV UTF-8), and upload that"
SPLIT_LISTS = tuple(f"{split}.txt" for split in OWN_SPLITS)
Pulse = Callable[[], object]
"""A function that is called for every file or line that is read, since slow storage may take minutes."""
_LOOK = 4096  # unpacked bytes of a file: enough to tell whether it is text
_LINES = 20  # lines that are looked at
_ENTRIES = 100_000  # entries of lists that are looked at: other lists may come before the images
_WORDS = 3  # so many words of a line are a sentence
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
_BEGINNINGS = (
    (
        b"version https://git-lfs",
        "is only a pointer of Git LFS: run git lfs pull, or download the file itself",
    ),
    (b"<!doctype", "is a web page: its download may need a login. Download the file itself"),
    (b"<html", "is a web page: its download may need a login. Download the file itself"),
    (b"<", "is XML: if it is of Flickr30k Entities, give the folder with Sentences and Annotations"),
    (b"ARROW1", "has Arrow data: save the data set with to_parquet, and give that"),
    (b"\xff\xff\xff\xff", "has Arrow data: save the data set with to_parquet, and give that"),
)
"""How files begin that people take for captions, in lower case, and what to do."""
_IMAGES_ALONE = "is a list of images without captions: give it as a split list, beside a file of captions"
_PHOTOGRAPHS_ALONE = (
    "it has photographs and no captions: put the file of captions beside them or, if workers are to write "
    "the captions, name the format photographs"
)
PHOTOGRAPHS = "photographs"
"""The format of photographs without captions. It has to be named, since captions may have been forgotten."""
_FOLDERS = frozenset({"aligned-text", PHOTOGRAPHS})
"""Formats of a whole folder, whatever files are in it."""
_SENTENCES = (
    "has sentences without names of images: give a folder with it and the list of the images, such as "
    "train.en and train_images.txt"
)
_NO_FORM = (
    "names images, but in no form that is known: write image.jpg#0, a tab and the caption on each line, or a "
    "table with the columns image and caption"
)
_OTHER_JSON = "has JSON of something else"
_COCO = frozenset({"info", "images", "annotations", "licenses"})
_OWN_CAPTION = frozenset({"index", "tokens", "mentions"})  # fields of a caption in our own format
_SPLIT = re.compile(rf"(?:(?<=[/_.-])|^)({'|'.join(SPLITS)})(?=[/_.0-9-])", re.IGNORECASE)


class NotRecognised(Exception):
    """A file or folder is not recognised. The message says what is expected."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What to read, as the readers take it.

    `pictures` is the folder with the most pictures, if there is one, and `above` the folder above all of them
    if there are several. `files` are those of a corpus in several files of one format: then `path` is their
    folder, and their names say their splits.
    """

    format: str
    path: Path
    pictures: Path | None = None
    splits: tuple[Path, ...] = ()
    above: Path | None = None
    files: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class _Look:
    """The format of a file, or else what it looks like and what to do ("": like nothing that is known)."""

    format: str | None = None
    says: str = ""


def _look_at(path: Path) -> _Look:
    """Look at the beginning of a file, plain or gzip."""
    if path.suffix.lower() in WORKBOOKS:
        return _Look(None, SAVE_AS_CSV)
    if is_packed(path):
        return _Look(None, _ARCHIVE)
    begins = _look(path).lstrip()
    if begins.startswith(parquet_captions.MAGIC):
        try:
            parquet_captions.check_table(path)
        except parquet_captions.TableError as error:
            return _Look(None, f"is a Parquet file: {error}")
        return _Look("parquet-captions")
    if says := next((says for head, says in _BEGINNINGS if begins[: len(head)].lower() == head.lower()), ""):
        return _Look(None, says)
    try:
        look = _look_at_json(path) if begins[:1] in (b"{", b"[") else _look_at_lines(path)
    except OSError:
        return _Look()
    return look if look.format is not None or _is_text(path) else _Look(None, _NO_TEXT)


def _look_at_lines(path: Path) -> _Look:
    lines: list[bytes] = []
    for line in read_lines(path, MAX_RECORD):
        if isinstance(line, tuple) and line[1].strip():
            lines.append(line[1])
        elif isinstance(line, Problem) and line.whole and not lines:
            return _Look(None, f"cannot be read: {line.message}. Get it again")
        if len(lines) == _LINES:
            break
    if any(map(flickr30k_token.is_line, lines)):
        return _Look("flickr30k-token")
    texts = [line.decode("utf-8", "replace").strip() for line in lines]
    shape = spreadsheet.shape_of(texts[0]) if texts else ""
    if isinstance(shape, spreadsheet.Shape):
        return _Look("spreadsheet")
    if shape.startswith(spreadsheet.JUDGMENTS):
        return _Look(None, f"has no captions: {shape}")
    if aligned_text.is_list_of_images(path):
        return _Look(None, _IMAGES_ALONE)
    if any(ending in text.lower() for text in texts for ending in PICTURES):
        return _Look(None, _NO_FORM)
    return _Look(None, _SENTENCES if texts and all(len(text.split()) >= _WORDS for text in texts) else "")


def _look_at_json(path: Path) -> _Look:
    if (fields := json_captions.first_line(path)) is not None:
        captions = fields.get("captions")
        if isinstance(captions, list) and "name" in fields and all(map(_is_own, captions)):
            return _Look("jsonl")
        wrong = _wrong_entry(fields)
        return _Look(None, f"{_OTHER_JSON}: {wrong}") if wrong else _Look("json-captions")
    keys: list[str] = []
    try:
        for count, one in enumerate(json_captions.listed(path, keys)):
            if one.list == "annotations":
                return _Look("coco-captions")
            if one.list == json_captions.IMAGES and not _has_sentences(one.value):
                return _Look("coco-captions")
            if one.list in ("", json_captions.IMAGES):
                wrong = _wrong_entry(one.value)
                if wrong:
                    return _Look(None, f"{_OTHER_JSON}: {wrong}")
                return _Look("json-captions")
            if count >= _ENTRIES:
                break
    except json_captions.ERRORS as error:
        return _Look(None, f"has JSON that cannot be read: {json_captions.said(error)}. Get the file again")
    if not keys:
        return _Look(None, "is an empty list in JSON")
    if _COCO.isdisjoint(keys):
        listed = ", ".join(repr(key[:40]) for key in keys[:8])
        return _Look(None, f"{_OTHER_JSON}: its fields are {listed}, and none is a list of images")
    return _Look("coco-captions")


def _has_sentences(entry: object) -> bool:
    return isinstance(entry, dict) and "sentences" in map(plain, entry)


def _is_own(caption: object) -> bool:
    return isinstance(caption, dict) and not _OWN_CAPTION.isdisjoint(caption)


def _wrong_entry(entry: object) -> str | None:
    """Return why this is no entry of an image with captions, or None. A single bad value does not count."""
    if not isinstance(entry, dict):
        return "its entries are not objects"
    if wrong := what_is_missing(entry):
        return wrong
    values = [value for name, value in entry.items() if plain(name) in CAPTIONS and value is not None]
    if values and not any(isinstance(value, str | list) for value in values):
        return "its captions are neither texts nor lists"
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
        with opened_file(path) as file:
            return file.read(_LOOK)
    except InputError as error:
        return b"\0" if isinstance(error.__cause__, UnicodeError) else b""


def recognise(path: Path, format: str = "", pulse: Pulse = lambda: None) -> Corpus:
    """Return the corpus in `path`, in the given `format`, or in the one that it looks like.

    In a folder, it is the folder with `Sentences` in it, or else the only file that looks like captions, or
    the files of one format whose names differ in their splits. Raise NotRecognised, which says what the file
    looks like and what to do.
    """
    if not path.exists():
        raise NotRecognised(f"{path.name} cannot be read: there is no such file or folder")
    if not path.is_dir():
        return Corpus(_format(path, format), path)
    root = _Folder(path, pulse)
    pictures = path / root.pictures if root.pictures is not None else None
    above = path / root.above if root.above != root.pictures and root.above is not None else None
    if format == "flickr30k-entities" or (not format and root.sentences):
        if "." in root.sentences:
            root.sentences = ["."]
        if len(root.sentences) != 1:
            count = "no folder" if not root.sentences else f"{len(root.sentences)} folders"
            raise NotRecognised(f"it has {count} called Sentences; there has to be one")
        return Corpus("flickr30k-entities", path / root.sentences[0], pictures, above=above)
    if format in _FOLDERS:
        return Corpus(format, path, pictures, above=above)
    if not format and not root.files and pictures is not None:
        raise NotRecognised(_PHOTOGRAPHS_ALONE)
    if len(root.files) == 1 and not (not format and aligned_text.is_aligned(path)):
        file = path / root.files[0]
        pulse()
        return _with_lists(_format(file, format), file, pictures, above)
    looks = {}
    for name in root.files:
        pulse()
        looks[name] = _look_at(path / name)
    like = {name: look.format for name, look in looks.items() if look.format is not None}
    if not like and not format and aligned_text.is_aligned(path):
        return Corpus("aligned-text", path, pictures, above=above)
    if not like and (found := _by_suffix([path / name for name in root.files])):
        like = {name: found for name in root.files if Path(name).suffix.lower() in spreadsheet.SUFFIXES}
    chosen = sorted(name for name, found in like.items() if format in ("", found))
    if len(chosen) > 1 and _are_parts(chosen, {like[name] for name in chosen}):
        files = tuple(path / name for name in chosen)
        return replace(_with_lists(like[chosen[0]], path / "-", pictures, above), path=path, files=files)
    if len(chosen) != 1:
        wanted = format or "captions"
        said = f"several files look like {wanted} ({', '.join(chosen[:5])})"
        if not chosen:
            said = f"no file in it looks like {wanted}"
            whys = [f"{name} {look.says}" for name, look in looks.items() if look.says]
            # Other texts and settings often lie beside captions.
            whys.sort(key=lambda why: _OTHER_JSON in why or _SENTENCES in why)
            said += f" ({whys[0]})" if whys else ""
        raise NotRecognised(f"{said}; there has to be one, or a folder called Sentences")
    return _with_lists(like[chosen[0]], path / chosen[0], pictures, above)


def _format(path: Path, format: str) -> str:
    """Return the format of a file. Raise NotRecognised if it has none, or clearly another than `format`."""
    look = _look_at(path)
    if look.says:
        found = _by_suffix([path])
        if found is None or format not in ("", found):
            raise NotRecognised(f"{path.name} {look.says}")
        return found
    found = look.format or _by_suffix([path])
    if format and found not in (None, format):
        hint = f"leave the format out, or name {found}"
        raise NotRecognised(f"{path.name} does not look like {format}, but like {found}: {hint}")
    if not format and found is None:
        said = "looks like none of the formats; name the format, or see docs/importing.md"
        raise NotRecognised(f"{path.name} {said if _look(path).strip() else 'is empty'}")
    # If the format was given and nothing speaks against it, its reader says what is wrong.
    return found or format


def split_in(name: str) -> str:
    """Return the split that the path of a file names last, or ""."""
    found = _SPLIT.findall(name)
    return SPLITS[found[-1].lower()] if found else ""


def _are_parts(names: list[str], formats: set[str | None]) -> bool:
    """Return whether these files are parts of one corpus: their names differ in splits and numbers alone."""
    forms = {re.sub("[0-9]+", "0", _SPLIT.sub("*", name)) for name in names}
    if len(forms) != 1 or len(formats) != 1:
        return False
    return all(map(split_in, names)) or formats == {"parquet-captions"}


def _by_suffix(files: list[Path]) -> str | None:
    """Return the format that names alone tell: the reader of spreadsheets says what their first row lacks."""
    sheets = [file for file in files if file.suffix.lower() in spreadsheet.SUFFIXES and _is_text(file)]
    return "spreadsheet" if len(sheets) == 1 else None


def _with_lists(format: str, file: Path, pictures: Path | None, above: Path | None) -> Corpus:
    """Return the corpus of a file of captions, with the split lists beside it."""
    lists = tuple(one for name in SPLIT_LISTS if (one := file.parent / name).is_file())
    return Corpus(format, file, pictures, lists, above)


def pictures_in(folder: Path, pulse: Pulse = lambda: None) -> tuple[Path | None, Path | None]:
    """Return `pictures` and `above` of a corpus whose pictures are in this folder, or in some within it."""
    root = _Folder(folder, pulse)
    if root.pictures is None or root.above is None:
        return None, None
    return folder / root.pictures, folder / root.above


_BESIDE = ("manifest.json", "imported_chains.csv", "provenance.jsonl", "unresolved.jsonl", "pictures.sha256")
"""What an export has beside the data set."""


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
            kept = (name for name in folders if name not in ("Sentences", "Annotations") and is_shown(name))
            folders[:] = [] if deep else sorted(kept)
            for name in files:
                if Path(name).suffix.lower() in PICTURES:
                    counts[within] += 1
                elif is_shown(name) and name not in (*SPLIT_LISTS, *_BESIDE):
                    self.files.append(os.path.normpath(os.path.join(within, name)))
        self.pictures = counts.most_common(1)[0][0] if counts else None
        # The common path of `a` and `b` is empty, and that of `.` and `a`, too.
        self.above = (os.path.commonpath(counts) or ".") if counts else None
