"""What `make test` leaves for `make test-all`."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import pytest

from tests.selection import IN_BROWSER, ON_SERVERS, SLOW, is_left
from tests.shared import ROOT

FILES = [file.relative_to(ROOT).as_posix() for file in sorted((ROOT / "tests").rglob("test_*.py"))]
A_RUN = "tests/annotation/management/test_interrupted_import.py", "tests/scripts/test_screenshots.py"
"""A file with one test, which is slow, and another with one."""


@pytest.mark.parametrize("name", [*SLOW, *ON_SERVERS, *IN_BROWSER])
def test_every_name_is_that_of_a_test(name: str) -> None:
    path, _, test = name.partition("::")
    found = [file for file in FILES if file.startswith(path)]
    assert found
    if test:
        (file,) = found
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        assert any(function.startswith(test.partition("[")[0]) for function in functions)


def test_what_is_slow_runs_on_no_database() -> None:
    slow = "tests/faults/test_killed_worker.py::test_it"
    assert is_left(slow, on_servers=False)
    assert is_left(slow, on_servers=True)


def test_a_rule_runs_once() -> None:
    rule = "tests/workflows/domain/test_trust.py::test_it"
    assert not is_left(rule, on_servers=False)
    assert is_left(rule, on_servers=True)


def test_where_the_database_matters_it_is_a_server() -> None:
    at_once = "tests/workflows/test_concurrency.py::test_it[2]"
    assert is_left(at_once, on_servers=False)
    assert not is_left(at_once, on_servers=True)
    assert not is_left(at_once, on_servers=False, depends=False)


def test_of_what_runs_in_a_browser_it_runs_the_journeys() -> None:
    assert not is_left(f"{IN_BROWSER[0]}[desk]", on_servers=False)
    assert is_left(f"{IN_BROWSER[0]}[desk]", on_servers=True)
    assert is_left("tests/e2e/test_precision.py::test_it", on_servers=False)


@pytest.mark.parametrize("processes", ["0", "1"])
def test_a_run_says_how_many_it_left(processes: str) -> None:
    said = _run("--quick", "-n", processes)
    assert re.search(r"^Left for `make test-all`: 1 \(tests/selection\.py", said, re.MULTILINE)
    assert re.search(r"^1 passed", said, re.MULTILINE)


def test_by_hand_nothing_is_left() -> None:
    said = _run("--collect-only")
    assert "Left for" not in said
    assert re.search(r"^2 tests collected", said, re.MULTILINE)


def _run(*options: str) -> str:
    """What pytest says of A_RUN."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *A_RUN]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
