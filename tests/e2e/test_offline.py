"""A reload without a network brings the page back, and an update is seen as soon as there is a network."""

from __future__ import annotations

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.e2e.keeping import (
    NO,
    UNREACHED,
    YES,
    at_overview,
    delivered,
    press,
    ready_for_no_network,
    sending,
    start,
)
from tests.e2e.site import Site, wait_for
from tests.e2e.test_lost_server import MAX_WAIT_MS, kill_web, start_web
from tests.e2e.watch import Watch
from tests.shared import ROOT

PAGES = ROOT / "frontend" / "dist"

KEPT = """async () => {
  const cache = await caches.open("groundcrew-pages");
  return (await cache.keys()).map(({ url }) => new URL(url).pathname);
}"""
SHELL = """async () => {
  const kept = await (await caches.open("groundcrew-pages")).match("/work/");
  return kept ? await kept.text() : "";
}"""
AGE = """async () => {
  const cache = await caches.open("groundcrew-pages");
  await cache.put("/work/", new Response('<div id="app">an old build: /static/pages/</div>'));
  await cache.put("/static/pages/base-00000000.js", new Response("of an old build"));
}"""
REGISTER = """async () => {
  await navigator.serviceWorker.register("/work/offline.js");
  (await navigator.serviceWorker.ready).active.postMessage({ files: [] });
}"""
WORKERS = (
    "async () => (await navigator.serviceWorker.getRegistrations()).length + (await caches.keys()).length"
)


def kept(page: Page) -> list[str]:
    """Return the addresses of what is kept, once the page's scripts are."""

    def look() -> list[str]:
        found: list[str] = page.evaluate(KEPT)
        return found if sum(path.endswith(".js") for path in found) > 5 else []

    return wait_for(page, look)


@pytest.mark.journey
def test_a_reload_without_a_server_brings_the_page_back(
    site: Site, new_context: Callable[..., BrowserContext], watch: Watch
) -> None:
    watch.allow(UNREACHED)
    page = new_context(service_workers="allow").new_page()
    start(page, site, items=3)
    ready_for_no_network(page, photographs=3)
    # Only documents and their files: no reply with a token, no photograph, no address of a worker.
    assert {path.rpartition("/")[0] for path in kept(page)} == {"/work", "/static/pages"}
    current = page.evaluate(SHELL)
    page.evaluate(AGE)
    page.reload()
    press(page, 1, 3, "y")
    wait_for(page, lambda: page.evaluate(SHELL) == current)
    assert "/static/pages/base-00000000.js" not in kept(page)
    kill_web(site)
    try:
        page.reload()
        press(page, 2, 3, "n")
        page.goto("about:blank")
        page.goto(f"{site.url}/work/link/")
        press(page, 3, 3, "y")
        at_overview(page)
        page.keyboard.press("Enter")
        sending(page)
    finally:
        start_web(site)  # also for a second try of this test
    delivered(page, site, [YES, NO, YES], patience_ms=MAX_WAIT_MS)


class _Replies(BaseHTTPRequestHandler):
    """Serves a document, and whichever worker the test wants."""

    worker = "offline.js"

    def do_GET(self) -> None:
        script = self.path == "/work/offline.js"
        kind = "text/javascript" if script else "text/html"
        body = (
            (PAGES / self.worker).read_bytes() if script else b'<div id="app"></div><!-- /static/pages/ -->'
        )
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_what_is_kept_can_be_removed(new_context: Callable[..., BrowserContext]) -> None:
    """An operator who turns it off has another script served in the worker's place."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Replies)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        page = new_context(service_workers="allow").new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/work/")
        page.evaluate(REGISTER)
        wait_for(page, lambda: page.evaluate(KEPT) == ["/work/"])
        _Replies.worker = "offline-removed.js"
        page.reload()
        page.evaluate("async () => (await navigator.serviceWorker.getRegistration())?.update()")
        wait_for(page, lambda: page.evaluate(WORKERS) == 0)
    finally:
        _Replies.worker = "offline.js"
        server.shutdown()
        server.server_close()
