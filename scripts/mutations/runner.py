"""Run the nearest tests with a fault and without it, in a copy of a checkout."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scripts.mutations.faults import Change, Mutation, digest_of, planted
from scripts.mutations.nearest_tests import BROWSER_TESTS, Graph, Step, is_test, nearest
from scripts.mutations.results import Result

FEW = 4
"""Test files that start faster in one process than in several."""
IN_ORDER = ("--dist", "loadfile", "--no-loadscope-reorder")
"""Each process takes the next file: otherwise one would begin in the middle, far from the nearest tests."""
MAX_SECONDS = 1800
"""For one run of tests. A fault may make one wait for ever."""
FAILED = re.compile(
    r"^(?:FAILED|ERROR) (tests/\S+?\.py(?:::[^\[\s]+(?:\[.*?\](?= - |$))?)?)(?: - .*)?$", re.MULTILINE
)
# vitest puts the name of the test's project between bars before the file.
FAILED_PAGES = re.compile(r"^\s*(?:FAIL|×)\s+(?:\|\S+\|\s+)?(src/\S+\.test\.ts[^\n]*)$", re.MULTILINE)
Run = Callable[[Sequence[str], Path, Mapping[str, str]], tuple[int, str]]
"""Runs a command in a folder, with these further environment variables: its exit code and what it said."""
TIMED_OUT = -1


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a command, with all that it starts in a group of its own. TIMED_OUT after MAX_SECONDS."""
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **environment},
            stdout=said,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code = process.wait(MAX_SECONDS)
        except subprocess.TimeoutExpired:
            code = TIMED_OUT
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        said.seek(0)
        return code, said.read()


@dataclass
class Runner:
    """Runs steps in a copy of a checkout. `clean` holds the tests that passed there without any fault."""

    copy: Path
    graph: Graph
    processes: int = 2
    rest: bool = False
    run: Run = run
    servers: Mapping[str, str] = field(default_factory=dict)
    clean: dict[str, bool] = field(default_factory=dict)

    def look(self, mutation: Mutation, changes: Sequence[Change]) -> Result:
        """Plant it, run the nearest tests until one fails, and see whether that one passes without it."""
        begun = time.monotonic()
        result = Result(digest_of(changes), [change.path for change in changes])
        steps = nearest(self.graph, changes)
        if self.rest:
            tests = {test for step in steps for test in step.tests}
            others = [file for file in self.graph.files if is_test(file) and file not in tests]
            steps.append(Step("the rest", tuple(sorted(others))))
        for step in steps:
            with planted(self.copy, changes):
                failed, why = self._failing(step, mutation)
            result.why = why or result.why
            if failed and not self._passes(failed, step, mutation):
                result.why = f"{failed} fails without it, too"
            elif failed:
                result.caught, result.step, result.why = failed, step.name, ""
                break
        result.seconds = round(time.monotonic() - begun, 1)
        return result

    def _failing(self, step: Step, mutation: Mutation) -> tuple[str, str]:
        """The first test of a step that fails, or none; and why nothing can be said, where that is so."""
        if step.name == "in a browser" and not self._build():
            return "", "the pages cannot be built with it"
        command, folder = self._command(step, step.tests)
        code, said = self.run(command, folder, self._environment(mutation))
        found = (FAILED_PAGES if step.pages else FAILED).search(said)
        if code and found:
            return found[1].strip(), ""
        if code == TIMED_OUT:
            return "", f"{step.name}: no end after {MAX_SECONDS} s"
        # 5: pytest was given files without tests for this database
        return "", "" if code in (0, 5) else f"{step.name}: {_last_lines(said)}"

    def _passes(self, test: str, step: Step, mutation: Mutation) -> bool:
        key = f"{test} on PostgreSQL" if mutation.postgres else test
        if key not in self.clean:
            if step.name == "in a browser" and not self._build():
                return False
            # A test's file and name, as vitest prints them
            only = (test.split(" > ")[0],) if step.pages else (test,)
            command, folder = self._command(step, only)
            code, _ = self.run(command, folder, self._environment(mutation))
            self.clean[key] = code == 0
        return self.clean[key]

    def _build(self) -> bool:
        code, _ = self.run(["npm", "run", "build"], self.copy / "frontend", {})
        return code == 0

    def _command(self, step: Step, tests: Sequence[str]) -> tuple[list[str], Path]:
        if step.pages:
            return ["npx", "vitest", "run", "--bail", "1", *tests], self.copy / "frontend"
        python = self.copy / ".venv" / "bin" / "python"
        program = str(python) if python.exists() else sys.executable
        many = len(tests) > FEW or BROWSER_TESTS.rstrip("/") in tests
        parallel = ["-n", str(self.processes), *IN_ORDER] if many else []
        options = ["-q", "-x", "-p", "no:cacheprovider", "-o", "console_output_style=classic"]
        return [program, "-m", "pytest", *options, *parallel, *tests], self.copy

    def _environment(self, mutation: Mutation) -> dict[str, str]:
        databases = self.servers if mutation.postgres else {"DATABASE_URL": "", "REDIS_URL": ""}
        return {**databases, "NO_COLOR": "1", "CI": "", "COLUMNS": "300"}


def _last_lines(said: str) -> str:
    return " / ".join(line.strip() for line in said.strip().splitlines()[-3:])[:300]
