"""The site below a prefix of a host: no page asks for anything outside of it, or for what is not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Error, Page, Response

from annotation.domain.answers import Stage
from annotation.domain.protocols import ALL_STAGES
from tests.caddy import caddy, free_ports
from tests.e2e.conftest import NewContext
from tests.e2e.devices import DESK
from tests.e2e.hands import Mouse
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
from tests.e2e.researcher import log_in
from tests.e2e.site import Site, wait_for
from tests.e2e.test_lost_server import MAX_WAIT_MS, kill_web
from tests.e2e.test_walks import TWO_STAGES, walk
from tests.e2e.watch import Watch
from tests.selection import and_nightly
from tests.services import services_of_test

PREFIX = "/groundcrew"
MAX_PAGES = 150
LINKS = """all => all.map((one) => [
  one.getAttribute("href") ?? one.getAttribute("formaction") ?? one.getAttribute("action"),
  one.matches("a:not([download])") && one.checkVisibility(),
])"""
STAGES = frozenset(map(str, ALL_STAGES))
KINDS = 40
"""How many kinds of the console's pages are found at least."""
Record = Callable[[str, object], None]
StartPrefixed = Callable[[str], Site]


@pytest.fixture
def start_prefixed(transactional_db: None, tmp_path: Path) -> Iterator[StartPrefixed]:
    """Yield a function that starts a site below the prefix.

    A proxy in front of it `takes` the prefix away, or all addresses are `left` as they are.
    """
    with ExitStack() as stack:

        def started(way: str) -> Site:
            web, port = free_ports(2)
            url = f"http://127.0.0.1:{port if way == 'takes' else web}{PREFIX}"
            if way == "takes":
                file = tmp_path / "Caddyfile"
                file.write_text(
                    "{\n\tadmin off\n\tauto_https off\n}\n"
                    f"http://:{port} {{\n\tbind 127.0.0.1\n"
                    f"\thandle_path {PREFIX}/* {{\n\t\treverse_proxy 127.0.0.1:{web}\n\t}}\n"
                    "\trespond 404\n}\n"
                )
                stack.enter_context(caddy(file, port))
            services = services_of_test(tmp_path / "logs", web, GROUNDCREW_SITE=url)
            return Site(replace(stack.enter_context(services), url=url))

        yield started


class Within:
    """What the pages of a context asked for, which has to be within the prefix and there."""

    def __init__(self, context: BrowserContext, site: Site) -> None:
        self.site, self.troubles, self.seen = site, list[str](), set[str]()
        context.on("response", self._hear)

    def _hear(self, reply: Response) -> None:
        path = urlsplit(reply.url).path
        self.seen.add(path)
        if not reply.url.startswith(f"{self.site.url}/") or reply.status >= 400:
            self.troubles.append(f"{reply.status} {reply.url}")

    def check(self) -> None:
        assert not self.troubles, "\n".join(self.troubles)
        for part in ("/static/pages/", "/api/v1/", "/media/", "/work/"):
            assert any(path.startswith(PREFIX + part) for path in self.seen), part


@pytest.mark.parametrize(("way", "stages"), [("takes", tuple(Stage)), ("left", TWO_STAGES)])
def test_work_below_a_prefix(
    start_prefixed: StartPrefixed,
    new_context: NewContext,
    record_property: Record,
    way: str,
    stages: tuple[Stage, ...],
) -> None:
    site = start_prefixed(way)
    context = new_context(**DESK)
    within = Within(context, site)
    page = context.new_page()
    walk(site, Mouse(page), record_property, pages=(2,), stages=stages)
    page.goto(f"{site.url}/")
    page.get_by_role("heading", level=1).wait_for()
    assert page.url == f"{site.url}/work/"
    page.goto(f"{site.url}/work/me/")
    page.get_by_role("link", name="All tasks").first.click()
    page.wait_for_url(f"{site.url}/work/")
    within.check()
    assert context.cookies() == []
    kept = page.evaluate("Object.keys(localStorage).filter((key) => key.includes('token'))")
    assert kept == ["groundcrew/groundcrew.token"], "another site of this host has another worker"


@pytest.mark.parametrize("way", and_nightly(["takes"], ["left"], "the pages have the same addresses"))
def test_the_console_below_a_prefix(
    start_prefixed: StartPrefixed, new_context: NewContext, watch: Watch, way: str, record_property: Record
) -> None:
    watch.allow("favicon.ico")  # of JSON and other files without a link to an icon, browsers ask the host
    site = start_prefixed(way)
    site.open("link", "drawing", items=1)
    context = new_context()
    within = Within(context, site)
    page = context.new_page()
    log_in(page, f"{site.url}/admin/")
    assert page.url.startswith(f"{site.url}/admin/")
    names = {cookie["name"]: cookie["path"] for cookie in context.cookies()}
    assert names == {"sessionid-groundcrew": f"{PREFIX}/", "csrftoken-groundcrew": f"{PREFIX}/"}
    pages = crawl(page, site)
    record_property("figure", f"{len(pages)} pages of the console below a prefix, none asked for elsewhere")
    kinds = {tuple(part for part in path.split("/") if not part.isdigit()) for path in pages}
    assert len(kinds) >= KINDS
    assert not within.troubles, "\n".join(within.troubles)


def crawl(page: Page, site: Site) -> list[str]:
    """Visit what the console's pages link to, one page of each kind, and return the paths."""
    waiting, known, visited = [page.url], set[tuple[str, ...]](), list[str]()
    while waiting and len(visited) < MAX_PAGES:
        address = waiting.pop(0)
        path = urlsplit(address).path
        kind = tuple("#" if part.isdigit() or part in STAGES else part for part in path.split("/"))
        if kind in known:
            continue
        known.add(kind)
        visited.append(path)
        try:
            page.goto(address)
        except Error as error:
            if "Download is starting" not in error.message:
                raise
            continue
        page.wait_for_load_state("networkidle")
        for href, follow in page.eval_on_selector_all("a[href], form[action], [formaction]", LINKS):
            found = urldefrag(urljoin(address, href)).url
            if urlsplit(found).scheme not in ("http", "https"):
                continue
            assert found.startswith(f"{site.url}/"), f"{href} on {address}"
            if follow and "/logout/" not in found:
                waiting.append(found)
    return visited


def test_a_reload_without_a_server_below_a_prefix(
    start_prefixed: StartPrefixed, new_context: NewContext, watch: Watch
) -> None:
    watch.allow(UNREACHED)
    site = start_prefixed("left")
    page = new_context(service_workers="allow").new_page()
    start(page, site, items=3)
    ready_for_no_network(page, photographs=3)
    keys = """async () => {
      const cache = await caches.open("groundcrew/groundcrew-pages");
      return (await cache.keys()).map(({ url }) => new URL(url).pathname);
    }"""

    def kept() -> list[str]:
        found: list[str] = page.evaluate(keys)
        return found if sum(path.endswith(".js") for path in found) > 5 else []

    assert {path.rpartition("/")[0] for path in wait_for(page, kept)} == {
        f"{PREFIX}/work",
        f"{PREFIX}/static/pages",
    }
    press(page, 1, 3, "y")
    kill_web(site)
    try:
        page.reload()
        press(page, 2, 3, "n")
        press(page, 3, 3, "y")
        at_overview(page)
        page.keyboard.press("Enter")
        sending(page)
    finally:
        site.server.processes["web"] = site.server.start("web")
    delivered(page, site, [YES, NO, YES], patience_ms=MAX_WAIT_MS)
