"""The HTTP server of the requester's API, of pages and a small API for workers, and of the switches."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

from simulation.emulators.mturk import control
from simulation.emulators.mturk.api import dispatch
from simulation.emulators.mturk.api.dispatch import Reply
from simulation.emulators.mturk.workers import api as worker_api
from simulation.emulators.mturk.workers import site as worker_site
from simulation.emulators.mturk.world import World

HOST = "127.0.0.1"
MAX_BODY = 1_048_576  # bytes


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, world: World, port: int = 0, after: Callable[[], None] = lambda: None) -> None:
        """Make a server. `after` is called after every request that may have changed something."""
        super().__init__((HOST, port), _Handler)
        self.world = world
        self.after = after
        world.site = f"http://{HOST}:{self.server_address[1]}"

    def start(self) -> threading.Thread:
        """Serve in a new thread until `shutdown`."""
        thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        return thread


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "mturk-emulator"
    sys_version = ""
    timeout = 60
    disable_nagle_algorithm = True
    wbufsize = -1  # a reply is sent in one piece

    _TELLING: ClassVar[dict[str, Any]] = {
        "/control/": control.answer,
        "/api/worker/": worker_api.answer,
    }

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = parse_qsl(parts.query, keep_blank_values=True)
        for prefix, handler in self._TELLING.items():
            if parts.path.startswith(prefix):
                return self._reply(
                    handler(self.server.world, parts.path.removeprefix(prefix), dict(query), None)
                )
        return self._reply(worker_site.show(self.server.world, parts.path, dict(query)))

    def do_POST(self) -> None:
        body = self._body()
        if body is None:
            return
        parts, world = urlsplit(self.path), self.server.world
        target = self.headers.get("X-Amz-Target")
        if target:
            address = f"http://{self.headers.get('Host', '')}{self.path}"
            reply = dispatch.answer(world, target, self.headers, address, body)
        else:
            reply = self._post(parts.path, body)
        self.server.after()
        if reply:
            self._reply(reply)
        else:
            self.close_connection = True

    def _post(self, path: str, body: bytes) -> Reply:
        for prefix, handler in self._TELLING.items():
            if path.startswith(prefix):
                # A page of another site cannot send this without a preflight request.
                if self.headers.get_content_type() != "application/json":
                    text = b"The content type has to be application/json."
                    return Reply(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "text/plain", text)
                reply: Reply = handler(self.server.world, path.removeprefix(prefix), {}, body)
                return reply
        fields = parse_qsl(body.decode(errors="replace"), keep_blank_values=True)
        return worker_site.post(self.server.world, path, fields)

    def _body(self) -> bytes | None:
        length = self.headers.get("Content-Length", "0")
        if not length.isdigit() or int(length) > MAX_BODY:
            self.close_connection = True
            self._reply(Reply(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "text/plain", b"The body is too long."))
            return None
        return self.rfile.read(int(length))

    def _reply(self, reply: Reply) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(len(reply.body)))
        self.send_header("Cache-Control", "no-store")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body)

    def log_message(self, format: str, *args: object) -> None:
        pass  # the world keeps its own list of calls
