"""Reads caption lists as of Flickr8k and Flickr30k: one `image.jpg#k<TAB>caption` a line, plain or gzip.

Flickr8k and Flickr30k in other languages have `image.jpg#enc#k caption`, with a mark of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.base import check_name, check_text, name_and_folder, problem_of, read_lines
from evaluation.errors import InputError, Place
from evaluation.readers.captions import token_line
from evaluation.readers.files import text_of

_LINE = re.compile(rb"[^\t\0]+#[0-9]+\t")
_MARKED = re.compile(r"(?P<name>.+\.(?:jpe?g|png|webp))#(?P<mark>[a-z]+)", re.IGNORECASE)
_SPACED = re.compile(r"^(\S+\.(?:jpe?g|png|webp)#[a-z]+#[0-9]+) +(?=\S)", re.IGNORECASE)
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
    place = Place(str(path), number)
    try:
        text = text_of(line, place)
        if not text.strip():
            return None
        if "\r" in text:
            hint = "save the file with lines that end as on Unix (LF) or Windows (CR LF)"
            error = place.error("", "the line holds a carriage return (CR) before its end")
            return problem_of(error, hint)
        if "\t" not in text:
            text = _SPACED.sub(r"\1\t", text, count=1)
        name, index, said = token_line(text, place)
    except InputError as error:
        return problem_of(error)
    marked = _MARKED.fullmatch(name)
    name, mark = (marked["name"], marked["mark"]) if marked else (name, "")
    plain, folder = name_and_folder(name)
    if wrong := check_name(plain) or check_text(said):
        return problem_of(place.error("", wrong))
    return number, f"{folder}/{plain}".lstrip("/"), mark, CaptionRecord(index, said, line=number)
