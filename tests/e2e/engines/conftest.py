"""Firefox and WebKit, each started once in a run, when the first test asks for it. How to write a test:

    @in_each_engine                                      # tests.e2e.engines.engine
    def test_it(engine: Engine, site: Site) -> None:
        site.open("link", items=2)
        hands = Pointer(engine, "mouse")                 # tests.e2e.engines.hands
        hands.go(site.worker_link("link"))
        ...

- Each test begins as somebody who was never there: nothing is stored.
- Errors on the browser's console fail the test at its end; `engine.allow("status of 403")` expects some.
- A browser that is not installed skips its tests. The summary says which one, and what to install.
- A driver that gives no answer skips the test, too, except by night: it says nothing of our pages, and has
  happened once with WebKit's. The summary names it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest

from scripts import engines as programs
from tests.e2e.engines.engine import Engine, SilentError
from tests.e2e.engines.firefox import firefox
from tests.e2e.engines.webkit import webkit
from tests.shared import ROOT


def _start(name: str, folder: Path) -> AbstractContextManager[Engine]:
    paths = [programs.find(program) or "" for program in programs.ENGINES[name]]
    return firefox(folder, *paths) if name == "firefox" else webkit(folder, *paths)


@pytest.fixture(scope="session")
def start_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Engine]]:
    """Yield a function that returns the engine of this name. The first call starts it."""
    running: dict[str, Engine] = {}
    with ExitStack() as stack:

        def start(name: str) -> Engine:
            if name not in running or running[name].silent:
                running[name] = stack.enter_context(_start(name, tmp_path_factory.mktemp(name)))
            return running[name]

        yield start


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Skip a test whose driver falls silent."""
    try:
        return (yield)
    except SilentError as error:
        _skip_unless_by_night(pyfuncitem.config, error)
        raise


def _skip_unless_by_night(config: pytest.Config, error: SilentError) -> None:
    if config.getoption("--suite") != "nightly":
        pytest.skip(f"NOT TRIED: {error}")


@pytest.fixture
def engine(
    request: pytest.FixtureRequest, start_engine: Callable[[str], Engine], transactional_db: None
) -> Iterator[Engine]:
    """Yield the engine that the test's parameter names. Its page is closed before the database is emptied."""
    if missing := programs.lacking(request.param):
        pytest.skip(missing)
    if not (ROOT / "frontend" / "dist" / "index.html").exists():
        pytest.fail("The workers' pages are not built: make frontend")
    try:
        browser = start_engine(request.param)
    except SilentError as error:
        _skip_unless_by_night(request.config, error)
        raise
    yield browser
    if browser.silent:
        return
    try:
        browser.check()
    finally:
        browser.forget()
