"""Opens files of JSON in which numbers are missing: Python writes NaN for them, which is no JSON."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from evaluation.readers.files import opened_file
from evaluation.readers.jsonl import MAX_RECORD

NUMBERS = (b"NaN", b"Infinity")
_CHUNK = 1 << 16
_LONGEST = len(b"-Infinity")
_MARKS = (b",", b":", b"[", b"{", b" ", b"\n")  # what a value may come after
_NUMBER = re.compile(rb"NaN|-?Infinity")
_PIECE = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[^"]++', re.DOTALL)
"""A whole string, or what is between strings."""
_INSIDE = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
"""What a string goes on with, without its closing quotation mark."""


@contextmanager
def opened_json(path: Path) -> Iterator[BinaryIO]:
    """Open a file as `opened_file` does, with null in place of NaN and Infinity outside of strings."""
    with opened_file(path) as file:
        has_numbers = _has_numbers(file)
    with opened_file(path) as file:
        yield cast(BinaryIO, io.BufferedReader(_WithNull(file))) if has_numbers else file


def _has_numbers(file: BinaryIO) -> bool:
    before = b""
    while chunk := file.read(_CHUNK):
        before = before[-_LONGEST:] + chunk
        if any(number in before for number in NUMBERS):
            return True
    return False


class _WithNull(io.RawIOBase):
    """The bytes of JSON with null in place of NaN and Infinity."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._rest = self._ready = b""
        self._in_string = False  # a long string was given in part, and the content goes on within it

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        target = memoryview(buffer).cast("B")
        while not self._ready:
            chunk = self._file.read(_CHUNK)
            self._ready = self._replaced(self._rest + chunk, last=not chunk)
            if not chunk:
                break
        count = min(len(target), len(self._ready))
        target[:count], self._ready = self._ready[:count], self._ready[count:]
        return count

    def _replaced(self, content: bytes, last: bool) -> bytes:
        """Return what is whole of the content, and keep the rest: a string or a number that may go on."""
        done, pieces = 0, []
        if self._in_string and (match := _INSIDE.match(content)):
            done = match.end()
            self._in_string = not content.startswith(b'"', done)
            done += not self._in_string
            pieces.append(content[:done])
        for piece in _PIECE.finditer(content, done):
            if piece.start() != done:
                break  # a string without an end
            text, end = piece.group(), piece.end()
            if not text.startswith(b'"'):
                if end == len(content) and not last:
                    end = max(content.rfind(mark, done, end) for mark in _MARKS) + 1 or done
                    text = content[done:end]
                text = _NUMBER.sub(b"null", text)
            pieces.append(text)
            done = end
        self._rest = content[done:]
        if last or len(self._rest) > MAX_RECORD:
            # The parser says what is wrong with a string that has no end.
            given = len(self._rest)
            if not last and self._rest.startswith(b'"') and (match := _INSIDE.match(self._rest, 1)):
                self._in_string, given = True, match.end()
            pieces.append(self._rest[:given])
            self._rest = self._rest[given:]
        return b"".join(pieces)
