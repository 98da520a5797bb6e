"""Reads Flickr30k's caption list: one `image.jpg#k<TAB>caption` a line, plain or gzip, in UTF-8."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.base import MAX_CAPTIONS, check_name, check_text, decode, read_lines


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield one record for each run of lines about an image. An image that appears again comes in pieces.

    Lines of only white space are skipped.
    """
    name, first, captions = "", 0, dict[int, CaptionRecord]()
    for line in read_lines(path):
        parsed = line if isinstance(line, Problem) else _parse(path, *line)
        if parsed is None:
            continue
        if isinstance(parsed, Problem):
            yield parsed
            continue
        number, image, caption = parsed
        if image != name:
            if captions:
                yield ImageRecord(name, tuple(captions.values()), file=str(path), line=first)
            name, first, captions = image, number, {}
        if caption.index in captions:
            message = f"caption #{caption.index} of {name} is given twice"
            yield Problem(str(path), number, message, "the first one was taken")
        else:
            captions[caption.index] = caption
    if captions:
        yield ImageRecord(name, tuple(captions.values()), file=str(path), line=first)


def _parse(path: Path, number: int, line: bytes) -> tuple[int, str, CaptionRecord] | Problem | None:
    text = decode(path, number, line)
    if isinstance(text, Problem):
        return text
    if not text.strip():
        return None
    if "\r" in text:
        hint = "save the file with lines that end as on Unix (LF) or Windows (CR LF)"
        return Problem(str(path), number, "the line holds a carriage return (CR) before its end", hint)
    label, tab, said = text.partition("\t")
    if not tab:
        return Problem(str(path), number, "there is no tab", "expected image.jpg#k<TAB>caption")
    name, hash_sign, index = label.rpartition("#")
    if not hash_sign or not (index.isascii() and index.isdigit()) or int(index[:9]) >= MAX_CAPTIONS:
        message = f"{label[:80]!r} does not end in #k with k below {MAX_CAPTIONS}"
        return Problem(str(path), number, message, "expected image.jpg#k<TAB>caption")
    if wrong := check_name(name) or check_text(said):
        return Problem(str(path), number, wrong)
    return number, name, CaptionRecord(int(index), said, line=number)
