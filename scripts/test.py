"""The whole test suite: `make test`. Also parts of it: `python -m scripts.test lint`, `sqlite`, `postgres`.

Lint is style, types, directions of imports and missing migrations. Then the tests run on the embedded default
(SQLite, messages as files), and those that touch a database or a broker once more on PostgreSQL and Redis.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from tests.servers import ServerUnavailable, postgres, redis

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PROCESSES = min(4, os.cpu_count() or 1)
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", str(PROCESSES), "--dist", "worksteal"]

Results = list[tuple[str, bool, float]]


def run(
    results: Results, name: str, command: list[str], environment: Mapping[str, str] | None = None
) -> None:
    """Runs a command, shows what it prints, and keeps whether it succeeded and how many seconds it took."""
    print(f"\n== {name}", flush=True)
    start = time.monotonic()
    code = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **(environment or {})}, check=False
    ).returncode
    results.append((name, code == 0, time.monotonic() - start))


def lint(results: Results) -> None:
    run(results, "ruff check", [str(BIN / "ruff"), "check", "."])
    run(results, "ruff format", [str(BIN / "ruff"), "format", "--check", "."])
    run(results, "mypy", [str(BIN / "mypy")])
    run(results, "import directions", [str(BIN / "lint-imports"), "--no-logo"])
    run(results, "migrations", [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"])


def on_sqlite(results: Results) -> None:
    run(results, "tests on SQLite", PYTEST, {"DATABASE_URL": "", "REDIS_URL": ""})


def on_postgres(results: Results) -> None:
    name = "tests on PostgreSQL and Redis"
    try:
        with postgres() as database, redis() as broker:
            run(
                results,
                name,
                [*PYTEST, "--only-with-servers"],
                {"DATABASE_URL": database, "REDIS_URL": broker},
            )
    except ServerUnavailable as error:
        print(error, file=sys.stderr)
        results.append((name, False, 0.0))


PARTS = {"lint": lint, "sqlite": on_sqlite, "postgres": on_postgres}


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
        for name in names or PARTS:
            PARTS[name](results)
    except KeyboardInterrupt:
        return 130
    print()
    for name, passed, seconds in results:
        print(f"{'passed' if passed else 'FAILED'}  {seconds:6.1f} s  {name}")
    return 0 if all(passed for _, passed, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
