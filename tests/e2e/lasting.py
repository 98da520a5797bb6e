"""What tests in a browser share, since starting it takes longer than most of these tests.

It lasts from the first test that asks for it to the last test of their folder in this process. Tests of other
kinds follow, and they need a thread without an event loop, and no worker and beat beside them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from config.serve import Server, ServiceFailed
from scripts.browser import ARGUMENTS
from tests.services import services_of_test

FOLDER = Path(__file__).parent
HOSTS = "127.0.0.1,.localhost"
"""The names of the services. Names that are not addresses are for tests that zoom (tests.e2e.zoomed)."""


class Lasting:
    """A browser and services. Each is started when it is wanted and does not run.

    `logs` makes a new folder.
    """

    def __init__(self, logs: Callable[[], Path]) -> None:
        self._logs = logs
        self._browsers = ExitStack()
        self._services = ExitStack()
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._server: Server | None = None
        self._env: dict[str, str] = {}

    def browser(self, executable: str) -> Browser:
        if self._playwright is None:
            # Playwright's synchronous calls run an event loop in this thread, and Django then refuses to use
            # the database here. Nothing of ours runs in that loop, so no call of Django's can block it.
            patch = self._browsers.enter_context(pytest.MonkeyPatch.context())
            self._playwright = self._browsers.enter_context(sync_playwright())
            patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        if self._browser is None or not self._browser.is_connected():
            self._browser = self._playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        return self._browser

    def services(self, **env: str) -> Server:
        """Return services with these variables. Those of the last call go on if it had the same ones."""
        if self._server is None or self._env != env:
            self.stop_services()
            self._env = env
            self._server = self._services.enter_context(
                services_of_test(self._logs(), 0, GROUNDCREW_HOSTS=HOSTS, **env)
            )
        try:
            self._server.check()
        except ServiceFailed:
            with suppress(ServiceFailed):
                self.stop_services()  # the next test starts them again
            raise
        return self._server

    def stop_services(self) -> None:
        self._server = None
        self._services.close()

    def close(self) -> None:
        with self._browsers:
            self.stop_services()
            if self._browser is not None:
                self._browser.close()


KEY = pytest.StashKey[Lasting]()


def lasting_of(module: pytest.Item | pytest.Collector, logs: Callable[[], Path]) -> Lasting:
    """Return the one of the folder that the module is in. It is closed after the folder's last test."""
    folder = next(node for node in module.iter_parents() if node.path == FOLDER)
    if KEY not in folder.stash:
        folder.stash[KEY] = lasting = Lasting(logs)

        def close() -> None:
            del folder.stash[KEY]
            lasting.close()

        folder.addfinalizer(close)
    return folder.stash[KEY]
