"""Pictures of every page: `make screenshots`. With --readme, those the README shows, into docs/images/.

They are taken of a site of its own in a temporary folder, so that nobody's work is in them.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any, Literal

import PIL.Image
from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, sync_playwright
from tqdm import tqdm

from config.serve import ServiceFailed
from scripts.browser import BrowserUnavailableError, obtain, this_machine
from scripts.dashboards import PAGES as DASHBOARDS
from scripts.dashboards import Dashboards
from scripts.inspected import PAGES as INSPECTED
from scripts.inspected import Inspected
from scripts.managed import PAGES as MANAGED
from scripts.managed import Managed
from scripts.photographed import PROJECT, TESTED, Photographed, photographed
from scripts.reviewed import PAGES as REVIEW
from scripts.reviewed import Reviewed

ROOT = Path(__file__).resolve().parent.parent
EVERYTHING = ROOT / "screenshots"
FOR_README = ROOT / "docs" / "images"

RESEARCH = (*REVIEW, *DASHBOARDS, *INSPECTED, *MANAGED)
STAGES = ("link", "verification", "requirement", "drawing", "quality", "coverage")
PAGES = (
    *("sign-in", "home", *STAGES, "instructions", "overview", "done", "me"),
    *(f"preview-{stage}" for stage in STAGES),
    *("tasks-with-tests", "test-begins", "practice", "practice-explained", "test-ready", "test"),
    *("test-overview", "test-failed", "test-waits", "standing"),
    *RESEARCH,
)
DEVICES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "has_touch": True,
        "is_mobile": True,
    },
}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
README = (
    *("home-desktop-light", "link-desktop-light", "drawing-desktop-dark"),
    *("quality-desktop-light", "drawing-phone-light", "requirement-phone-dark"),
    *("review-chain-desktop-light", "dashboard-desktop-light", "inspector-desktop-light"),
)
HIGHEST = 1720
"""Pixels of a picture of the README: what is below is cut off."""
QUALITY = 80
"""Of the README's WebP files: texts stay sharp at a fifth of a PNG's bytes."""
WORKER = "ada"
READ_MS = 300
"""Between two keys: the pages take none before anybody can have read the question."""
# What is fetched is not yet drawn.
_numbers = count(1)
DRAWN = """() => Promise.all([...document.images].map((image) => image.decode().catch(() => null)))
  .then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))"""


def main() -> int:
    """Returns 0, or 1 when there is no browser or the site does not come up; stderr says why."""
    parser = argparse.ArgumentParser(prog="scripts.screenshots", description=__doc__.splitlines()[0])
    parser.add_argument("--readme", action="store_true", help="those of the README, into docs/images")
    parser.add_argument("--into", type=Path, default=EVERYTHING, help="a folder (default: screenshots)")
    parser.add_argument("names", nargs="*", help="only these, such as home-phone-dark")
    options = parser.parse_args()
    if unknown := set(options.names) - set(_names()):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(_names())}")
    wanted = README if options.readme else tuple(options.names) or _names()
    folder = FOR_README if options.readme else options.into
    try:
        executable = obtain(this_machine())
        with tempfile.TemporaryDirectory(prefix="groundcrew-screenshots-") as var:
            print("Drawing scenes and letting a simulated crowd annotate them ...", flush=True)
            with (
                photographed(Path(var)) as site,
                sync_playwright() as playwright,
                tqdm(total=len(wanted), desc="Screenshots", disable=None) as bar,
            ):
                browser = playwright.chromium.launch(executable_path=executable)
                for name, picture in _shots(browser, site, wanted):
                    _write(folder / name, picture, options.readme)
                    bar.update()
                browser.close()
    except (BrowserUnavailableError, ServiceFailed, Error) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(wanted)} {'picture' if len(wanted) == 1 else 'pictures'} in {os.path.relpath(folder)}/")
    return 0


def _names() -> tuple[str, ...]:
    return tuple(f"{page}-{device}-{theme}" for page in PAGES for device in DEVICES for theme in THEMES)


def _shots(browser: Browser, site: Photographed, wanted: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """Name and PNG of each wanted picture."""
    reviewed = Reviewed(PROJECT)
    researched: dict[str, Reviewed | Dashboards | Inspected | Managed] = {
        **dict.fromkeys(REVIEW, reviewed),
        **dict.fromkeys(DASHBOARDS, Dashboards()),
        **dict.fromkeys(INSPECTED, Inspected(PROJECT)),
        **dict.fromkeys(MANAGED, Managed(PROJECT)),
    }
    for device, options in DEVICES.items():
        for theme in THEMES:
            names = {page: f"{page}-{device}-{theme}" for page in PAGES}
            last = max((PAGES.index(page) for page in PAGES if names[page] in wanted), default=None)
            if last is None:
                continue
            context = browser.new_context(**options, color_scheme=theme, reduced_motion="reduce")
            errors: list[str] = []
            context.on("console", partial(_keep_error, errors))
            walk = Walk(context.new_page(), site)
            # What researchers see hangs on nothing that workers do on the way.
            for page in PAGES[: last + 1]:
                if page in RESEARCH:
                    if names[page] not in wanted:
                        continue
                    session = reviewed.session  # first: what managers see is partly about this user
                    _research(walk.page, site, researched[page].paths[page], session)
                elif any(
                    names[later] in wanted for later in PAGES[PAGES.index(page) :] if later not in RESEARCH
                ):
                    walk.to(page)
                if names[page] in wanted:
                    walk.page.wait_for_load_state("networkidle")
                    walk.page.evaluate(DRAWN)
                    if errors:
                        raise Error(f"{names[page]} is not well: {errors}")
                    yield names[page], walk.page.screenshot(full_page=page in RESEARCH)
            context.close()


def _research(page: Page, site: Photographed, path: str, session: str) -> None:
    """A researcher's page; they need no walk."""
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    page.goto(f"{site.url}/admin/{path}")
    for part in (".editor", "[data-views]"):
        if page.locator(part).count():
            page.locator(f"{part} svg[data-phase=ready]").first.wait_for()


class Walk:
    """A worker's way through all pages, in the order of PAGES. All it submits is a page of links.

    So every device shows the same work, and a next page of links.
    """

    def __init__(self, page: Page, site: Photographed) -> None:
        self.page, self.site = page, site
        self.tests = Tests(page, site, next(_numbers))

    def to(self, name: str) -> None:
        page, url = self.page, self.site.url
        if name == "sign-in":
            page.goto(f"{url}/work/")
        elif name == "home":
            page.goto("about:blank")  # otherwise only what comes after # would change
            page.goto(self.site.link(WORKER))
            page.get_by_text("Work is waiting").first.wait_for()
        elif name in STAGES:
            page.goto(f"{url}/work/{name}/")
            _close_instructions(page)
            if name == "drawing":
                self._draw()
        elif name == "instructions":
            page.goto(f"{url}/work/drawing/")
            _question(page, 1).wait_for()
            page.keyboard.press("?")
            page.get_by_role("dialog").wait_for()
        elif name == "overview":
            page.goto(f"{url}/work/link/")
            self._answer_links()
        elif name == "done":
            page.keyboard.press("Enter")
            page.get_by_role("heading", name="Page done").wait_for()
        elif name == "me":
            page.goto(f"{url}/work/me/")
        elif not name.startswith("preview-"):
            self.tests.to(name)
        else:
            page.goto(f"{url}/work/preview/{name.removeprefix('preview-')}/")
            _question(page, 1).wait_for()

    def _draw(self) -> None:
        """The first box that is to be drawn, by the four points that it reaches to."""
        question, answer = self.site.right_answers(WORKER, "drawing")[0]
        if answer["box"] is None:
            return
        self.page.wait_for_load_state("networkidle")
        self.page.evaluate(DRAWN)
        shown = self.page.locator("img[src*='/media/']").first.bounding_box()
        assert shown
        scale = shown["width"] / question["image"]["width"]
        left, top, right, bottom = (scale * edge for edge in answer["box"])
        middle, centre = (left + right) / 2, (top + bottom) / 2
        for x, y in ((middle, top), (middle, bottom), (left, centre), (right, centre)):
            self.page.mouse.click(shown["x"] + x, shown["y"] + y)

    def _answer_links(self) -> None:
        for number, (_, answer) in enumerate(self.site.right_answers(WORKER, "link"), start=1):
            _question(self.page, number).wait_for()
            self.page.wait_for_timeout(READ_MS)
            self.page.keyboard.press("y" if answer["same"] else "n")
        self.page.get_by_role("heading", name="Your answers").wait_for()


class Tests:
    """The way of somebody new to a stage: practice, a test that fails, and a wait. One a device and theme."""

    def __init__(self, page: Page, site: Photographed, number: int) -> None:
        self.page, self.site, self.number = page, site, number

    def to(self, name: str) -> None:
        page = self.page
        match name:
            case "tasks-with-tests":
                page.goto("about:blank")
                page.goto(self.site.link(f"newcomer-{self.number}", TESTED))
                page.get_by_text("A test comes first").first.wait_for()
            case "test-begins":
                page.goto(f"{self.site.url}/work/drawing/")
                page.get_by_role("heading", name="Examples").wait_for()
            case "practice":
                page.get_by_role("button", name="Start").click()
                page.locator("svg[data-phase=ready]").wait_for()
            case "practice-explained":
                self._answer()
                page.get_by_role("heading", name="Not quite").wait_for()
            case "test-ready":
                page.get_by_role("button", name="On to the test").click()
                page.get_by_role("heading", name="Now the test").wait_for()
            case "test":
                page.get_by_role("button", name="Begin the test").click()
                _question(page, 1).wait_for()
            case "test-overview":
                for number in (1, 2):
                    _question(page, number).wait_for()
                    self._answer()
                page.get_by_role("heading", name="Your answers").wait_for()
            case "test-failed":
                page.get_by_role("button", name="Hand in the test").click()
                page.get_by_role("heading", name="Not passed this time").wait_for()
            case "test-waits":
                page.goto(f"{self.site.url}/work/drawing/")
                page.get_by_role("heading", name="You can try again later").wait_for()
            case _:
                page.goto(f"{self.site.url}/work/me/")
                page.get_by_text("was not passed").wait_for()

    def _answer(self) -> None:
        """A box that is never right, in the photograph's middle."""
        self.page.locator("svg[data-phase=ready]").wait_for()
        self.page.wait_for_timeout(READ_MS)
        self.page.keyboard.press("n")
        self.page.keyboard.press("Enter")


def _keep_error(errors: list[str], message: ConsoleMessage) -> None:
    # Who has to pass a test first is refused a page: the browser says so on its console.
    if message.type == "error" and "status of 403" not in message.text:
        errors.append(message.text)


def _question(page: Page, number: int) -> Locator:
    return page.locator(f"[aria-label^='Question {number} of ']")


def _close_instructions(page: Page) -> None:
    """Those that a stage opens with for somebody new."""
    page.get_by_role("dialog").get_by_role("button", name="To the questions").click()
    _question(page, 1).wait_for()


def _write(path: Path, png: bytes, readme: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not readme:
        path.with_suffix(".png").write_bytes(png)
        return
    with PIL.Image.open(BytesIO(png)) as picture:
        shown = picture.crop((0, 0, picture.width, min(picture.height, HIGHEST)))
        shown.convert("RGB").save(path.with_suffix(".webp"), quality=QUALITY, method=6)


if __name__ == "__main__":
    sys.exit(main())
