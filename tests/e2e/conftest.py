"""A browser, and a site for it. How to write a test:

    def test_it(site: Site, page: Page) -> None:
        site.open("link", items=4)                      # four link items wait; site.open() opens all stages
        page.goto(site.worker_link("link"))             # as the worker "ada"; name="bob" is another one
        begin(page)                                     # tests.e2e.working: what walks have in common
        ...
        assert [j.answer for j in site.judgments("link")] == site.right_answers("link")

- `page` is a page in a fresh context; `new_context(has_touch=True, viewport=..., device_scale_factor=3,
  color_scheme="dark", ...)` makes further ones, with the options of Playwright's `Browser.new_context`.
- Errors on the console, uncaught ones, violations of the Content Security Policy and requests to other hosts
  fail the test at its end; `watch.allow("ERR_INTERNET_DISCONNECTED")` expects some.
- `site` shares web server, worker and beat with the other tests of the module. A test that kills or sets
  them up otherwise takes `start_site(GROUNDCREW_SWEEP_SECONDS="1")`, which starts services of its own.
- `wait_for(page, look)` (tests.e2e.site) waits for something in the database, `check_accessible(page)`
  (tests.e2e.axe) runs axe.
- `record_property("figure", "9 ms a frame")` shows what was measured at the end of the run.
- `@pytest.mark.both_databases` has a test run on PostgreSQL with Redis as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import pytest
from django.db import connection
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from config.serve import Server
from scripts.browser import HELP, find, this_machine
from tests.e2e.site import Site
from tests.e2e.watch import Watch
from tests.services import services_of_test
from tests.shared import ROOT

ARGUMENTS = [
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    # Nothing beyond this machine is ever found, whatever a page asks for.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
ACTION_SECONDS = 10
NOTHING_IS_STORED = {"profile": {"default_content_setting_values": {"cookies": 2}}}
"""Chromium's preference by which no site may keep cookies, nor anything else that stays."""


class NewContext(Protocol):
    def __call__(self, **options: Any) -> BrowserContext: ...


class StartSite(Protocol):
    def __call__(self, **env: str) -> Site: ...


@pytest.fixture(scope="session")
def executable() -> str:
    """The browser's path. It is found, never installed: that is what `make test` does first."""
    if not (ROOT / "frontend" / "dist" / "index.html").exists():
        pytest.fail("The workers' pages are not built: make frontend")
    return find(this_machine()) or pytest.fail(HELP)


@pytest.fixture(scope="module")
def browser(executable: str) -> Iterator[Browser]:
    """One a module, so that the event loop below is gone before tests of other kinds run in this process."""
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright's synchronous calls run an event loop in this thread, beside which Django refuses to use
        # the database. Nothing of ours runs in that loop, so no call of Django's can block it.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def watch() -> Iterator[Watch]:
    watch = Watch()
    yield watch
    watch.check()


@pytest.fixture
def new_context(browser: Browser, watch: Watch, transactional_db: None) -> Iterator[NewContext]:
    """Contexts of this test, watched. They close before the database is emptied."""
    opened: list[BrowserContext] = []

    def new(**options: Any) -> BrowserContext:
        context = browser.new_context(**options)
        context.set_default_timeout(ACTION_SECONDS * 1000)
        watch.attach(context)
        opened.append(context)
        return context

    yield new
    for context in opened:
        context.close()


@pytest.fixture
def storing_nothing(
    browser: Browser, executable: str, watch: Watch, tmp_path: Path
) -> Iterator[BrowserContext]:
    """A browser whose user has forbidden all storage."""
    preferences = tmp_path / "profile" / "Default" / "Preferences"
    preferences.parent.mkdir(parents=True)
    preferences.write_text(json.dumps(NOTHING_IS_STORED))
    context = browser.browser_type.launch_persistent_context(
        preferences.parent.parent, executable_path=executable, args=ARGUMENTS
    )
    watch.attach(context)
    yield context
    context.close()


@pytest.fixture
def page(new_context: NewContext) -> Page:
    return new_context().new_page()


@pytest.fixture(scope="module")
def shared_services(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], Server]]:
    """Web server, worker and beat for all tests of a module, from the first that asks for them."""
    with ExitStack() as stack:
        running: list[Server] = []

        def services() -> Server:
            if not running:
                running.append(stack.enter_context(services_of_test(tmp_path_factory.mktemp("logs"))))
            running[0].check()
            return running[0]

        yield services


@pytest.fixture
def start_site(transactional_db: None, tmp_path: Path) -> Iterator[StartSite]:
    """Sites with services of their own, with these environment variables."""
    with ExitStack() as stack:
        yield lambda **env: Site(stack.enter_context(services_of_test(tmp_path / "logs", **env)))


@pytest.fixture
def site(shared_services: Callable[[], Server], start_site: StartSite, transactional_db: None) -> Site:
    # PostgreSQL may find a deadlock between running services and the emptying of tables at a test's end.
    return Site(shared_services()) if connection.vendor == "sqlite" else start_site()
