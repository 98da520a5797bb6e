"""A crowd platform: a page of another site that shows ours in a frame."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The page has an icon, so that the browser does not ask for one.
PAGE = """<!doctype html><title>A platform</title><link rel="icon" href="data:,">
<iframe name="work" src="{}" width="1240" height="760"></iframe>"""


class Platform:
    """A platform at `origin`.

    Its host is localhost, which makes it another site than 127.0.0.1.
    """

    def __init__(self, port: int) -> None:
        self.origin = f"http://localhost:{port}"
        self.framed = ""
        """The address in the frame."""


@contextmanager
def platform() -> Iterator[Platform]:
    """Run a platform that answers while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(PAGE.format(escape(shown.framed)).encode())

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    shown = Platform(server.server_port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield shown
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
