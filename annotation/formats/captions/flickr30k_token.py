"""Reads caption lists as of Flickr8k and Flickr30k: one `image.jpg#k<TAB>caption` a line, plain or gzip.

Flickr8k and Flickr30k in other languages have `image.jpg#enc#k caption`, with a mark of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from annotation.domain.records import ImageRecord, Problem
from annotation.formats.base import caption_text, check_name, name_and_folder, problem_of, read_texts
from annotation.formats.captions.entries import Entry, records_of
from evaluation.errors import InputError, Place
from evaluation.readers.captions import token_line

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
    yield from records_of(path, _entries(path))


def _entries(path: Path) -> Iterator[Entry | Problem]:
    marks: list[str] = []
    for line in read_texts(path):
        parsed = line if isinstance(line, Problem) else _parse(Place(str(path), line[0]), line[1])
        if isinstance(parsed, Problem):
            yield parsed
        elif parsed is not None:
            mark, entry = parsed
            marks = marks or [mark]
            if mark != marks[0]:
                message = (
                    f"a caption of {'/'.join(filter(None, (entry.folder, entry.name)))} {_said(mark)}, "
                    f"and those before it {_said(marks[0], many=True)}"
                )
                hint = "give one language alone; what came before was read"
                yield Problem(str(path), entry.line, message, hint, whole=True)
                return
            yield entry


def _said(mark: str, many: bool = False) -> str:
    if not mark:
        return "have no mark" if many else "has no mark"
    return f"{'are' if many else 'is'} marked #{mark}#"


def _parse(place: Place, text: str) -> tuple[str, Entry] | Problem | None:
    """Return the mark of the language ("": none) and what a line says; None for an empty one."""
    if not text.strip():
        return None
    if "\r" in text:
        hint = "save the file with lines that end as on Unix (LF) or Windows (CR LF)"
        return problem_of(place.error("", "the line holds a carriage return (CR) before its end"), hint)
    if "\t" not in text:
        text = _SPACED.sub(r"\1\t", text, count=1)
    try:
        path, index, said = token_line(text, place)
        marked = _MARKED.fullmatch(path)
        path, mark = (marked["name"], marked["mark"]) if marked else (path, "")
        name, folder = name_and_folder(path)
        if wrong := check_name(name):
            raise place.error("", wrong)
    except InputError as error:
        return problem_of(error)
    try:
        said = caption_text(said)
    except ValueError as error:
        return problem_of(place.error("", str(error)))
    return mark, Entry(name, (said,), place.line, folder, first=index)
