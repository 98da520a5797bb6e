"""Files of a folder, or of the same folder in a ZIP archive, with limits on all of them."""

from __future__ import annotations

import codecs
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from evaluation.errors import InputError, Place, load_json, sound

MAX_FILES = 500_000
"""The most files of a data set: Flickr30k Entities has 63,566."""
_FOLDERS = frozenset({"Sentences", "Annotations", "about"})
"""The folders of a data set whose files are listed. `about` describes an export."""
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError)
"""What Python raises for a damaged archive, or one that it cannot unpack, beside OSError."""
_GZIP = b"\x1f\x8b"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF32 = codecs.BOM_UTF32_LE  # begins like UTF-16
_CHUNK = 1 << 16


class Files:
    """The files of a data set by their names, such as `Sentences/1.txt`.

    A folder around everything, as archives often have one, is left away.
    """

    def __init__(self, path: Path) -> None:
        """List the files. Raise InputError if there is no such folder or archive, or if it is damaged."""
        self.path = path
        self._archive: zipfile.ZipFile | None = None
        self._inside = ""
        if path.is_dir():
            self.names = frozenset(_listed(path))
        elif path.is_file():
            try:
                self._archive = zipfile.ZipFile(path)
            except (*DAMAGED, OSError) as error:
                raise InputError(f"{path} is neither a folder nor a ZIP archive: {error}") from error
            names = [name for name in self._archive.namelist() if not name.endswith("/")]
            _check_count(len(names), path)
            self._inside = _common_folder(names)
            self.names = frozenset(name.removeprefix(self._inside) for name in names)
        else:
            raise InputError(f"{path}: there is no such file or folder")

    def within(self, folder: str, suffix: str) -> list[str]:
        """Return the names of files directly in a folder, in order, without folder and suffix."""
        start = f"{folder}/"
        return sorted(
            name[len(start) : -len(suffix)]
            for name in self.names
            if name.startswith(start) and name.endswith(suffix) and "/" not in name[len(start) :]
        )

    def read(self, name: str, most: int) -> bytes:
        """Return a file's content. Raise InputError if it has more than `most` bytes."""
        with self.opened(name) as file:
            content = file.read(most + 1)
        if len(content) > most:
            raise self.place(name).error("", f"has more than {most:,} bytes")
        return content

    @contextmanager
    def opened(self, name: str) -> Iterator[IO[bytes]]:
        """Open a file to read its bytes. Raise InputError where it cannot be read."""
        try:
            if self._archive:
                with self._archive.open(self._inside + name) as packed:
                    yield packed
            else:
                with (self.path / name).open("rb") as file:
                    yield file
        except (*DAMAGED, OSError, KeyError) as error:
            raise self.place(name).error("", f"cannot be read: {error}") from error

    def place(self, name: str, at: int | str | None = None) -> Place:
        """Return where something is, for an error."""
        return Place(str(self.path / name), at)


@contextmanager
def opened_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file, plain or gzip, to read its bytes without a byte order mark. UTF-16 is read as UTF-8.

    Raise InputError where it cannot be read.
    """
    place = Place(str(path))
    try:
        with path.open("rb") as plain:
            packed = plain.read(2) == _GZIP
        with cast(BinaryIO, gzip.open(path)) if packed else path.open("rb") as file:
            mark = file.read(4)
            file.seek(0)
            if mark.startswith(_UTF16) and not mark.startswith(_UTF32):
                yield cast(BinaryIO, io.BufferedReader(_FromUtf16(file)))
                return
            file.seek(len(codecs.BOM_UTF8) if mark.startswith(codecs.BOM_UTF8) else 0)
            yield file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise place.error("", f"the gzip file is damaged: {error}") from error
    except _Utf16Error as error:
        raise place.error("", str(error)) from error
    except OSError as error:
        raise place.error("", f"cannot be read: {error.strerror or error}") from error


class _Utf16Error(UnicodeError):
    """A file that begins as UTF-16 is damaged or something else."""


class _FromUtf16(io.RawIOBase):
    """The text of a file of UTF-16 that begins with a byte order mark, as bytes of UTF-8."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-16")()
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        target = memoryview(buffer).cast("B")
        while not self._ready:
            chunk = self._file.read(_CHUNK)
            try:
                self._ready = self._decoder.decode(chunk, final=not chunk).encode()
            except UnicodeError as error:
                raise _Utf16Error("it begins as UTF-16, but is damaged or something else") from error
            if not chunk:
                break
        count = min(len(target), len(self._ready))
        target[:count], self._ready = self._ready[:count], self._ready[count:]
        return count


def each_line(path: Path, most: int) -> Iterator[tuple[int, bytes] | InputError]:
    """Yield the lines of a file as `lines_of` does. What keeps it from being read to its end comes last."""
    try:
        with opened_file(path) as file:
            yield from lines_of(file, most, Place(str(path)))
    except InputError as error:
        yield error


def lines_of(file: IO[bytes], most: int, place: Place) -> Iterator[tuple[int, bytes] | InputError]:
    """Yield the lines of an open file, numbered from 1, without their ends.

    A line of more than `most` bytes comes as an error.
    """
    number = 0
    while line := file.readline(most + 2):
        number += 1
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        if len(line.rstrip(b"\r\n")) > most:
            yield Place(place.file, number).error("", f"the line is longer than {most:,} bytes")
            while line and not line.endswith(b"\n"):
                line = file.readline(most)
        else:
            yield number, line.rstrip(b"\r\n")


def read_lines(path: Path, most: int) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file that are not empty, without white space around them.

    Raise InputError if it cannot be read, or if a line has more than `most` bytes.
    """
    return filled(each_line(path, most))


def filled(lines: Iterable[tuple[int, bytes] | InputError]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not empty, without white space around them. Raise the first error."""
    for number, line in sound(lines):
        if stripped := line.strip():
            yield number, stripped


def json_lines(path: Path, most: int) -> Iterator[tuple[object, Place]]:
    """Yield the JSON value of each line that is not empty. Raise InputError as `read_lines` does."""
    for line, content in read_lines(path, most):
        place = Place(str(path), line)
        yield load_json(content, place), place


def text_of(line: bytes, place: Place) -> str:
    """Return the text of a line of UTF-8, or raise InputError."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        message = (
            f"byte {error.start + 1} of the line is not UTF-8: convert the file, e.g. with iconv -t utf-8"
        )
        raise place.error("", message) from error


def _listed(path: Path) -> Iterator[str]:
    count = 0
    for entry in path.iterdir():
        if entry.is_dir() and entry.name in _FOLDERS:
            for inner in entry.iterdir():
                count += 1
                yield f"{entry.name}/{inner.name}"
        elif entry.is_file():
            count += 1
            yield entry.name
        _check_count(count, path)


def _check_count(count: int, path: Path) -> None:
    if count > MAX_FILES:
        raise InputError(f"{path} has more than {MAX_FILES:,} files")


def _common_folder(names: list[str]) -> str:
    first, _, rest = names[0].partition("/") if names else ("", "", "")
    if rest and first not in _FOLDERS and all(name.startswith(f"{first}/") for name in names):
        return f"{first}/"
    return ""
