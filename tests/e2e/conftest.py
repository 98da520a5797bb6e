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
- `site` shares web server, worker and beat with the other tests of the folder. A test that sets them up
  otherwise takes `shared_site(GROUNDCREW_SWEEP_SECONDS="1")`, whose services last until a test wants others,
  or `start_site(...)`, which starts services of its own: then, and wherever `site` is not this one, those
  that are shared do not run.
- `wait_for(page, look)` (tests.e2e.site) waits for something in the database, `check_accessible(page)`
  (tests.e2e.axe) runs axe.
- `record_property("figure", "9 ms a frame")` shows what was measured at the end of the run.
- `@pytest.mark.both_databases` has a test run on PostgreSQL with Redis as well, `@pytest.mark.journey` in
  `make test` (tests/selection.py).
- `@pytest.mark.full_chromium` is for a test that sets preferences in a browser's profile: the browser of last
  resort reads none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from config.serve import Server
from scripts import packaged_chromium
from scripts.browser import ARGUMENTS, HELP, SHELL_VARIABLE, find, this_machine
from tests.e2e.lasting import Lasting, lasting_of
from tests.e2e.site import Site
from tests.e2e.watch import Watch
from tests.services import services_of_test
from tests.shared import ROOT

ACTION_SECONDS = 30
expect.set_options(timeout=ACTION_SECONDS * 1000)  # like a click, since a busy machine shows things late
NOTHING_IS_STORED = {"profile": {"default_content_setting_values": {"cookies": 2}}}
"""A preference of Chromium. With it, no site may keep cookies or anything else."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run tests with services of their own first, since each of them would end the shared services.

    Then come those that share services with other settings.
    """

    def place(item: pytest.Item) -> int:
        fixtures = getattr(item, "fixturenames", ())
        return 0 if "shared_services" not in fixtures else 1 if "shared_site" in fixtures else 2

    here = [number for number, item in enumerate(items) if item.path.parent == Path(__file__).parent]
    for number, item in zip(here, sorted((items[number] for number in here), key=place), strict=True):
        items[number] = item


class NewContext(Protocol):
    def __call__(self, **options: Any) -> BrowserContext: ...


class StartSite(Protocol):
    def __call__(self, **env: str) -> Site: ...


@pytest.fixture(scope="session")
def executable() -> str:
    """Return the browser's path. It is only looked for, since `make test` installs it before."""
    if not (ROOT / "frontend" / "dist" / "index.html").exists():
        pytest.fail("The workers' pages are not built: make frontend")
    return find(this_machine()) or pytest.fail(HELP)


@pytest.fixture(autouse=True)
def enough_of_a_browser(request: pytest.FixtureRequest) -> None:
    """Skip a test, and say so, if the only browser here is the one of last resort and cannot run it."""
    if request.node.get_closest_marker("full_chromium") is None:
        return
    if request.getfixturevalue("executable") == str(packaged_chromium.path()):
        pytest.skip(packaged_chromium.LACKING)


@pytest.fixture(scope="module")
def lasting(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Lasting:
    return lasting_of(request.node, lambda: tmp_path_factory.mktemp("logs"))


@pytest.fixture
def browser(lasting: Lasting, executable: str) -> Browser:
    """Return the folder's browser: a headless shell if `make test` or `make test-all` has found one."""
    return lasting.browser(os.environ.get(SHELL_VARIABLE) or executable)


@pytest.fixture(autouse=True)
def no_others_services(request: pytest.FixtureRequest, lasting: Lasting) -> None:
    """End the shared services. They would take the tasks of this test's services, with other settings."""
    if "shared_services" not in request.fixturenames:
        lasting.stop_services()


@pytest.fixture
def watch() -> Iterator[Watch]:
    watch = Watch()
    yield watch
    watch.check()


@pytest.fixture
def new_context(browser: Browser, watch: Watch, transactional_db: None) -> Iterator[NewContext]:
    """Return a function that makes watched contexts. They are closed before the database is emptied."""
    opened: list[BrowserContext] = []

    def new(**options: Any) -> BrowserContext:
        # Requests of a page that a service worker controls cannot be held back by a test. Few tests need one.
        context = browser.new_context(**{"service_workers": "block"} | options)
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
    """Yield a context of a browser whose user has forbidden all storage."""
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


@pytest.fixture
def shared_services(django_db_setup: None, lasting: Lasting) -> Callable[..., Server]:
    """Return a function that starts web server, worker and beat if they do not run yet."""
    return lasting.services


@pytest.fixture
def start_site(transactional_db: None, tmp_path: Path) -> Iterator[StartSite]:
    """Yield a function that starts sites with services of their own, with these environment variables."""
    with ExitStack() as stack:
        yield lambda **env: Site(stack.enter_context(services_of_test(tmp_path / "logs", **env)))


@pytest.fixture
def site(shared_services: Callable[..., Server], transactional_db: None) -> Site:
    return Site(shared_services())


@pytest.fixture
def shared_site(shared_services: Callable[..., Server], transactional_db: None) -> StartSite:
    """Return a function like `start_site`, whose services go on for the next test that wants the same."""
    return lambda **env: Site(shared_services(**env))
