"""Chromium on screens of other densities, with the browser's own zoom. This is not an emulation.

The zoom is set in the profile, where the browser's menu keeps it, for each host separately. `address` names a
page's host by its zoom, so that one browser can show all zooms. Mouse events of the protocol are in CSS
pixels of the zoomed page. A screenshot has the screen's own pixels.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

ZOOMS = (50, 67, 100, 125, 175, 200)
"""Per cent, as in the browser's menu."""
HOSTS = {percent: f"zoom{percent}.localhost" for percent in ZOOMS}
WINDOWS = {1: (1600, 1000), 1.5: (1280, 900), 2: (1100, 800), 3: (840, 700)}
"""The browser's window by ratio, in pixels of a screen of ratio 1. The page has less height."""
_BASE = 1.2
"""A zoom is this number to the power of its level (Chromium's `blink::ZoomLevelToZoomFactor`)."""
_ARGUMENTS = [
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--host-resolver-rules=MAP *.localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]


def zoomed_context(browser: Browser, executable: str, profile: Path, ratio: float) -> BrowserContext:
    """Return a browser on a screen with `ratio` device pixels for each pixel.

    Its hosts are zoomed as their names say.
    """
    levels = {
        host: {"zoom_level": math.log(percent / 100, _BASE)}
        for percent, host in HOSTS.items()
        if percent != 100
    }
    preferences = profile / "Default" / "Preferences"
    preferences.parent.mkdir(parents=True)
    preferences.write_text(json.dumps({"partition": {"per_host_zoom_levels": {"x": levels}}}))
    size = ",".join(map(str, WINDOWS[ratio]))
    return browser.browser_type.launch_persistent_context(
        profile,
        executable_path=executable,
        no_viewport=True,  # otherwise Playwright emulates a screen of its own
        args=[*_ARGUMENTS, f"--force-device-scale-factor={ratio}", f"--window-size={size}"],
    )


def address(link: str, percent: int) -> str:
    """Return the link on the host with this zoom."""
    parts = urlsplit(link)
    return parts._replace(netloc=f"{HOSTS[percent]}:{parts.port}").geturl()


def check_zoom(page: Page, ratio: float, percent: int) -> None:
    """Fail unless the page is zoomed as it should be."""
    seen = page.evaluate("devicePixelRatio")
    assert math.isclose(seen, ratio * percent / 100, rel_tol=1e-3), f"{seen} at {ratio} and {percent} %"
