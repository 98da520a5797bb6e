"""scripts/test.py: `make test` and `make test-all`."""

from __future__ import annotations

import os
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from hypothesis import settings

from scripts import engines, packaged_chromium
from scripts import test as suite
from scripts.browser import SHELL_VARIABLE, VARIABLE
from scripts.test import PARTS, SUITES, Results, main, run_beside
from tests.shared import ROOT


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return what would be run. No server starts."""
    ran: list[list[str]] = []

    def run(_results: Results, _name: str, command: list[str], *_: Any, **__: Any) -> None:
        ran.append(command)

    monkeypatch.setattr(suite, "run", run)
    monkeypatch.setattr(suite, "run_beside", run)
    monkeypatch.setattr(suite, "postgres", lambda **_: nullcontext("postgres://"))
    monkeypatch.setattr(suite, "redis", lambda: nullcontext("redis://"))
    monkeypatch.setattr(suite, "obtain", lambda _: "/browser")
    monkeypatch.setattr(suite, "obtain_shell", lambda _: "/shell")
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setenv(SHELL_VARIABLE, "")
    return ran


def test_a_part_that_there_is_not_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "unit"]) == 2
    assert (
        "There is no part unit; there are lint, frontend, postgres, sqlite, e2e." in capsys.readouterr().err
    )


@pytest.mark.parametrize("option", ["--quick", "", "--nightly"])
def test_the_suite_reaches_each_run_of_pytest_and_nothing_else(
    commands: list[list[str]], option: str
) -> None:
    suite = f"--suite={option.removeprefix('--') or 'all'}"
    assert main(["lint", "frontend", "postgres", "sqlite", "e2e", *([option] if option else [])]) == 0
    tests = [command for command in commands if "pytest" in command]
    assert len(commands) > 8 and len(tests) == (4 if option == "--nightly" else 3)
    for command in commands:
        assert [part for part in command if "--suite" in part] == ([suite] if command in tests else [])


@pytest.mark.parametrize(("option", "few"), [("--quick", False), ("", True), ("--nightly", False)])
def test_the_checks_and_if_they_are_few_the_tests_on_sqlite_run_beside_the_browser(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, option: str, few: bool
) -> None:
    together, alone = Barrier(3 + few), []

    def meet(*_: object) -> None:
        together.wait(20)

    for name in ("lint", "frontend", "e2e"):
        monkeypatch.setitem(PARTS, name, meet)
    monkeypatch.setattr(suite, "on_sqlite_beside", meet)
    for name in ("postgres", "sqlite"):
        monkeypatch.setitem(PARTS, name, lambda *_, name=name: alone.append(name))
    assert main([option] if option else []) == 0
    assert alone == ["postgres", *([] if few else ["sqlite"])]


@pytest.mark.parametrize(("option", "runs"), [("--quick", 0), ("", 0), ("--nightly", 1)])
def test_only_the_nightly_run_ends_with_two_fault_drills_and_other_machines(
    commands: list[list[str]], option: str, runs: int
) -> None:
    assert main([option] if option else []) == 0
    longer = ["scripts.fault_drill", "scripts.other_machines"]
    last = [command for command in commands if set(longer) & set(command)]
    assert [command[2] for command in last] == [longer[0], *longer] * runs
    seeds = [command[-1] for command in last if longer[0] in command]
    assert len(set(seeds)) == 2 * runs
    assert commands[len(commands) - len(last) :] == last
    commands.clear()
    assert main(["lint", *([option] if option else [])]) == 0
    assert not [command for command in commands if set(longer) & set(command)]


@pytest.mark.parametrize(
    ("option", "named", "shell"),
    [("--quick", "", "/shell"), ("", "", "/shell"), ("--nightly", "", ""), ("", "/named", "")],
)
def test_most_browser_tests_run_in_a_shell_unless_a_browser_is_named_or_at_night(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, option: str, named: str, shell: str
) -> None:
    monkeypatch.setenv(VARIABLE, named)
    assert main(["e2e", *([option] if option else [])]) == 0
    assert (os.environ[VARIABLE], os.environ[SHELL_VARIABLE]) == ("/browser", shell)


def test_property_tests_try_the_more_examples_the_later_the_command() -> None:
    tried = []
    for option in ("--quick", "", "--nightly"):
        (profile,) = [part for part in SUITES[option] if "--hypothesis" in part] or ["=suite"]
        tried.append(settings.get_profile(profile.partition("=")[2]).max_examples)
    assert tried == sorted(set(tried))


@pytest.mark.parametrize(("browser", "said"), [("/browser", False), (str(packaged_chromium.path()), True)])
def test_it_says_what_the_browser_of_last_resort_left_out(
    commands: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    browser: str,
    said: bool,
) -> None:
    monkeypatch.setattr(suite, "obtain", lambda _: browser)
    assert main(["e2e"]) == 0
    assert ("NOT RUN: each test marked full_chromium" in capsys.readouterr().out) is said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["e2e"], True), (["e2e", "--nightly"], True), (["e2e", "--quick"], False), (["sqlite"], False)],
)
def test_it_says_which_engines_are_missing_where_they_would_run(
    commands: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: bool,
) -> None:
    monkeypatch.setattr(engines, "lacking", {"firefox": None, "webkit": "WebKit is not tried"}.get)
    assert main(arguments) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("NOT RUN: ")]
    assert lines == ["NOT RUN: WebKit is not tried"] * said


def test_what_runs_beside_is_shown_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    results: Results = []
    code = "import os; print(os.nice(0)); raise SystemExit(1)"
    run_beside(results, "a check", [sys.executable, "-c", code])
    assert capsys.readouterr().out == f"\n== a check\n{min(os.nice(0) + 10, 19)}\n", "the others come first"
    ((name, passed, seconds),) = results
    assert (name, passed) == ("a check", False) and seconds > 0


def test_a_part_that_breaks_ends_what_runs_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started = tmp_path / "started"
    endless = f"import pathlib, time; pathlib.Path({str(started)!r}).touch(); time.sleep(600)"

    def lint(_results: Results, _options: list[str]) -> None:
        while not started.exists():
            time.sleep(0.01)
        raise OSError("no such program")

    def frontend(results: Results, _options: list[str]) -> None:
        run_beside(results, "endless", [sys.executable, "-c", endless])
        run_beside(results, "never", [sys.executable, "-c", "print('never')"])

    monkeypatch.setitem(PARTS, "lint", lint)
    monkeypatch.setitem(PARTS, "frontend", frontend)
    try:
        with pytest.raises(OSError, match="no such program"):
            main(["lint", "frontend"])
    finally:
        suite._stopped.clear()
    assert "never" not in capsys.readouterr().out


def test_ci_runs_everything_once_make_test_what_is_quick_and_the_nightly_run_all_on_both() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").split("\n\n")
    recipes = {block.split(":")[0]: block.splitlines()[-1] for block in makefile if block.startswith("test")}
    (first,) = (block for block in makefile if block.startswith(".PHONY: test "))
    assert first.splitlines()[-1].endswith("-m scripts.test --quick")
    assert recipes["test-all"].endswith("-m scripts.test")
    assert recipes["test-nightly"].endswith("-m scripts.test --nightly")
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").endswith("exec make test-all\n")
