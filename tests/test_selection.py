"""Which tests `make test` leaves to `make test-all`, and which run on which database."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.selection import Suite, and_nightly, is_run
from tests.shared import ROOT

A_RUN = "tests/simulation/test_demo.py", "tests/scripts/test_gestures.py"
"""A file with slow tests, and another one with tests that are not slow."""
NOWHERE, SQLITE, POSTGRESQL, BOTH = "nowhere", "SQLite", "PostgreSQL", "both"


@pytest.mark.parametrize(
    ("marks", "quick", "everything"),
    [
        ((), SQLITE, POSTGRESQL),
        (("slow",), NOWHERE, POSTGRESQL),
        (("both_databases",), POSTGRESQL, BOTH),
        (("both_databases", "slow"), NOWHERE, BOTH),
        (("nightly",), NOWHERE, NOWHERE),
        (("both_databases", "nightly"), NOWHERE, NOWHERE),
    ],
)
def test_a_test_runs(marks: tuple[str, ...], quick: str, everything: str) -> None:
    assert _where("quick", marks) == quick
    assert _where("all", marks) == everything
    assert _where("nightly", marks) == BOTH


@pytest.mark.parametrize(
    ("marks", "quick", "everything"),
    [
        ((), NOWHERE, SQLITE),
        (("journey",), SQLITE, SQLITE),
        (("both_databases",), NOWHERE, BOTH),
        (("both_databases", "journey"), SQLITE, BOTH),
        (("journey", "nightly"), NOWHERE, NOWHERE),
    ],
)
def test_a_test_in_a_browser_runs(marks: tuple[str, ...], quick: str, everything: str) -> None:
    assert _where("quick", marks, browser=True) == quick
    assert _where("all", marks, browser=True) == everything
    assert _where("nightly", marks, browser=True) == BOTH


@pytest.mark.slow("starts pytest for each case")
@pytest.mark.parametrize("processes", and_nightly(["1"], ["0"], "pytest by hand"))
def test_a_run_says_how_many_it_left(processes: str) -> None:
    said = _run("--suite=quick", "-n", processes)
    left = _count(r"^Left for a longer suite: (\d+) \(tests/selection\.py", said)
    passed = _count(r"^(\d+) passed", said)
    assert left > 0
    assert passed > 0
    assert left + passed == _count(r"^(\d+) tests collected", _run("--collect-only"))


@pytest.mark.slow("starts pytest")
def test_by_hand_nothing_is_left() -> None:
    said = _run("--collect-only")
    assert "Left for" not in said
    assert all(f"{file}::" in said for file in A_RUN)


def _count(pattern: str, said: str) -> int:
    """Return the number that a line of pytest's output has, or fail with all of the output."""
    found = re.search(pattern, said, re.MULTILINE)
    assert found, said
    return int(found[1])


def _where(suite: Suite, marks: tuple[str, ...], *, browser: bool = False) -> str:
    sqlite, postgresql = (
        is_run(suite, marks, browser=browser, embedded=embedded) for embedded in (True, False)
    )
    return {(0, 0): NOWHERE, (1, 0): SQLITE, (0, 1): POSTGRESQL, (1, 1): BOTH}[sqlite, postgresql]


def _run(*options: str) -> str:
    """Return what pytest says about A_RUN, on SQLite."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *A_RUN]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": "", "REDIS_URL": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
