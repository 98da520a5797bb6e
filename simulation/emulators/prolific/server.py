"""The HTTP server of the API, of the participants' pages, and of the switches for tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from simulation.emulators.prolific import browser
from simulation.emulators.prolific.control import control
from simulation.emulators.prolific.errors import RefusalError
from simulation.emulators.prolific.faults import Kind
from simulation.emulators.prolific.lifecycle import tick
from simulation.emulators.prolific.participants import Participants
from simulation.emulators.prolific.requests import Reply, Request
from simulation.emulators.prolific.routes import find, routes
from simulation.emulators.prolific.state_file import Saved
from simulation.emulators.prolific.webhooks import Hooks
from simulation.emulators.prolific.world import World

MAX_BODY = 4 * 1024 * 1024
API = "/api/v1/"
CONTROL = "/emulator/"


class Emulator:
    """An emulator that serves at `url` while its context is entered. Tests may use its world directly.

    The state is loaded from the file `data`, if there is any, and saved there with each request.
    """

    def __init__(
        self, world: World | None = None, *, port: int = 0, funds: int = 100_000, data: Path | None = None
    ) -> None:
        self.world = world or World()
        self.world.books.top_up(funds, self.world.clock.now())
        self.hooks = Hooks(self.world)
        self._saved = Saved(data) if data else None
        if self._saved:
            self._saved.load(self.world, self.hooks)
        self.participants = Participants(self.world)
        self.requests: list[str] = []  # operations, in order
        self._routes = routes(self.hooks)
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Emulator:
        self._thread.start()
        return self

    def __exit__(self, *details: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, method: str, path: str, headers: dict[str, str], content: bytes) -> Reply | None:
        """Return the reply to a request, or None if the connection is to end without a reply."""
        reply = self._answer(method, path, headers, content)
        if self._saved:
            self._saved.save(self.world, self.hooks)
        return reply

    def _answer(self, method: str, path: str, headers: dict[str, str], content: bytes) -> Reply | None:
        parts = urlsplit(path)
        try:
            if not parts.path.startswith(API):
                if not parts.path.startswith(CONTROL):
                    return browser.answer(self.participants, parts, headers)
                what = parts.path.removeprefix(CONTROL).strip("/")
                params = dict(parse_qsl(parts.query))
                return control(self.participants, self.hooks, self.requests, method, what, params, content)
            self._check_token(headers)
            route, ids = find(self._routes, method, parts.path)
            request = Request(ids, dict(parse_qsl(parts.query)), _body(content))
        except RefusalError as error:
            return Reply(error.status, error.body())
        with self.world.lock:
            self.requests.append(route.operation)
            same = f"{path} {content!r}"
            return self._with_faults(route.operation, same, lambda: self._do(route.do, request))

    def _with_faults(self, operation: str, same: str, do: Callable[[], Reply]) -> Reply | None:
        """Carry out an operation with faults. `same` is equal for two requests that count as one."""
        match self.world.faults.of_request(operation, same):
            case Kind.KILL_BEFORE:
                self.world.faults.kill()
                return None
            case Kind.KILL_AFTER:
                do()
                self.world.faults.kill()
                return None
            case Kind.CUT:
                return None
            case Kind.CUT_AFTER:
                do()
                return None
            case Kind.THROTTLE:
                return _refusal(429, "Request was throttled.", {"Retry-After": "1"})
            case Kind.BREAK:
                return _refusal(500, "Something went wrong.", {})
            case Kind.BREAK_AFTER:
                do()
                return _refusal(502, "Bad gateway.", {})
            case _:
                return do()

    def _do(self, do: Callable[[World, Request], Reply], request: Request) -> Reply:
        tick(self.world)
        try:
            return do(self.world, request)
        except RefusalError as error:
            return Reply(error.status, error.body())

    def _check_token(self, headers: dict[str, str]) -> None:
        if not compare_digest(headers.get("authorization", ""), f"Token {self.world.token}"):
            raise RefusalError(401, "Authentication credentials were not provided, or are wrong.")


def _refusal(status: int, detail: str, headers: dict[str, str]) -> Reply:
    return Reply(status, RefusalError(status, detail).body(), headers)


def _body(content: bytes) -> dict[str, Any]:
    try:
        body = json.loads(content) if content else {}
    except ValueError as error:
        raise RefusalError(400, "JSON parse error.") from error
    if not isinstance(body, dict):
        raise RefusalError(400, "An object is required.")
    return body


def _handler(emulator: Emulator) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        timeout = 30

        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            content = self.rfile.read(min(length, MAX_BODY))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = emulator.answer(self.command, self.path, headers, content)
            if reply is None:
                self.close_connection = True
                return
            self._write(reply)

        do_GET = do_POST = do_PATCH = do_DELETE = answer

        def _write(self, reply: Reply) -> None:
            page = reply.body if isinstance(reply.body, bytes) else None
            content = (
                page if page is not None else b"" if reply.body is None else json.dumps(reply.body).encode()
            )
            self.send_response(reply.status)
            self.send_header(
                "Content-Type", "application/json" if page is None else "text/html; charset=utf-8"
            )
            self.send_header("Content-Length", str(len(content)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing, to keep the output of tests and demonstrations short."""

    return Handler
