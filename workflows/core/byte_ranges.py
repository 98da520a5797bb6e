"""Replies with a part of a file, so that a download that broke off can go on (RFC 9110, section 14)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

PIECE = 65_536
_RANGE = re.compile(r"bytes=\s*([0-9]{0,18})-([0-9]{0,18})\s*", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """`length` bytes of the file `path`, from byte `start` on."""

    path: Path
    start: int
    length: int


class PartResponse(StreamingHttpResponse):
    """A part of a file. The web server sends `part` by itself (config/server/wsgi_calls.py)."""

    def __init__(self, part: Part, headers: dict[str, str]) -> None:
        super().__init__(_pieces(part), status=206, headers=headers)
        self.part = part


def asked_range(header: str, size: int) -> tuple[int, int] | None:
    """Return the first byte and the number of bytes that the header Range asks for in a file of `size` bytes.

    Return None if the whole file is the right reply: the header is malformed, or asks for several parts.
    Raise ValueError if the file has no byte of what is asked for.
    """
    match = _RANGE.fullmatch(header)
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:  # the last so many bytes
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(int(last or size) + 1, size)
        if last and int(last) < start:
            return None
    if start >= size:
        raise ValueError(f"a file of {size} bytes has no bytes from {start} on")
    return start, end - start


def part_of(request: HttpRequest, reply: FileResponse) -> HttpResponseBase:
    """Return the part of the file that the request asks for, or `reply`, the whole file of a local folder.

    Give `reply` an ETag first if downloads of it are to go on: browsers say with which file they began
    (If-Range).
    """
    reply["Accept-Ranges"] = "bytes"
    header, known = request.headers.get("Range", ""), request.headers.get("If-Range", "")
    if request.method != "GET" or not header or (known and known != reply.get("ETag")):
        return reply
    file: Any = reply.file_to_stream
    path = Path(file.name)
    size = path.stat().st_size
    try:
        found = asked_range(header, size)
    except ValueError:
        file.close()
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    if found is None:
        return reply
    # Not `reply.close()`: it says that the request is over, and the database's connection may be closed.
    file.close()
    start, length = found
    where = {"Content-Length": str(length), "Content-Range": f"bytes {start}-{start + length - 1}/{size}"}
    return PartResponse(Part(path, start, length), {**reply.headers, **where})


def _pieces(part: Part) -> Iterator[bytes]:
    with part.path.open("rb") as file:
        file.seek(part.start)
        left = part.length
        while left and (piece := file.read(min(PIECE, left))):
            left -= len(piece)
            yield piece
