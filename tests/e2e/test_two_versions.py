"""While a site is upgraded, servers of two versions reply. A page opens, and its answers are stored."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import BrowserContext, Error, Page, Route

from config.processes.killed_parents import ending_with_us
from config.serve import DEFAULTS, START_SECONDS
from tests.caddy import free_ports
from tests.e2e.keeping import NO, UNREACHED, YES, answer_all, delivered
from tests.e2e.site import PATIENCE_SECONDS, Site, wait_for
from tests.e2e.watch import Watch
from tests.e2e.working import begin
from tests.services import database_url
from tests.shared import ROOT

FILES = "**/static/pages/**"
OWN = {"config", "frontend"}
"""The folders of the second version's checkout that are copied. The others are links to ours."""
NOT_LINKED = {".git", "var", ".venv", *OWN}
STORES_NOTHING = """Object.defineProperty(window, "sessionStorage", {
  get: () => { throw new DOMException("forbidden", "SecurityError"); },
});"""


HASH = 7
"""The characters of the hash in a file's name."""


def other_build(files: Path, pages: Path) -> dict[str, str]:
    """Write the build again with another hash in each name. Return the new names by the old ones."""
    names = {
        one.name: f"{one.name[: -len(end) - HASH]}{one.name[-len(end) - HASH : -len(end)][::-1]}{end}"
        for one in (files / "pages").iterdir()
        if one.suffix != ".gz"
        for end in [one.suffix]
    }
    shutil.copytree(files, pages, ignore=shutil.ignore_patterns("*.gz", "pages"))
    (pages / "pages").mkdir()
    for old, new in names.items():
        shutil.copy(files / "pages" / old, pages / "pages" / new)
    for file in [*pages.glob("*.html"), *(pages / "pages").glob("*.js"), *(pages / "pages").glob("*.css")]:
        text = file.read_text()
        for old, new in names.items():
            text = text.replace(old, new)
        file.write_text(text)
        (file.parent / f"{file.name}.gz").write_bytes(gzip.compress(text.encode()))
    return names


MISSED = (r"/index-[^/]*\.js$", r"/index-[^/]*\.css$")
"""The kind of files that each load of the document asks the wrong server for. The last load asks for none."""


class Balanced:
    """Sends each request of a context to a server of the older or of the newer version.

    The document comes from the newer one. Whatever is no file of it is asked of both in turn.
    """

    def __init__(self, context: BrowserContext, older: str, newer: str) -> None:
        self.servers = {False: older, True: newer}
        self.loads = 0
        self.missing: list[str] = []
        self.asked: Counter[bool] = Counter()
        context.route(f"{older}/**", self._send)

    def _send(self, route: Route) -> None:
        parts = urlsplit(route.request.url)
        if route.request.is_navigation_request():
            self.loads += 1
            newer = True
        elif "/static/pages/" in parts.path:
            newer = self.loads > len(MISSED) or not re.search(MISSED[self.loads - 1], parts.path)
        else:
            newer = self.asked.total() % 2 == 1
            self.asked[newer] += 1
        query = f"?{parts.query}" if parts.query else ""
        # A page that is loaded again has dropped what it asked for.
        with suppress(Error):
            reply = route.fetch(url=f"{self.servers[newer]}{parts.path}{query}")
            if reply.status == 404:
                self.missing.append(parts.path)
            route.fulfill(response=reply)


@contextmanager
def newer_web_server(checkout: Path, log: Path) -> Iterator[str]:
    """Run a second web server on the test's database from this checkout, and yield its address."""
    (port,) = free_ports(1)
    command = [sys.executable, "-m", "granian", "--interface", "asginl", "--host", "127.0.0.1"]
    environment = {**DEFAULTS, **os.environ, "DATABASE_URL": database_url(), "GRANIAN_WORKERS": "1"}
    url = f"http://127.0.0.1:{port}"
    with log.open("wb") as output:
        process = subprocess.Popen(
            ending_with_us([*command, "--port", str(port), "config.asgi:application"]),
            cwd=checkout,
            env=environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            end = time.monotonic() + START_SECONDS
            while not _is_up(url):
                assert process.poll() is None and time.monotonic() < end, log.read_text()
                time.sleep(0.1)
            yield url
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _is_up(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz").status_code == 200
    except httpx.TransportError:
        return False


@pytest.fixture
def newer(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """Yield the address of a web server whose pages are of another build."""
    checkout = tmp_path / "newer"
    checkout.mkdir()
    for one in ROOT.iterdir():
        if one.name not in NOT_LINKED:
            (checkout / one.name).symlink_to(one)
    shutil.copytree(ROOT / "config", checkout / "config")
    other_build(ROOT / "frontend" / "dist", checkout / "frontend" / "dist")
    with newer_web_server(checkout, tmp_path / "newer.log") as url:
        yield url


@pytest.mark.both_databases
def test_a_page_opens_and_is_stored_while_two_versions_reply_in_turn(
    start_site: Callable[..., Site], newer: str, page: Page, watch: Watch
) -> None:
    watch.allow(UNREACHED, "Refused to apply style")
    site = start_site()
    between = Balanced(page.context, site.url, newer)
    site.open("link", items=3)
    page.goto(site.worker_link("link"))
    wait_for(page, lambda: between.loads == len(MISSED) + 1, seconds=3 * PATIENCE_SECONDS)
    begin(page)
    for kind in MISSED:
        assert any(re.search(kind, url) for url in between.missing), f"{kind} was there at once"
    answer_all(page, "yny")
    page.keyboard.press("Enter")
    delivered(page, site, [YES, NO, YES])
    assert min(between.asked[True], between.asked[False]) > 3


def test_a_style_sheet_that_fails_before_the_script_runs_is_loaded_again(
    site: Site, page: Page, watch: Watch
) -> None:
    """The script comes after the style sheet's error, which it cannot have heard."""
    watch.allow(UNREACHED, "Refused to apply style")
    held: list[Route] = []
    refused: list[Route] = []

    def style_sheet(route: Route) -> None:
        if refused:
            route.continue_()
        else:
            refused.append(route)
            route.fulfill(status=404, content_type="application/json", body="{}")

    def script(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/static/pages/index-*.css", style_sheet)
    page.route("**/work/reload.js", script)
    page.goto(site.worker_link("link"), wait_until="commit")
    wait_for(page, lambda: held and refused)
    page.wait_for_timeout(500)
    assert page.evaluate("document.styleSheets.length && !document.styleSheets[0].cssRules.length")
    with page.expect_response("**/static/pages/index-*.css") as styled:
        held[0].continue_()
    assert styled.value.ok
    page.wait_for_load_state()
    assert page.evaluate("document.styleSheets[0].cssRules.length") > 10


def test_a_page_says_after_some_tries_that_files_are_missing(site: Site, page: Page, watch: Watch) -> None:
    watch.allow(UNREACHED)
    loads = 0

    def document(route: Route) -> None:
        nonlocal loads
        loads += route.request.is_navigation_request()
        route.continue_()

    page.clock.install()
    page.route("**/work/link/*", document)
    page.route(FILES, lambda route: route.fulfill(status=404))
    page.goto(site.worker_link("link"))
    unloaded = page.get_by_role("alert").filter(has_text="could not be loaded")
    for _ in range(60):
        if unloaded.is_visible():
            break
        page.clock.run_for(8_000)
        page.wait_for_timeout(100)
    assert unloaded.is_visible() and 5 < loads < 20, loads


def test_a_page_that_may_keep_nothing_says_at_once_that_files_are_missing(
    site: Site, page: Page, watch: Watch
) -> None:
    """Without a count of its tries, it would load the document again for ever."""
    watch.allow(UNREACHED)
    page.add_init_script(STORES_NOTHING)
    page.route(FILES, lambda route: route.fulfill(status=404))
    page.goto(site.worker_link("link"))
    page.get_by_role("alert").filter(has_text="could not be loaded").wait_for()


def test_a_page_waits_for_the_network_before_it_is_loaded_again(site: Site, page: Page, watch: Watch) -> None:
    """A reload without a network would leave the browser's own page, from which nothing is tried again."""
    watch.allow(UNREACHED)
    site.open("link", items=1)
    away = True

    def document(route: Route) -> None:
        if away and not route.request.is_navigation_request():
            route.abort()
        else:
            route.continue_()

    page.route(FILES, lambda route: route.abort() if away else route.continue_())
    page.route(
        "**/work/link/",
        lambda r: r.abort() if away and not r.request.is_navigation_request() else r.continue_(),
    )
    page.goto(site.worker_link("link"))
    page.get_by_role("alert").filter(has_text="could not be loaded").wait_for()
    away = False
    page.get_by_role("dialog").get_by_role("button", name="To the questions").wait_for()
