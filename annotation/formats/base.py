"""Interfaces of readers and writers, limits on input, and checks of names and texts, for all formats."""

from __future__ import annotations

import codecs
import gzip
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol, Self, cast

from annotation.domain.geometry import Box
from annotation.domain.records import CaptionRecord, ImageRecord, Problem

MAX_LINE = 64 * 1024  # bytes of one line of text
MAX_CAPTION = 10_000  # characters
MAX_CAPTIONS = 1_000  # of one image
MAX_SIDE = 100_000  # pixels
MAX_ID = 2**63 - 1
GZIP_MAGIC = b"\x1f\x8b"


class Reader(Protocol):
    """Reads the images of a file or folder one by one. Bad input comes as a Problem, and reading goes on."""

    def __call__(self, path: Path) -> Iterator[ImageRecord | Problem]: ...


class Writer(ABC):
    """Writes images one by one into the folder `out`, which exists and is empty.

    The same records in the same order give the same bytes. The caller makes the folder visible only after
    `close`. If the context is left by an exception, the files are closed but not finished.
    """

    def __init__(self, out: Path) -> None:
        self.out = out

    @abstractmethod
    def add(self, record: ImageRecord) -> None:
        """Write one image. Raises ValueError when the format cannot hold it."""

    @abstractmethod
    def close(self) -> None:
        """Finish all files."""

    @abstractmethod
    def discard(self) -> None:
        """Close all open files without finishing them."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()


def check_name(name: str) -> str | None:
    """Return what is wrong with an image's file name, or None."""
    if not name or len(name) > 200:
        return "an image name has 1 to 200 characters"
    if "/" in name or "\\" in name or name.startswith(".") or not name.isprintable():
        return f"{name[:80]!r} is not a plain file name"
    return None


def check_text(text: str) -> str | None:
    """Return what is wrong with a caption's text, or None."""
    if not text.strip():
        return "the caption is empty"
    if len(text) > MAX_CAPTION:
        return f"the caption has more than {MAX_CAPTION} characters"
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        return "the caption has a character that no database can store (NUL or half of a surrogate pair)"
    return None


def fit_box(edges: tuple[int, int, int, int], width: int | None, height: int | None) -> Box:
    """Return the part of a rectangle of pixel edges that is inside the image. Raise ValueError if none is."""
    left, top = max(edges[0], 0), max(edges[1], 0)
    right, bottom = min(edges[2], width or MAX_SIDE), min(edges[3], height or MAX_SIDE)
    if left >= right or top >= bottom:
        raise ValueError(f"box {edges} is empty or outside the image")
    return Box(left, top, right, bottom)


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file, plain or gzip, to read its bytes without a byte order mark.

    Reading from it may raise the errors of the gzip module.
    """
    with path.open("rb") as plain:
        packed = plain.read(2) == GZIP_MAGIC
    with cast(BinaryIO, gzip.open(path)) if packed else path.open("rb") as file:
        if file.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
            file.seek(0)
        yield file


def read_lines(path: Path, limit: int = MAX_LINE) -> Iterator[tuple[int, bytes] | Problem]:
    """Yield the lines of a file, plain or gzip, numbered from 1, without their ends.

    A line of more than `limit` bytes comes as a Problem.
    """
    try:
        with opened(path) as file:
            yield from _lines(path, file, limit)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        message = f"the gzip file is damaged: {error}"
        yield Problem(str(path), None, message, "what came before it was read", whole=True)
    except OSError as error:
        yield Problem(str(path), None, f"cannot be read: {error.strerror or error}", whole=True)


def _lines(path: Path, file: BinaryIO, limit: int) -> Iterator[tuple[int, bytes] | Problem]:
    number = 0
    while line := file.readline(limit + 2):
        number += 1
        if len(line.rstrip(b"\r\n")) > limit:
            yield Problem(str(path), number, f"the line is longer than {limit} bytes", "it was left out")
            while line and not line.endswith(b"\n"):
                line = file.readline(limit)
        else:
            yield number, line.rstrip(b"\r\n")


def decode(path: Path, number: int, line: bytes) -> str | Problem:
    """Return the text of a line of UTF-8, or a Problem if it is not UTF-8."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"byte {error.start + 1} of the line is not UTF-8"
        return Problem(str(path), number, message, "convert the file, e.g. with iconv -t utf-8")


def token_list(caption: CaptionRecord) -> tuple[str, ...]:
    """Return the tokens of a caption that is written. Raise ValueError when it was never tokenised."""
    if not caption.tokens:
        raise ValueError(f"caption {caption.index} has no tokens")
    return caption.tokens
