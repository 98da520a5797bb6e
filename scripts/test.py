"""The whole test suite: `make test`. Also parts of it, as in `python -m scripts.test lint`; PARTS names them.

Lint is style, types, directions of imports and missing migrations; frontend the same of the workers' pages,
and their unit tests. Then the tests run on the embedded default (SQLite, messages as files), first all but
those in a browser. Those that touch a database or a broker run once more on PostgreSQL and Redis.

Some need a browser: it is found or installed before anything else, and without one nothing runs.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from scripts.browser import VARIABLE, BrowserUnavailableError, obtain, this_machine
from tests.servers import ServerUnavailable, postgres, redis

ROOT = Path(__file__).resolve().parent.parent
FRONTEND = ROOT / "frontend"
BIN = Path(sys.executable).parent
CORES = os.cpu_count() or 1
PYTEST = [sys.executable, "-m", "pytest", "-q", "--dist", "worksteal"]
MANY = ["-n", str(min(4, CORES))]
# Each has a browser with processes of its own, beside web server, worker and beat.
FEW = ["-n", str(min(2, CORES))]
BROWSER_TESTS = "tests/e2e"
# On a busy machine a browser may show something too late to be seen. Such a test runs once more, and the
# summary names it; one that saw something wrong does not.
ONCE_MORE = ["--reruns", "1", "--only-rerun", "TimeoutError|NotSeenError", "-rR"]
EMBEDDED = {"DATABASE_URL": "", "REDIS_URL": ""}

Results = list[tuple[str, bool, float]]


def run(
    results: Results,
    name: str,
    command: list[str],
    environment: Mapping[str, str] | None = None,
    folder: Path = ROOT,
) -> None:
    """Runs a command, shows what it prints, and keeps whether it succeeded and how many seconds it took."""
    print(f"\n== {name}", flush=True)
    start = time.monotonic()
    code = subprocess.run(
        command, cwd=folder, env={**os.environ, **(environment or {})}, check=False
    ).returncode
    results.append((name, code == 0, time.monotonic() - start))


def lint(results: Results) -> None:
    run(results, "ruff check", [str(BIN / "ruff"), "check", "."])
    run(results, "ruff format", [str(BIN / "ruff"), "format", "--check", "."])
    run(results, "mypy", [str(BIN / "mypy")])
    run(results, "import directions", [str(BIN / "lint-imports"), "--no-logo"])
    run(results, "migrations", [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"])


def frontend(results: Results) -> None:
    quiet = {"npm_config_update_notifier": "false"}
    run(results, "pages: style and types", ["npm", "run", "--silent", "check"], quiet, FRONTEND)
    run(results, "pages: unit tests", ["npm", "test", "--silent"], quiet, FRONTEND)


def on_sqlite(results: Results) -> None:
    command = [*PYTEST, *MANY, f"--ignore={BROWSER_TESTS}"]
    run(results, "tests on SQLite", command, EMBEDDED)


def in_browser(results: Results) -> None:
    run(results, "tests in a browser", [*PYTEST, *FEW, *ONCE_MORE, BROWSER_TESTS], EMBEDDED)


def on_postgres(results: Results) -> None:
    name = "tests on PostgreSQL and Redis"
    try:
        with postgres() as database, redis() as broker:
            servers = {"DATABASE_URL": database, "REDIS_URL": broker}
            run(results, name, [*PYTEST, *MANY, "--only-with-servers"], servers)
    except ServerUnavailable as error:
        print(error, file=sys.stderr)
        results.append((name, False, 0.0))


PARTS = {
    "lint": lint,
    "frontend": frontend,
    "sqlite": on_sqlite,
    "e2e": in_browser,
    "postgres": on_postgres,
}
NEED_BROWSER = {"e2e", "postgres"}


def main(names: list[str]) -> int:
    """Runs the named parts, or all. Returns the exit code: 0 when everything passed."""
    unknown = set(names) - set(PARTS)
    if unknown:
        print(
            f"There is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}.", file=sys.stderr
        )
        return 2
    # Ends the servers too when somebody stops the run.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    results: Results = []
    try:
        if NEED_BROWSER & set(names or PARTS):
            os.environ[VARIABLE] = obtain(this_machine())
        for name in names or PARTS:
            PARTS[name](results)
    except BrowserUnavailableError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print()
    for name, passed, seconds in results:
        print(f"{'passed' if passed else 'FAILED'}  {seconds:6.1f} s  {name}")
    return 0 if all(passed for _, passed, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
