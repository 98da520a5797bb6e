"""Which browser is taken, and what is done to get one: a table of made-up machines."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scripts.browser import (
    DOWNLOAD,
    SHELL,
    UNPACK,
    UNPACK_ONCE,
    BrowserUnavailableError,
    Machine,
    find,
    obtain,
    obtain_shell,
    starts,
)

BROUGHT = "/home/ada/.cache/chromium"


@dataclass
class MadeUp:
    """A machine with `programs` (name -> path) on its PATH, on which the paths in `good` run.

    A command that is a key of `brings` succeeds and makes a path good. Every other command fails.
    """

    programs: dict[str, str] = field(default_factory=dict)
    good: set[str] = field(default_factory=set)
    environ: dict[str, str] = field(default_factory=dict)
    brings: dict[tuple[str, ...], str] = field(default_factory=dict)
    bring: list[str] = field(default_factory=lambda: UNPACK)
    ran: list[list[str]] = field(default_factory=list)

    def run(self, command: Sequence[str]) -> bool:
        self.ran.append(list(command))
        path = self.brings.get(tuple(command))
        if path is None:
            return False
        self.good.add(path)
        self.programs.setdefault(Path(path).name, path)
        return True

    def machine(self) -> Machine:
        return Machine(
            environ=self.environ,
            which=self.programs.get,
            works=self.good.__contains__,
            brought=lambda: BROUGHT,
            bring=self.bring,
            run=self.run,
        )


ALL = {"chromium": "/usr/bin/chromium", "google-chrome": "/opt/chrome"}
SNAP = {"chromium-browser": "/usr/bin/chromium-browser"}
SHELLS = {SHELL: "/usr/bin/shell"}


@pytest.mark.parametrize(
    ("made_up", "expected"),
    [
        (MadeUp(ALL, {*ALL.values(), "/mine"}, {"CHROMIUM_PATH": "/mine"}), "/mine"),
        (MadeUp(ALL, {*ALL.values(), BROUGHT}), "/usr/bin/chromium"),
        (MadeUp(ALL, {"/opt/chrome", BROUGHT}), "/opt/chrome"),
        (MadeUp(ALL, {"/usr/bin/chromium"}, {"CHROMIUM_PATH": ""}), "/usr/bin/chromium"),
        (MadeUp({"google-chrome-stable": "/opt/stable"}, {"/opt/stable"}), "/opt/stable"),
        (MadeUp(SNAP, {BROUGHT}), BROUGHT),
        (MadeUp(SNAP), None),
    ],
)
def test_what_is_there_is_found_and_nothing_installed(made_up: MadeUp, expected: str | None) -> None:
    assert find(made_up.machine()) == expected
    assert made_up.ran == []


@pytest.mark.parametrize(
    ("made_up", "expected", "ran"),
    [
        (MadeUp(SHELLS, {"/usr/bin/shell", BROUGHT}), "/usr/bin/shell", []),
        (MadeUp(SHELLS, {BROUGHT}), BROUGHT, []),
        (MadeUp(ALL, {*ALL.values()}, brings={tuple(UNPACK_ONCE): BROUGHT}), BROUGHT, [UNPACK_ONCE]),
        (MadeUp(ALL, {*ALL.values()}), None, [UNPACK_ONCE]),
        # Playwright's download is a whole browser.
        (MadeUp(ALL, {*ALL.values(), BROUGHT}, bring=DOWNLOAD), None, []),
    ],
)
def test_a_shell_is_found_or_unpacked_or_left_out(
    made_up: MadeUp, expected: str | None, ran: list[list[str]]
) -> None:
    assert obtain_shell(made_up.machine()) == expected
    assert made_up.ran == ran


@pytest.mark.parametrize("command", [UNPACK, DOWNLOAD])
def test_what_is_missing_is_brought(command: list[str]) -> None:
    made_up = MadeUp(bring=command, brings={tuple(command): BROUGHT})
    assert obtain(made_up.machine()) == BROUGHT
    assert made_up.ran == [command]
    assert obtain(made_up.machine()) == BROUGHT
    assert made_up.ran == [command], "and only once"


@pytest.mark.parametrize(
    "made_up",
    [
        MadeUp(),
        # The command succeeds, but still no browser runs.
        MadeUp(brings={tuple(UNPACK): "/elsewhere"}),
    ],
)
def test_where_nothing_helps_it_says_what_to_install(made_up: MadeUp) -> None:
    with pytest.raises(BrowserUnavailableError, match=r"Install the package chromium [\s\S]*CHROMIUM_PATH="):
        obtain(made_up.machine())


def test_a_browser_that_is_named_and_does_not_run_is_not_replaced() -> None:
    made_up = MadeUp(ALL, set(ALL.values()), {"CHROMIUM_PATH": "/gone"})
    with pytest.raises(BrowserUnavailableError, match="CHROMIUM_PATH is /gone"):
        obtain(made_up.machine())
    assert made_up.ran == []


@pytest.mark.parametrize(
    "script",
    [
        "echo Chromium 150",
        "echo 'error while loading shared libraries: libnss3.so' >&2; exit 127",
    ],
)
def test_a_program_that_shows_no_page_is_no_browser(tmp_path: Path, script: str) -> None:
    program = tmp_path / "chromium"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    assert not starts(str(program))


@pytest.mark.parametrize("name", ["missing", "folder", "text"])
def test_what_cannot_be_started_is_no_browser(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("no program")
    assert not starts(str(tmp_path / name))
