"""Interfaces of readers and writers, limits on input, and checks of names and texts, for all formats."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Protocol, Self, TypeVar, cast

from annotation.domain.geometry import Box
from annotation.domain.records import CaptionRecord, ImageRecord, Problem

MAX_LINE = 64 * 1024  # bytes of one line of text
MAX_CAPTION = 10_000  # characters
MAX_CAPTIONS = 1_000  # of one image
MAX_SIDE = 100_000  # pixels
MAX_ID = 2**63 - 1
MAX_DEPTH = 4  # folders within folders; an archive often has one around everything
GZIP_MAGIC = b"\x1f\x8b"
MAX_UNREADABLE = 20
"""If so many entries at the beginning of a file cannot be read, it is not a file of this format."""
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF32 = codecs.BOM_UTF32_LE  # begins like UTF-16
_CHUNK = 1 << 16
_T = TypeVar("_T")
if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


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


def is_shown(name: str) -> bool:
    """Return whether a name is neither hidden nor the folder that macOS adds to archives."""
    return not name.startswith(".") and name != "__MACOSX"


def check_name(name: str) -> str | None:
    """Return what is wrong with an image's file name, or None."""
    if not name or len(name) > 200:
        return "an image name has 1 to 200 characters"
    if "/" in name or "\\" in name or name.startswith(".") or not name.isprintable():
        return f"{name[:80]!r} is not a plain file name"
    return None


def name_and_folder(path: str) -> tuple[str, str]:
    """Return an image's file name, and the folders before it ("" without any), with / between them.

    A path that could lead anywhere else is returned as it is, and `check_name` says that it is no name.
    """
    *folders, name = path.replace("\\", "/").split("/")
    while folders and folders[0] in ("", "."):
        del folders[0]
    if any(folder in ("", ".", "..") or not folder.isprintable() for folder in folders):
        return path, ""
    return name, "/".join(folders)


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
    """Open a file, plain or gzip, to read its bytes without a byte order mark. UTF-16 is read as UTF-8.

    Reading from it may raise the errors of the gzip module, and UnicodeError for damaged UTF-16.
    """
    with path.open("rb") as plain:
        packed = plain.read(2) == GZIP_MAGIC
    with cast(BinaryIO, gzip.open(path)) if packed else path.open("rb") as file:
        mark = file.read(4)
        file.seek(0)
        if mark.startswith(_UTF16) and not mark.startswith(_UTF32):
            yield cast(BinaryIO, io.BufferedReader(_FromUtf16(file)))
            return
        file.seek(len(codecs.BOM_UTF8) if mark.startswith(codecs.BOM_UTF8) else 0)
        yield file


class _FromUtf16(io.RawIOBase):
    """The text of a file of UTF-16 that begins with a byte order mark, as bytes of UTF-8."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-16")()
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        target = memoryview(buffer).cast("B")
        while not self._ready:
            chunk = self._file.read(_CHUNK)
            try:
                self._ready = self._decoder.decode(chunk, final=not chunk).encode()
            except UnicodeError as error:
                raise UnicodeError("it begins as UTF-16, but is damaged or something else") from error
            if not chunk:
                break
        count = min(len(target), len(self._ready))
        target[:count], self._ready = self._ready[:count], self._ready[count:]
        return count


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
    except UnicodeError as error:
        yield Problem(str(path), None, str(error), "what came before it was read", whole=True)
    except OSError as error:
        yield Problem(str(path), None, f"cannot be read: {error.strerror or error}", whole=True)


def one_error(entries: Iterable[_T | Problem]) -> Iterator[_T | Problem]:
    """Yield the entries of a file. If none can be read from the beginning on, yield one problem, and end.

    Such a file is not what its reader takes it for, and would give as many errors as it has lines.
    """
    held: list[Problem] | None = []
    for entry in entries:
        if held is None:
            yield entry
        elif not isinstance(entry, Problem):
            yield from held
            held = None
            yield entry
        else:
            held.append(entry)
            if len(held) == MAX_UNREADABLE:
                yield _not_this_format(held)
                return
    if held and len(held) > 1:
        yield _not_this_format(held)
    elif held:
        yield from held


def _not_this_format(problems: list[Problem]) -> Problem:
    """Return one problem for all of them: what is wrong with the whole file, or else with its first entry."""
    first = next((problem for problem in problems if problem.whole), problems[0])
    message = (
        first.message
        if first.whole
        else f"none of its first {len(problems)} entries can be read: {first.message}"
    )
    return Problem(first.file, first.line, message, first.hint, whole=True)


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
