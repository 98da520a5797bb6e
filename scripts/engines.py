"""The browsers with other engines than Chromium's, in which the tests of tests/e2e/engines run.

Nothing is downloaded for them: they come with the system's packages.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """A program that an engine's tests start: the names that it may have, and Debian's package of it."""

    names: Sequence[str]
    package: str


FIREFOX = Program(("firefox-esr", "firefox"), "firefox-esr")
WEBKIT_DRIVER = Program(("WebKitWebDriver",), "webkit2gtk-driver")
SCREEN = Program(("Xvfb",), "xvfb")
ENGINES: Mapping[str, Sequence[Program]] = {"firefox": (FIREFOX,), "webkit": (WEBKIT_DRIVER, SCREEN)}
TITLES: Mapping[str, str] = {"firefox": "Firefox", "webkit": "WebKit"}
Which = Callable[[str], str | None]


def find(program: Program, which: Which = shutil.which) -> str | None:
    """Return the path of a program, or None."""
    return next((path for name in program.names if (path := which(name))), None)


def lacking(engine: str, which: Which = shutil.which) -> str | None:
    """Return what to install for the tests in this engine, or None if everything is there."""
    missing = [program.package for program in ENGINES[engine] if find(program, which) is None]
    if not missing:
        return None
    noun = "package" if len(missing) == 1 else "packages"
    return f"{TITLES[engine]} is not tried: install the {noun} {' and '.join(missing)} (CONTRIBUTING.md)"
