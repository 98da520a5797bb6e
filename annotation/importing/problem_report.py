"""Problems with the input: they are printed for people and kept in a file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import orjson

from annotation.domain.records import Problem
from annotation.file_sync import sync

PRINTED = 50  # problems of each kind; the rest are only counted


class ReportError(Exception):
    """The file for the problems cannot be made. The message says what to do."""


class Problems:
    """Prints the first problems, writes all of them to `file`, and counts them.

    Problems with a whole file are counted apart, so that they are still printed after many others: that a
    file ends too early is noticed last.
    """

    def __init__(self, write: Callable[[str], object], file: IO[bytes] | None) -> None:
        self.count = 0
        self._write = write
        self._file = file
        self._seen: Counter[bool] = Counter()
        self._all_printed = True

    def add(self, problem: Problem) -> None:
        self.count += 1
        self._seen[problem.whole] += 1
        if self._seen[problem.whole] <= PRINTED:
            self._write(str(problem))
        elif self._all_printed:
            self._all_printed = False
            self._write("there are more problems; --report FILE writes all of them")
        if self._file:
            line = {key: getattr(problem, key) for key in ("file", "line", "message", "hint")}
            self._file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))


@contextmanager
def report_file(path: Path, inputs: Iterable[Path]) -> Iterator[IO[bytes]]:
    """Open a new file that gets its name when the block ends without an exception, and is deleted otherwise.

    It never replaces a file. Raise ReportError, with a message of its own if `path` is one of the `inputs`.
    """
    _check(path, inputs)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        file = partial.open("xb")
    except OSError as error:
        raise ReportError(f"{path}: {error.strerror or error}") from error
    try:
        with file:
            yield file
        sync(partial)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    try:
        _name(partial, path)
        sync(path.parent)
    except OSError as error:
        raise ReportError(f"{path}: {error.strerror or error}; the problems are in {partial}") from error


def _name(partial: Path, path: Path) -> None:
    """Give the file its name. Unlike a rename, a link fails if a file of that name has appeared meanwhile.

    Some file systems have no links; there the file is renamed.
    """
    try:
        os.link(partial, path)
    except FileExistsError:
        raise
    except OSError:
        partial.rename(path)
    else:
        partial.unlink()


def _check(path: Path, inputs: Iterable[Path]) -> None:
    if not os.path.lexists(path):
        return
    for given in inputs:
        if path.exists() and given.exists() and path.samefile(given):
            raise ReportError(f"{path} is an input of this import; name a new file")
    raise ReportError(f"{path} exists already; name a new file, or delete it first")
