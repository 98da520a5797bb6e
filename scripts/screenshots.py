"""Pictures of every page: `make screenshots`. With --readme, those that the documentation shows.

They are taken of what two demos leave behind in a temporary folder: one by the paper's protocol, and one by
`entities-fast` through Mechanical Turk's emulator. Researchers' pages are found by their addresses, so that
a new one is photographed, too. Those of the documentation are written to docs/images/.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import django
import PIL.Image
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, sync_playwright

from config.serve import ServiceFailed
from scripts.browser import BrowserUnavailableError, obtain, this_machine
from scripts.pictured_work import DRAWN, PAGES, SCROLLED, Walk

ROOT = Path(__file__).resolve().parent.parent
EVERYTHING = ROOT / "screenshots"
FOR_README = ROOT / "docs" / "images"
DEMOS = (("--scenes", "24"), ("--scenes", "12", "--provider", "mturk", "--protocol", "fast"))
RESEARCHER = "rita"
WHOLE = """() => {
  scrollTo(0, 0);
  const stuck = ".review .bar:not(.editor *), .gallery .keys, #submit-row";
  for (const one of document.querySelectorAll(stuck)) one.style.position = "static";
}"""
"""Prepares a picture of a whole page, of which a bar at the window's edge would cover a part."""
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
README = {
    **{name: name for name in ("home-desktop-light", "link-desktop-light", "drawing-desktop-dark")},
    **{name: name for name in ("quality-desktop-light", "drawing-phone-light", "requirement-phone-dark")},
    "review-chain-desktop-light": "review-chain-desktop-light",
    "dashboards-batch-desktop-light": "dashboard-desktop-light",
    "inspector-image-desktop-light": "inspector-desktop-light",
    "crowd-batch-desktop-light": "crowd-desktop-light",
}
"""The pictures of the documentation, and the names of their files there."""
BLOCKED = {
    "admin-axes_accessattempt_changelist": "django-unfold sets the width of a list of actions by a style",
}
"""Pages on which the Content Security Policy blocks something that they do without."""
HIGHEST = 1720
"""The height in pixels at which a picture of the README is cut off."""
QUALITY = 80
"""The quality of the README's WebP files. Texts stay sharp, with a fifth of a PNG's bytes."""


def main() -> int:
    """Take the pictures.

    Return 0, or 1 if there is no browser, a demo fails or the site does not start; stderr says why.
    """
    parser = argparse.ArgumentParser(prog="scripts.screenshots", description=__doc__.splitlines()[0])
    parser.add_argument("--readme", action="store_true", help="those of the documentation, into docs/images")
    parser.add_argument("--into", type=Path, default=EVERYTHING, help="a folder (default: screenshots)")
    parser.add_argument("pages", nargs="*", help="only these, such as home or review-chain")
    options = parser.parse_args()
    folder = FOR_README if options.readme else options.into
    number = 0
    try:
        executable = obtain(this_machine())
        with (
            tempfile.TemporaryDirectory(prefix="groundcrew-screenshots-") as var,
            demo_site(Path(var)) as url,
            sync_playwright() as playwright,
        ):
            browser = playwright.chromium.launch(executable_path=executable)
            for name, picture in _shots(browser, url, options.pages, readme=options.readme):
                _write(folder / (README[name] if options.readme else name), picture, options.readme)
                number += 1
            browser.close()
    except (BrowserUnavailableError, ServiceFailed, subprocess.CalledProcessError, Error) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{number} {'picture' if number == 1 else 'pictures'} in {os.path.relpath(folder)}/")
    return 0 if number else 1


@contextmanager
def demo_site(folder: Path) -> Iterator[str]:
    """Run the demos, and serve what they leave behind. Everything is kept in `folder`.

    Sets up Django, once in a process.
    """
    os.environ.update(
        {"DJANGO_SETTINGS_MODULE": "config.settings", "GROUNDCREW_VAR": str(folder)},
        DATABASE_URL="",
        DATABASE_URL_FILE="",
        REDIS_URL="",
        REDIS_URL_FILE="",
        GROUNDCREW_CONTACT="researcher@example.org",
        GROUNDCREW_LOG_LEVEL="ERROR",  # pages that nobody may open are warned of when they are looked for
        # Playwright's synchronous calls run an event loop in this thread, which also uses the database.
        DJANGO_ALLOW_ASYNC_UNSAFE="true",
    )
    for demo in DEMOS:
        subprocess.run([sys.executable, "-m", "simulation.demo", *demo], cwd=ROOT, check=True)
    django.setup()
    from config.serve import services

    with services(logs=folder / "logs") as server:
        yield server.url


def _shots(browser: Browser, url: str, wanted: list[str], *, readme: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the PNG of each wanted picture."""
    from scripts.pictured_console import count_all, pages, session_of

    session = session_of(RESEARCHER)
    count_all(RESEARCHER)
    console = pages(RESEARCHER)
    for device, options in DEVICES.items():
        for theme in THEMES:

            def asked(page: str, ending: str = f"-{device}-{theme}") -> bool:
                return page + ending in README if readme else not wanted or page in wanted

            context = browser.new_context(**options, color_scheme=theme, reduced_motion="reduce")
            errors: list[str] = []
            context.on("console", partial(_keep_error, errors))
            page = context.new_page()
            walk = Walk(page, url)
            for name in (*PAGES, *console):
                if name in console and not asked(name):
                    continue
                if name in console:
                    _research(page, url, console[name], session)
                elif any(map(asked, PAGES[PAGES.index(name) :])):  # each worker's page leads to the next
                    walk.to(name)
                if asked(name):
                    yield f"{name}-{device}-{theme}", _picture(page, name, errors)
            context.close()


def _picture(page: Page, name: str, errors: list[str]) -> bytes:
    page.wait_for_load_state("networkidle")
    page.evaluate(DRAWN)
    if name in BLOCKED:
        errors.clear()
    if errors:
        raise Error(f"{name} is not well: {errors}")
    whole = name not in PAGES or name in SCROLLED
    if whole:
        page.evaluate(WHOLE)
    return page.screenshot(full_page=whole)


def _research(page: Page, url: str, address: str, session: Mapping[str, str]) -> None:
    """Open a researcher's page, which can be opened directly."""
    page.context.add_cookies([{"name": session["name"], "value": session["value"], "url": url}])
    page.goto(url + address)
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
