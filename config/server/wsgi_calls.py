"""Call the WSGI application in a thread, for a request of an ASGI server, and send what it replies."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from io import BytesIO
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any, BinaryIO
from wsgiref.util import FileWrapper

from django.conf import settings

from config.server.request_bodies import BodyError, Message, Scope, Send

if TYPE_CHECKING:
    from _typeshed import OptExcInfo
    from _typeshed.wsgi import WSGIApplication

MAX_IN_MEMORY = 1_000_000
"""Bytes of a reply that is made in pieces. A longer one is kept in a temporary file."""
PIECE = 65_536
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
REFUSED = "groundcrew.refused"
"""The key in the WSGI environment of a BodyError: why the body was not received."""


async def call(
    application: WSGIApplication,
    scope: Scope,
    body: BinaryIO,
    send: Send,
    threads: Executor,
    refused: BodyError | None = None,
) -> None:
    """Have one of the threads reply to the request; if its body was refused, the reply says so.

    The reply is made completely before it is sent, in a file if it is long. So no thread waits for a client
    that takes it slowly, and an error on the way is an error and not a short file.
    """

    def work() -> tuple[list[Message], tuple[IO[bytes], int] | None]:
        reply = _Reply()
        result = application(environ(scope, body) | {REFUSED: refused}, reply.start)
        try:
            if (path := _whole_file(result, reply.headers, scope)) is not None:
                return [reply.head(), {"type": "http.response.pathsend", "path": path}], None
            if (part := getattr(result, "part", None)) is not None:
                file = part.path.open("rb")
                file.seek(part.start)
                return [reply.head()], (file, part.length)
            if not getattr(result, "streaming", isinstance(result, FileWrapper)):
                content = b"".join(result)
                return [reply.head(), {"type": "http.response.body", "body": content}], None
            made = SpooledTemporaryFile(MAX_IN_MEMORY)  # noqa: SIM115  (closed when it has been sent)
            try:
                made.writelines(result)
            except BaseException:
                made.close()
                raise
            length = made.tell()
            made.seek(0)
            return [reply.head()], (made, length)
        finally:
            if (close := getattr(result, "close", None)) is not None:
                close()

    messages, rest = await asyncio.get_running_loop().run_in_executor(threads, work)
    if rest is None:
        for message in messages:
            await send(message)
        return
    file, left = rest
    with file:
        for message in messages:
            await send(message)
        while left and (piece := file.read(min(PIECE, left))):
            left -= len(piece)
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def headers_of(scope: Scope) -> dict[str, str]:
    """Return the headers by their names in lower case. Those that came several times are joined.

    Names with underscores are left out: in WSGI they could not be told from names with hyphens, and a client
    could write what only a proxy may say.
    """
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if "_" in name:
            continue
        between = "; " if name == "cookie" else ","
        headers[name] = f"{headers[name]}{between}{value}" if name in headers else value
    return headers


def path_of(scope: Scope) -> str:
    """Return the path of the request within the site.

    Some proxies take away the prefix below which the site is, and others leave it. Probes are not below it:
    they come from inside, and a proxy that passes on the whole prefix must not show them to others.
    """
    whole: str = scope["path"].removeprefix(scope.get("root_path", ""))
    path = whole.removeprefix(settings.PREFIX)
    return whole if path in PROBES or path[:1] not in ("", "/") else path


def environ(scope: Scope, body: BinaryIO) -> dict[str, Any]:
    """Return the WSGI environment of an ASGI request whose body is this file."""
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    found: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": (scope.get("root_path", "") + settings.PREFIX).encode().decode("latin-1"),
        "PATH_INFO": path_of(scope).encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": FileWrapper,
    }
    plain = {"content-length": "CONTENT_LENGTH", "content-type": "CONTENT_TYPE"}
    for name, value in headers_of(scope).items():
        found[plain.get(name) or f"HTTP_{name.upper().replace('-', '_')}"] = value
    if "CONTENT_LENGTH" not in found and isinstance(body, BytesIO) and (length := len(body.getbuffer())):
        found["CONTENT_LENGTH"] = str(length)  # of a body in chunks, which Django would not read without it
    return found


class _Reply:
    """The status and the headers that the application gives."""

    def __init__(self) -> None:
        self.status, self.headers = 500, list[tuple[str, str]]()

    def start(self, status: str, headers: list[tuple[str, str]], failure: OptExcInfo | None = None, /) -> Any:
        self.status, self.headers = int(status.split(" ", 1)[0]), headers
        return None

    def head(self) -> Message:
        pairs = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in self.headers]
        return {"type": "http.response.start", "status": self.status, "headers": pairs}


def _whole_file(result: Iterable[bytes], headers: Iterable[tuple[str, str]], scope: Scope) -> str | None:
    """Return the path of a file that is the whole reply, if the server can send it by itself."""
    if not isinstance(result, FileWrapper) or "http.response.pathsend" not in (scope.get("extensions") or {}):
        return None
    name = getattr(result.filelike, "name", None)
    if not isinstance(name, str) or result.filelike.tell() != 0:
        return None
    path = Path(name)
    said: Mapping[str, str] = {key.lower(): value for key, value in headers}
    whole = path.is_absolute() and path.is_file() and said.get("content-length") == str(path.stat().st_size)
    return name if whole else None
