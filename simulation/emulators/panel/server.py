"""The panel's pages over HTTP. Participants name themselves in a form, as if they had signed in."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from simulation.emulators.panel.world import RefusedError, World

MAX_BODY = 8 * 1024 * 1024
_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Panel</title><h1>Panel</h1>'
    '<meta name="viewport" content="width=device-width">{}</html>'
)
_STUDY = (
    '<form method="post" action="start"><label>Your id <input name="participant" required></label> '
    "<button>Take part</button></form>"
)
_CODE = (
    '<form method="post" action="submit"><input type="hidden" name="assignment" value="{}">'
    '<label>Completion code <input name="code" required></label> <button>Submit</button></form>'
)


class Panel:
    """A panel that serves at `url` while its context is entered. Tests may use its world directly."""

    def __init__(self, world: World | None = None, *, port: int = 0) -> None:
        self.world = world or World()
        self.lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, method: str, path: str, given: Mapping[str, str], body: str) -> tuple[int, str, str]:
        """Return the status, what it is (a media type, or `location`), and the text."""
        try:
            with self.lock:
                return self._answer(method, path, given, body)
        except RefusedError as error:
            return 422, "text/html", _page(f"<p role=alert>{escape(str(error))}</p>" + self._code(given))

    def _answer(self, method: str, path: str, given: Mapping[str, str], body: str) -> tuple[int, str, str]:
        match method, path:
            case "GET", "/":
                return 200, "text/html", _page(_STUDY)
            case "POST", "/start":
                return 303, "location", self.world.start(given.get("participant", ""))[1]
            case "POST", "/places":
                place, url = self.world.start(given["participant"])
                return 201, "application/json", json.dumps({"id": place, "url": url})
            case "GET", "/code":
                return 200, "text/html", _page(self._code(given))
            case ("GET", "/complete") | ("POST", "/submit"):
                self.world.submit(given.get("assignment", ""), given.get("code", ""))
                return 200, "text/html", _page("<p>Thank you. Your place is submitted.</p>")
            case "POST", "/return":
                self.world.give_back(given["assignment"])
                return 200, "text/html", _page("<p>Your place is given back.</p>")
            case "GET", "/list.csv":
                return 200, "text/csv", self.world.participants()
            case "POST", "/pay.csv":
                self.world.pay(body)
                return 200, "text/plain", "done"
            case "GET", "/books":
                return 200, "application/json", json.dumps(self.world.books())
            case "POST", "/study":
                for name, value in json.loads(body).items():
                    setattr(self.world, name, value)
                return 200, "text/plain", "done"
        return 404, "text/plain", "There is no such page."

    def _code(self, given: Mapping[str, str]) -> str:
        return _CODE.format(escape(given.get("assignment", ""), quote=True))

    def __enter__(self) -> Panel:
        self._thread.start()
        return self

    def __exit__(self, *details: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _page(content: str) -> str:
    return _PAGE.format(content)


def _handler(panel: Panel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._reply("GET", "")

        def do_POST(self) -> None:
            length = min(int(self.headers.get("Content-Length") or 0), MAX_BODY)
            self._reply("POST", self.rfile.read(length).decode())

        def _reply(self, method: str, body: str) -> None:
            parts = urlsplit(self.path)
            form = "form" in (self.headers.get("Content-Type") or "")
            given = dict(parse_qsl(parts.query)) | (dict(parse_qsl(body)) if form else {})
            status, kind, text = panel.answer(method, parts.path, given, body)
            content = b"" if kind == "location" else text.encode()
            self.send_response(status)
            if kind == "location":
                self.send_header("Location", text)
            else:
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments: Any) -> None:
            """Say nothing: the caller tells what happened."""

    return Handler
