"""Files of a folder, or of the same folder in a ZIP archive, with limits on all of them."""

from __future__ import annotations

import gzip
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from evaluation.errors import InputError, Place

MAX_FILES = 500_000
"""The most files of a data set: Flickr30k Entities has 63,566."""
_FOLDERS = frozenset({"Sentences", "Annotations", "about"})
"""The folders of a data set whose files are listed. `about` describes an export."""
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError)
"""What Python raises for a damaged archive, or one that it cannot unpack, beside OSError."""


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


def read_lines(path: Path, most: int) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file, plain or gzip, with their numbers from 1; empty ones are left out.

    Raise InputError if it cannot be read, or if a line has more than `most` bytes.
    """
    with opened_file(path) as file:
        yield from lines_of(file, most, Place(str(path)))


@contextmanager
def opened_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file, plain or gzip, to read its bytes. Raise InputError where it cannot be read."""
    try:
        with path.open("rb") as plain:
            packed = plain.read(2) == b"\x1f\x8b"
        with cast(IO[bytes], gzip.open(path)) if packed else path.open("rb") as file:
            yield file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: the gzip file is damaged: {error}") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error


def lines_of(file: IO[bytes], most: int, place: Place) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of an open file as `read_lines` does."""
    number = 0
    while line := file.readline(most + 2):
        number += 1
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if len(line.rstrip(b"\r\n")) > most:
            raise Place(place.file, number).error("", f"is longer than {most:,} bytes")
        if stripped := line.strip():
            yield number, stripped


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
