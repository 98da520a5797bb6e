"""Receive the bodies of requests before threads work on them: a client that stops sending holds no thread.

A body has to arrive within a time, and from one address only so many may come slowly. Uploads of a corpus or
of predictions are far too large for memory: `Streamed` hands them on piece by piece.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from io import RawIOBase
from typing import Any

from django.urls import Resolver404, resolve

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

API = "/api/"
CONSOLE = "/admin/"
PASSWORDS = frozenset({"admin:login", "admin:password_change"})
UPLOADS = frozenset({"jobs:import", "jobs:pieces", "jobs:evaluate", "jobs:pairs", "suggestions:project"})
BODY_SECONDS = 30
"""For a whole body, beside the time that its limit takes at BYTES_PER_SECOND."""
BYTES_PER_SECOND = 50_000
PIECE_SECONDS = 60
"""For the next piece of an upload."""
SOON = 0.5
"""Seconds. A body that has arrived by then takes no place."""
AT_ONCE = 32
"""Bodies that one address may be sending to a process for longer than SOON."""
MAX_BYTES = 64_000_000
"""Bodies that a process keeps altogether, until they are worked on."""


def is_upload(path: str) -> bool:
    """Return whether this is a page to which a corpus or predictions are uploaded."""
    return _is_one_of(path, UPLOADS)


def checks_password(path: str) -> bool:
    """Return whether a form that is sent to this page has a password to check."""
    return path.startswith(CONSOLE) and _is_one_of(path, PASSWORDS)


def _is_one_of(path: str, views: frozenset[str]) -> bool:
    try:
        return resolve(path).view_name in views
    except Resolver404:
        return False


def lacks_token(path: str, authorization: str) -> bool:
    """Return whether an address of the API needs a token, and the header has none of its kind that we made.

    The API then replies 401 without reading the body, so that it need not be received.
    """
    if not path.startswith(API):
        return False
    try:
        view: Any = resolve(path).func
    except Resolver404:
        return False
    kinds = view.cls.authentication_classes
    return bool(kinds) and not any(kind.is_signed(authorization) for kind in kinds)


class BodyError(Exception):
    """A body is not received. `status` is the HTTP status of the reply; the message says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Bodies:
    """The bodies that a process receives and keeps: not too many from an address, and not too many bytes."""

    def __init__(self) -> None:
        self._senders: Counter[str] = Counter()
        self._bytes = 0

    async def receive(
        self, receive: Receive, limit: int, address: str | None, is_read: Callable[[], bool]
    ) -> bytes:
        """Return a body: see `received`. Raise BodyError (503) if too many come from the address.

        An unknown address is not counted, since everybody may share it. If a body does not come soon,
        `is_read` says whether it is read at all; if not, nothing is returned.
        """
        arriving = asyncio.ensure_future(received(receive, limit))
        try:
            await asyncio.wait({arriving}, timeout=SOON)
            if arriving.done():
                return await arriving
            if not is_read():
                return b""
            if address is None:
                return await arriving
            with self._place(address):
                return await arriving
        finally:
            arriving.cancel()

    @contextmanager
    def room(self, length: int) -> Iterator[None]:
        """Keep so many bytes while the block runs. Raise BodyError (503) if there is no room for them."""
        if length and self._bytes + length > MAX_BYTES:
            raise BodyError(503, "The server is busy. Try again.")
        self._bytes += length
        try:
            yield
        finally:
            self._bytes -= length

    @contextmanager
    def _place(self, address: str) -> Iterator[None]:
        if self._senders[address] >= AT_ONCE:
            logger.warning(
                "%d requests from %s arrive slowly, and further ones are refused. If this is a proxy, set "
                "GROUNDCREW_PROXIES",
                AT_ONCE,
                address,
            )
            raise BodyError(503, "Too many requests from your address arrive slowly. Try again.")
        self._senders[address] += 1
        try:
            yield
        finally:
            self._senders[address] -= 1
            if not self._senders[address]:
                del self._senders[address]


def has_body(headers: Mapping[str, str], http_version: str) -> bool:
    """Return whether a body follows the headers, whose names are in lower case. HTTP/2 need not say so."""
    said = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    return said or (http_version == "2" and "content-length" not in headers)


def refusal(path: str, length: str, *, chunked: bool, limit: int) -> BodyError | None:
    """Return why the body of a request is refused before anybody reads it, or None.

    `length` is the header Content-Length, or "". The API takes chunks without a length, and stops reading
    them at its limit. Pages for uploads decide themselves about lengths over the limit.
    """
    if not length:
        if chunked and not path.startswith(API):
            return BodyError(411, "Send the length of the request (Content-Length).")
        return None
    if not (length.isascii() and length.isdigit()):
        return BodyError(400, "The length of the request (Content-Length) is not a number.")
    if len(length) > 18 or (int(length) > limit and not is_upload(path)):
        return BodyError(413, f"The request is over the limit of {limit} bytes.")
    return None


async def received(receive: Receive, limit: int) -> bytes:
    """Return the body. Of one that is longer than `limit` bytes, only a beginning of over `limit` bytes.

    Raise BodyError: 408 if it takes too long, 400 if it ends before it is complete.
    """
    pieces: list[bytes] = []
    length = 0
    seconds = BODY_SECONDS + limit / BYTES_PER_SECOND
    try:
        async with asyncio.timeout(seconds):
            more = True
            while more and length <= limit:
                piece, more = await _piece(receive)
                pieces.append(piece)
                length += len(piece)
    except TimeoutError:
        message = f"The request did not arrive within {seconds:.0f} seconds. Try again."
        raise BodyError(408, message) from None
    except ConnectionError:
        raise BodyError(400, "The request ended before it was complete.") from None
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
