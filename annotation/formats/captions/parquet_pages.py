"""The sizes of the pages of a Parquet file, read without unpacking them.

pyarrow gives each page as much memory as the page's header asks for, without a limit, and what the file's
footer says of sizes need not be true. So the headers are looked at first. They are structs in Thrift's
compact protocol (https://github.com/apache/parquet-format, https://github.com/apache/thrift/tree/master/doc).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

_MAX_HEADER = 1 << 20  # bytes
_UNPACKED, _PACKED = 2, 3  # fields of a page's header
_MAX_DEPTH = 8
_BOOLEANS, _BYTE, _DOUBLE, _BINARY, _LISTS, _MAP, _STRUCT = (1, 2), 3, 7, 8, (9, 10), 11, 12
_INTEGERS = (4, 5, 6)


class PageError(Exception):
    """The header of a page is damaged."""


def page_sizes(file: BinaryIO, start: int, length: int) -> Iterator[tuple[int, int]]:
    """Yield (unpacked, packed) bytes of each page of a column from `start` on. Raise PageError."""
    end = start + length
    while start < end:
        file.seek(start)
        header = _Header(file.read(min(_MAX_HEADER, end - start)))
        fields = header.struct()
        unpacked, packed = fields.get(_UNPACKED, -1), fields.get(_PACKED, -1)
        if unpacked < 0 or packed < 0:
            raise PageError
        yield unpacked, packed
        start += header.at + packed
    if start != end:
        raise PageError


class _Header:
    """The bytes from the beginning of a header on."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.at = 0

    def struct(self, depth: int = 0) -> dict[int, int]:
        """Read a struct, and return its fields that are whole numbers."""
        if depth > _MAX_DEPTH:
            raise PageError
        fields: dict[int, int] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._number()
            kind = head & 15
            if kind in _INTEGERS:
                fields[number] = self._number()
            elif kind not in _BOOLEANS:  # whose value is their kind
                self._skip(kind, depth + 1)
        return fields

    def _skip(self, kind: int, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise PageError
        if kind in (_BYTE, *_BOOLEANS):
            self._byte()
        elif kind in _INTEGERS:
            self._number()
        elif kind in (_DOUBLE, _BINARY):
            length = 8 if kind == _DOUBLE else self._varint()
            self.at += length
        elif kind in _LISTS:
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._varint()
            self._skip_all([head & 15], count, depth)
        elif kind == _MAP:
            if count := self._varint():
                kinds = self._byte()
                self._skip_all([kinds >> 4, kinds & 15], count, depth)
        elif kind == _STRUCT:
            self.struct(depth)
        else:
            raise PageError

    def _skip_all(self, kinds: list[int], count: int, depth: int) -> None:
        if count > len(self._content):
            raise PageError
        for _ in range(count):
            for kind in kinds:
                self._skip(kind, depth + 1)

    def _byte(self) -> int:
        if self.at >= len(self._content):
            raise PageError
        self.at += 1
        return self._content[self.at - 1]

    def _varint(self) -> int:
        value = shift = 0
        while (byte := self._byte()) & 0x80:
            value |= (byte & 0x7F) << shift
            shift += 7
            if shift > 63:
                raise PageError
        return value | byte << shift

    def _number(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
