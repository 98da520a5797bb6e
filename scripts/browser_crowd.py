"""A crowd at Prolific's emulator in browsers. Each worker has a page, and they take turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Playwright, sync_playwright

from scripts.browser import ARGUMENTS
from scripts.hand import COUNT_PRESSES
from scripts.participant import Participant, Sent
from scripts.seen_pages import PATIENCE, LostError
from simulation.client import ApiError
from simulation.emulators.prolific.handle import Handle
from simulation.management.commands.simulate import Command
from simulation.participants import Participants
from simulation.worker_mind import Mind
from simulation.workers import Tally
from tests.e2e.turking import ICON
from tests.e2e.watch import Watch

WINDOW: Any = {"width": 1280, "height": 1000}
MAX_FAILURES = 5
"""How many times in all workers may fail to get on with a page. Each page is tried again from the list."""
PAUSE = 0.25
"""Seconds between looks for work if nobody in a browser has any."""
ACTION_MS = 60_000
BUSY = "status of 503"
"""A browser's message if SQLite was busy with another request. Pages ask again, and it is counted."""


class BrowserTroubleError(ApiError):
    """There is no browser, or on too many pages a worker did not get on. The message tells of each page."""


@dataclass
class Record:
    """What happened in the browsers. Threads only append to it."""

    folder: Path
    """The folder of screenshots."""
    sent: list[Sent] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    watch: Watch = field(default_factory=Watch)

    def __post_init__(self) -> None:
        # If our API refuses something, the page shows it, and the browser writes it on its console.
        self.watch.allow(ICON, BUSY, *(f"status of {status}" for status in (400, 403, 404, 409)))

    def busy(self) -> int:
        """Return how many replies said that the service is busy."""
        return sum(BUSY in text for text in self.watch.troubles)

    def failed(self, worker: Participant, error: Exception) -> None:
        """Note a failure. Raises BrowserTroubleError if it was one too many."""
        picture = self.folder / f"failure-{len(self.failures) + 1}.png"
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            worker.page.screenshot(path=picture)
            seen = f"screenshot {picture.name}"
        except Error as none:
            seen = f"no screenshot: {str(none).splitlines()[0]}"
        told = " / ".join(str(error).splitlines()[:3])
        self.failures.append(f"{worker.name} at {worker.page.url}: {type(error).__name__}: {told} ({seen})")
        if len(self.failures) > MAX_FAILURES:
            raise BrowserTroubleError("\n".join(["workers do not get on:", *self.failures]))


@dataclass
class Browsing(Participants):
    """`workers` people who take turns in so many `browsers`. Each browser has one thread."""

    browsers: int = field(kw_only=True)
    executable: str = field(kw_only=True)
    record: Record = field(kw_only=True)
    _seated: int = 0

    def __post_init__(self) -> None:
        if self.manners.dropout:
            raise ValueError("nobody in a browser walks away from a page: no --dropout")

    def _seats(self) -> int:
        return min(self.browsers, self.workers)

    def _let_all_work(self, names: Iterator[tuple[int, str]]) -> None:
        with self._lock:
            place, self._seated = self._seated, self._seated + 1
        share = self.workers // self._seats() + (place < self.workers % self._seats())
        with sync_playwright() as playwright:
            browser = self._launch(playwright)
            here = [self._arrive(browser, names) for _ in range(share)]
            while not self._stop.is_set():
                worked = [self._let_turn(worker) for worker in here if not self._stop.is_set()]
                for at, worker in enumerate(here):
                    if self.manners.patience is not None and worker.idle > self.manners.patience:
                        self._report(Tally(idle=1))
                        worker.page.context.close()
                        here[at] = self._arrive(browser, names)
                if not any(worked):
                    self._stop.wait(PAUSE)
            browser.close()

    def _launch(self, playwright: Playwright) -> Browser:
        try:
            return playwright.chromium.launch(executable_path=self.executable, args=ARGUMENTS)
        except Error as error:
            raise BrowserTroubleError(f"{self.executable} does not start: {error}") from error

    def _arrive(self, browser: Browser, names: Iterator[tuple[int, str]]) -> Participant:
        somebody = self._next(names)
        assert somebody, "who leaves comes back later: names go round"
        number, name = somebody
        rng, character = self._somebody(number)
        return Participant(
            self._context(browser).new_page(),
            *(self.emulator.url, name, number, Mind(self.truth, character, rng), rng, self.manners),
            sent=self.record.sent,
            findings=self.record.findings,
        )

    def _context(self, browser: Browser) -> BrowserContext:
        context = browser.new_context(viewport=WINDOW, reduced_motion="reduce")
        context.set_default_timeout(ACTION_MS)
        context.add_init_script(COUNT_PRESSES)
        self.record.watch.attach(context)
        return context

    def _let_turn(self, worker: Participant) -> bool:
        """Let a worker take a turn. Return whether something was done."""
        try:
            done = worker.turn()
        except (Error, LostError, AssertionError) as error:
            self.record.failed(worker, error)
            worker.leave_off()
            done = Tally(lost=1)
        self._report(done)
        return bool(done.pages or done.tested or done.given_back)


class ByBrowser(Command):
    """The command `simulate`, with this crowd instead of one that speaks HTTP."""

    def __init__(self, browsers: int, executable: str, record: Record) -> None:
        super().__init__()
        self.browsers, self.executable, self.record = browsers, executable, record
        self.project = ""

    def handle(self, *args: Any, **options: Any) -> None:
        self.project = options["project"]
        super().handle(*args, **options)

    def participants(self, *told: Any, emulator: Handle) -> Participants:
        crowd = Browsing(
            *told, emulator=emulator, browsers=self.browsers, executable=self.executable, record=self.record
        )
        crowd.stalled_after = 3 * PATIENCE
        return crowd
