"""Reads caption lists as of Flickr8k and Flickr30k: one `image.jpg#k<TAB>caption` a line, plain or gzip.

Flickr8k and Flickr30k in other languages have `image.jpg#enc#k caption`, with a mark of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.base import MAX_CAPTIONS, check_name, check_text, decode, name_and_folder, read_lines

_LINE = re.compile(rb"[^\t\0]+#[0-9]+\t")
_MARKED = re.compile(r"(?P<name>.+\.(?:jpe?g|png|webp))#(?P<mark>[a-z]+)", re.IGNORECASE)
_SPACED = re.compile(r"(\S+\.(?:jpe?g|png|webp)#[a-z]+#[0-9]+) +(?=\S)", re.IGNORECASE)
"""The label of a marked line, which may end in a space instead of a tab."""


def is_line(line: bytes) -> bool:
    """Return whether this is a line of such a list."""
    return bool(_LINE.match(line) or _SPACED.match(line.decode("utf-8", "replace")))


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield one record for each run of lines about an image. An image that appears again comes in pieces.

    Lines of only white space are skipped.
    """
    name, folder, first, captions = "", "", 0, dict[int, CaptionRecord]()
    marks: list[str] = []
    for line in read_lines(path):
        parsed = line if isinstance(line, Problem) else _parse(path, *line)
        if parsed is None:
            continue
        if isinstance(parsed, Problem):
            yield parsed
            continue
        number, image, mark, caption = parsed
        marks = marks or [mark]
        if mark != marks[0]:
            message = f"a caption of {image} {_said(mark)}, and those before it {_said(marks[0], many=True)}"
            hint = "give one language alone; what came before was read"
            yield Problem(str(path), number, message, hint, whole=True)
            break
        if image != f"{folder}/{name}".lstrip("/"):
            if captions:
                yield _record(path, first, name, folder, captions)
            (name, folder), first, captions = name_and_folder(image), number, {}
        if caption.index in captions:
            message = f"caption #{caption.index} of {name} is given twice"
            yield Problem(str(path), number, message, "the first one was taken")
        else:
            captions[caption.index] = caption
    if captions:
        yield _record(path, first, name, folder, captions)


def _said(mark: str, many: bool = False) -> str:
    if not mark:
        return "have no mark" if many else "has no mark"
    return f"{'are' if many else 'is'} marked #{mark}#"


def _record(path: Path, line: int, name: str, folder: str, captions: dict[int, CaptionRecord]) -> ImageRecord:
    return ImageRecord(name, tuple(captions.values()), folder=folder, file=str(path), line=line)


def _parse(path: Path, number: int, line: bytes) -> tuple[int, str, str, CaptionRecord] | Problem | None:
    """Return the line's number, the image's path, the mark of the language ("": none), and the caption."""
    text = decode(path, number, line)
    if isinstance(text, Problem):
        return text
    if not text.strip():
        return None
    if "\r" in text:
        hint = "save the file with lines that end as on Unix (LF) or Windows (CR LF)"
        return Problem(str(path), number, "the line holds a carriage return (CR) before its end", hint)
    label, tab, said = text.partition("\t")
    if not tab and (spaced := _SPACED.match(text)):
        label, said = spaced[1], text[spaced.end() :]
    elif not tab:
        return Problem(str(path), number, "there is no tab", "expected image.jpg#k<TAB>caption")
    name, hash_sign, index = label.rpartition("#")
    if not hash_sign or not (index.isascii() and index.isdigit()) or int(index[:9]) >= MAX_CAPTIONS:
        message = f"{label[:80]!r} does not end in #k with k below {MAX_CAPTIONS}"
        return Problem(str(path), number, message, "expected image.jpg#k<TAB>caption")
    marked = _MARKED.fullmatch(name)
    name, mark = (marked["name"], marked["mark"]) if marked else (name, "")
    plain, folder = name_and_folder(name)
    if wrong := check_name(plain) or check_text(said):
        return Problem(str(path), number, wrong)
    return number, f"{folder}/{plain}".lstrip("/"), mark, CaptionRecord(int(index), said, line=number)
