"""Fixtures and options that every test may use."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker
from whitenoise.middleware import WhiteNoiseMiddleware

from config.celery import app
from config.serve import Server
from tests.databases import emptied_after_tests, made_from_template
from tests.selection import LEFT, SUITES, report, select
from tests.services import services_of_test
from workflows.core.guards import remove_guards


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--suite",
        choices=SUITES,
        help="run what the command of this suite runs on this database: tests/selection.py says it",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    chosen = select(config, items)
    kept = {id(item) for item in chosen}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in kept])
    items[:] = chosen


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over modules and tests, which stay to the end, and look less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


class Left:
    """Receives from each process of pytest-xdist how many tests it left.

    All processes collect the same tests.
    """

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        if (left := getattr(node, "workeroutput", {}).get("left")) is not None:
            node.config.stash[LEFT] = left


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Left())


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    """Show what tests measured: `record_property("figure", "a line")`.

    Their output is not shown.
    """
    reports = (report for reports in terminalreporter.stats.values() for report in reports)
    figures = [
        value
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, value in report.user_properties
        if name == "figure"
    ]
    if figures:
        terminalreporter.section("figures")
        for line in figures:
            terminalreporter.write_line(line)
    if (left := config.stash.get(LEFT, None)) is not None:
        terminalreporter.write_line(report(left))


@pytest.fixture(scope="session")
def django_db_setup(request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Make the test database of this process, like pytest-django but faster (tests.databases)."""

    def make() -> None:
        request.getfixturevalue("django_db_setup")

    databases = ExitStack()
    with django_db_blocker.unblock():
        databases.enter_context(made_from_template(make))
        databases.enter_context(emptied_after_tests())
    yield
    with django_db_blocker.unblock():
        databases.close()


@pytest.fixture(scope="session", autouse=True)
def static_files_found_once() -> Iterator[None]:
    """Let all test clients share what WhiteNoise reads of each static file at the start of a server.

    Each client has middleware of its own. So otherwise most tests would read the same 260 files again.
    """
    real = WhiteNoiseMiddleware.add_files_from_finders
    found: dict[str, Any] = {}

    def add(middleware: WhiteNoiseMiddleware) -> None:
        place = repr(settings.STATICFILES_DIRS)
        if place not in found:
            real(middleware)
            found[place] = middleware.files
        middleware.files = found[place]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add)
        yield


@pytest.fixture
def unguarded(db: None) -> None:
    """Let the test change rows of append-only tables. What it does is rolled back, guards included."""
    assert connection.in_atomic_block, "a test with transactions of its own takes tests.unguarded"
    remove_guards()


@pytest.fixture
def eager_tasks() -> Iterator[None]:
    """Run tasks where they are called, and raise their errors there."""
    before = app.conf.task_always_eager, app.conf.task_eager_propagates
    app.conf.task_always_eager = app.conf.task_eager_propagates = True
    yield
    app.conf.task_always_eager, app.conf.task_eager_propagates = before


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the files and folders that are synced, in their order."""
    found: list[Path] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        real(descriptor)
        found.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")))

    monkeypatch.setattr(os, "fsync", fsync)
    return found


@pytest.fixture(scope="module")
def services_of_module(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with services_of_test(tmp_path_factory.mktemp("logs")) as server:
        yield server


@pytest.fixture
def services(services_of_module: Server, transactional_db: None) -> Server:
    """Return web server, Celery worker and beat in processes of their own, on the database of this test.

    The tests of a module share them, so a module has no other tests that need a worker of their own.
    """
    services_of_module.check()
    return services_of_module
