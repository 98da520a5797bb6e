"""Pictures of every page: `make screenshots`. With --readme, those that the README shows.

They are taken of a site of its own in a temporary folder, so that they show nobody's work. Those of the
README are written to docs/images/.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import PIL.Image
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, sync_playwright
from tqdm import tqdm

from config.serve import ServiceFailed
from scripts.browser import BrowserUnavailableError, obtain, this_machine
from scripts.pictured_console import PAGES as MANAGED
from scripts.pictured_console import Managed
from scripts.pictured_dashboards import PAGES as DASHBOARDS
from scripts.pictured_dashboards import Dashboards
from scripts.pictured_inspector import PAGES as INSPECTED
from scripts.pictured_inspector import Inspected
from scripts.pictured_review import PAGES as REVIEW
from scripts.pictured_review import Reviewed
from scripts.pictured_site import PROJECT, Photographed, photographed
from scripts.pictured_work import DRAWN, FAST_PAGES, JOINT, SCROLLED, STAGES, Walk

ROOT = Path(__file__).resolve().parent.parent
EVERYTHING = ROOT / "screenshots"
FOR_README = ROOT / "docs" / "images"

LOGIN = "login"
RESEARCH = (LOGIN, *REVIEW, *DASHBOARDS, *INSPECTED, *MANAGED)
WHOLE = """() => {
  scrollTo(0, 0);
  const stuck = ".review .bar:not(.editor *), .gallery .keys, #submit-row";
  for (const one of document.querySelectorAll(stuck)) one.style.position = "static";
}"""
"""Prepares a picture of a whole page, of which a bar at the window's edge would cover a part."""
PAGES = (
    *("sign-in", "join", "home", *STAGES, "instructions", "overview", "done", "me", "no-such-page"),
    *FAST_PAGES,
    *(f"preview-{stage}" for stage in (*STAGES, *JOINT)),
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
    "crowd-desktop-light",
)
HIGHEST = 1720
"""The height in pixels at which a picture of the README is cut off."""
QUALITY = 80
"""The quality of the README's WebP files. Texts stay sharp, with a fifth of a PNG's bytes."""


def main() -> int:
    """Take the pictures.

    Return 0, or 1 if there is no browser or the site does not start; stderr says why.
    """
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
    """Yield the name and the PNG of each wanted picture."""
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
            # What researchers see does not depend on what workers do on the way.
            for page in PAGES[: last + 1]:
                if page in RESEARCH:
                    if names[page] not in wanted:
                        continue
                    if page == LOGIN:
                        walk.page.goto(f"{site.url}/admin/login/")
                    else:
                        session = reviewed.session  # comes first: what managers see is partly about this user
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
                    whole = page in RESEARCH or page in SCROLLED
                    if whole:
                        walk.page.evaluate(WHOLE)
                    yield names[page], walk.page.screenshot(full_page=whole)
            context.close()


def _research(page: Page, site: Photographed, path: str, session: str) -> None:
    """Open a researcher's page, which can be opened directly."""
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    page.goto(f"{site.url}/admin/{path}")
    for part in (".editor", "[data-views]", "[data-expert]"):
        if page.locator(part).count():
            page.locator(f"{part} svg[data-phase=ready]").first.wait_for()


def _keep_error(errors: list[str], message: ConsoleMessage) -> None:
    # A worker who has to pass a test first is refused a page, and the browser writes that on its console.
    # An address that leads nowhere is refused as well.
    itself = message.page is not None and message.location.get("url") == message.page.url
    if message.type == "error" and "status of 403" not in message.text and not itself:
        errors.append(message.text)


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
