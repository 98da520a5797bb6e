"""scripts/test.py: `make test` and `make test-all`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pytest

from scripts import test as suite
from scripts.browser import VARIABLE
from scripts.test import PARTS, Results, main, run_beside
from tests.shared import ROOT


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would be run, by the parts that take no server."""
    ran: list[list[str]] = []

    def run(_results: Results, _name: str, command: list[str], *_more: Any) -> None:
        ran.append(command)

    monkeypatch.setattr(suite, "run", run)
    monkeypatch.setattr(suite, "run_beside", run)
    monkeypatch.setattr(suite, "obtain", lambda _: "/browser")
    monkeypatch.setenv(VARIABLE, "")
    return ran


def test_a_part_that_there_is_not_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "unit"]) == 2
    assert (
        "There is no part unit; there are lint, frontend, sqlite, e2e, postgres." in capsys.readouterr().err
    )


@pytest.mark.parametrize("quick", [True, False])
def test_quick_reaches_each_run_of_pytest_and_nothing_else(commands: list[list[str]], quick: bool) -> None:
    assert main(["lint", "frontend", "sqlite", "e2e", *(["--quick"] if quick else [])]) == 0
    assert len(commands) > 5
    for command in commands:
        assert ("--quick" in command) is (quick and "pytest" in command)


def test_what_runs_beside_is_shown_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    results: Results = []
    run_beside(results, "a check", [sys.executable, "-c", "print('one is wrong'); raise SystemExit(1)"])
    assert capsys.readouterr().out == "\n== a check\none is wrong\n"
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


def test_ci_runs_everything_and_make_test_what_is_quick() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").split("\n\n")
    recipes = {block.split(":")[0]: block.splitlines()[-1] for block in makefile if block.startswith("test")}
    (first,) = (block for block in makefile if block.startswith(".PHONY: test "))
    assert first.splitlines()[-1].endswith("-m scripts.test --quick")
    assert recipes["test-all"].endswith("-m scripts.test")
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").endswith("exec make test-all\n")
