"""Looks at the beginning of a file: which format it has, or what else it looks like."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path

from annotation.domain.records import Problem
from annotation.formats.base import read_lines
from annotation.formats.captions import (
    aligned_text,
    flickr30k_token,
    json_captions,
    parquet_captions,
    spreadsheet,
)
from annotation.formats.captions.entries import CAPTIONS, plain, what_is_missing
from annotation.formats.captions.spreadsheet import PICTURES
from annotation.formats.datasets import coco_grounding, odvg
from evaluation.errors import InputError
from evaluation.readers.files import opened_file
from evaluation.readers.jsonl import MAX_RECORD

WORKBOOKS = frozenset({".xlsx", ".xlsm", ".xls", ".ods", ".numbers"})
SAVE_AS_CSV = "is a workbook: open it, save the sheet as CSV (in Excel: Save as, CSV UTF-8), and upload that"
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
SENTENCES = (
    "has sentences without names of images: give a folder with it and the list of the images, such as "
    "train.en and train_images.txt"
)
_NO_FORM = (
    "names images, but in no form that is known: write image.jpg#0, a tab and the caption on each line, or a "
    "table with the columns image and caption"
)
OTHER_JSON = "has JSON of something else"
_WITH_CAPTIONS = frozenset({"sentences", "captions", "caption"})  # fields that COCO's images do not have
_COCO = frozenset({"info", "images", "annotations", "licenses"})
_OWN_CAPTION = frozenset({"index", "tokens", "mentions"})  # fields of a caption in our own format


@dataclass(frozen=True, slots=True)
class Look:
    """The format of a file, or else what it looks like and what to do ("": like nothing that is known)."""

    format: str | None = None
    says: str = ""


def look_at(path: Path) -> Look:
    """Look at the beginning of a file, plain or gzip."""
    if path.suffix.lower() in WORKBOOKS:
        return Look(None, SAVE_AS_CSV)
    if is_packed(path):
        return Look(None, _ARCHIVE)
    begins = first_bytes(path).lstrip()
    if begins.startswith(parquet_captions.MAGIC):
        try:
            parquet_captions.check_table(path)
        except parquet_captions.TableError as error:
            return Look(None, f"is a Parquet file: {error}")
        return Look("parquet-captions")
    if says := next((says for head, says in _BEGINNINGS if begins[: len(head)].lower() == head.lower()), ""):
        return Look(None, says)
    try:
        look = _look_at_json(path) if begins[:1] in (b"{", b"[") else _look_at_lines(path)
    except OSError:
        return Look()
    return look if look.format is not None or is_text(path) else Look(None, _NO_TEXT)


def _look_at_lines(path: Path) -> Look:
    lines: list[bytes] = []
    for line in read_lines(path, MAX_RECORD):
        if isinstance(line, tuple) and line[1].strip():
            lines.append(line[1])
        elif isinstance(line, Problem) and line.whole and not lines:
            return Look(None, f"cannot be read: {line.message}. Get it again")
        if len(lines) == _LINES:
            break
    if any(map(flickr30k_token.is_line, lines)):
        return Look("flickr30k-token")
    texts = [line.decode("utf-8", "replace").strip() for line in lines]
    if texts and spreadsheet.MARK.fullmatch(texts[0]):
        return Look("spreadsheet")
    shape = spreadsheet.shape_of(texts[0]) if texts else ""
    if isinstance(shape, spreadsheet.Shape):
        return Look("spreadsheet")
    if shape.startswith(spreadsheet.JUDGMENTS):
        return Look(None, f"has no captions: {shape}")
    if aligned_text.is_list_of_images(path):
        return Look(None, _IMAGES_ALONE)
    if any(ending in text.lower() for text in texts for ending in PICTURES):
        return Look(None, _NO_FORM)
    return Look(None, SENTENCES if texts and all(len(text.split()) >= _WORDS for text in texts) else "")


def _look_at_json(path: Path) -> Look:
    if (fields := json_captions.first_line(path)) is not None:
        captions = fields.get("captions")
        if isinstance(captions, list) and "name" in fields and all(map(_is_own, captions)):
            return Look("jsonl")
        if odvg.is_line(fields):
            return Look("odvg")
        wrong = _wrong_entry(fields)
        return Look(None, f"{OTHER_JSON}: {wrong}") if wrong else Look("json-captions")
    if json_captions.is_by_name(path):
        return Look("json-captions")
    keys: list[str] = []
    try:
        for count, one in enumerate(json_captions.listed(path, keys)):
            if one.list == "annotations":
                return Look("coco-captions")
            if one.list == json_captions.IMAGES and coco_grounding.is_image(one.value):
                return Look("coco-grounding")
            if one.list == json_captions.IMAGES and not _has_captions(one.value):
                return Look("coco-captions")
            if one.list in ("", json_captions.IMAGES):
                wrong = _wrong_entry(one.value)
                if wrong:
                    return Look(None, f"{OTHER_JSON}: {wrong}")
                return Look("json-captions")
            if count >= _ENTRIES:
                break
    except json_captions.ERRORS as error:
        return Look(None, f"has JSON that cannot be read: {json_captions.said(error)}. Get the file again")
    if coco_grounding.is_called_so(path.name):
        return Look("coco-grounding")
    if not keys:
        return Look(None, "is an empty list in JSON")
    if _COCO.isdisjoint(keys):
        listed = ", ".join(repr(key[:40]) for key in keys[:8])
        return Look(None, f"{OTHER_JSON}: its fields are {listed}, and none is a list of images")
    return Look("coco-captions")


def _has_captions(entry: object) -> bool:
    return isinstance(entry, dict) and not _WITH_CAPTIONS.isdisjoint(map(plain, entry))


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
    begins = first_bytes(path)
    return begins.startswith(_PACKED) or begins[_TAR_AT:].startswith(_TAR)


def is_text(path: Path) -> bool:
    """Return whether a file begins as UTF-8.

    A character cut in two at the end of the sample does not count.
    """
    begins = first_bytes(path)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(begins)
    except UnicodeDecodeError:
        return False
    return b"\0" not in begins


def first_bytes(path: Path) -> bytes:
    """Return the first bytes of a file, plain or gzip; b"" if it is damaged or cannot be read."""
    try:
        with opened_file(path) as file:
            return file.read(_LOOK)
    except InputError as error:
        return b"\0" if isinstance(error.__cause__, UnicodeError) else b""


def by_suffix(files: list[Path]) -> str | None:
    """Return the format that names alone tell: the reader of spreadsheets says what their first row lacks."""
    sheets = [file for file in files if file.suffix.lower() in spreadsheet.SUFFIXES and is_text(file)]
    return "spreadsheet" if len(sheets) == 1 else None
