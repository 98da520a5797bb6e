"""Receive the bodies of requests before threads work on them: a client that stops sending holds no thread.

A body has to arrive within BODY_SECONDS. From one address, at most AT_ONCE bodies may be on their way to a
process. Uploads of a corpus are far too large for memory: `Streamed` hands them on piece by piece.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from io import RawIOBase
from typing import Any

from django.urls import Resolver404, resolve

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

API = "/api/"
UPLOAD = "jobs:import"
BODY_SECONDS = 30
"""For a whole body of at most a few megabytes."""
PIECE_SECONDS = 60
"""For the next piece of an upload."""
AT_ONCE = 32
"""Bodies that one address may be sending to a process. A body that arrives in one piece hardly counts."""


def is_upload(path: str) -> bool:
    """Return whether this is the page to which a corpus is uploaded."""
    try:
        return resolve(path).view_name == UPLOAD
    except Resolver404:
        return False


class BodyError(Exception):
    """A body is not received. `status` is the HTTP status of the reply; the message says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Senders:
    """How many bodies each address is sending now."""

    def __init__(self) -> None:
        self._bodies: Counter[str | None] = Counter()

    @contextmanager
    def place(self, address: str | None) -> Iterator[None]:
        """Hold one of the AT_ONCE places of the address. Raise BodyError (503) if all are taken."""
        if self._bodies[address] >= AT_ONCE:
            raise BodyError(503, "Too many requests from your address arrive at once. Try again.")
        self._bodies[address] += 1
        try:
            yield
        finally:
            self._bodies[address] -= 1
            if not self._bodies[address]:
                del self._bodies[address]


def has_body(headers: Mapping[str, str]) -> bool:
    """Return whether a body follows the headers, whose names are in lower case."""
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


async def received(receive: Receive, limit: int) -> bytes:
    """Return the body. Of one that is longer than `limit` bytes, only a beginning of over `limit` bytes.

    Raise BodyError (408) if it takes longer than BODY_SECONDS, and ConnectionError if the client has gone.
    """
    pieces: list[bytes] = []
    length = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            more = True
            while more and length <= limit:
                piece, more = await _piece(receive)
                pieces.append(piece)
                length += len(piece)
    except TimeoutError:
        message = f"The request did not arrive within {BODY_SECONDS} seconds. Try again."
        raise BodyError(408, message) from None
    return b"".join(pieces)


class Streamed(RawIOBase):
    """A body for a thread, which receives it piece by piece from the event loop while it reads.

    Reading raises OSError if no piece comes within PIECE_SECONDS or the client has gone.
    """

    def __init__(self, receive: Receive, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._receive, self._loop = receive, loop
        self._rest, self._more = b"", True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest and self._more:
            waiting = asyncio.run_coroutine_threadsafe(_piece(self._receive), self._loop)
            try:
                self._rest, self._more = waiting.result(PIECE_SECONDS)
            except TimeoutError:
                waiting.cancel()
                raise
        length = min(len(buffer), len(self._rest))
        buffer[:length], self._rest = self._rest[:length], self._rest[length:]
        return length


async def _piece(receive: Receive) -> tuple[bytes, bool]:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ConnectionResetError("the client has gone")
    return message.get("body", b""), message.get("more_body", False)
