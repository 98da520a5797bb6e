"""The whole test suite: `make test-all`. `python -m scripts.test lint` runs a part of it: see PARTS.

The part `lint` checks style, types, directions of imports and missing migrations. `frontend` checks the same
of the workers' pages, and runs their unit tests. `e2e` runs the tests in a browser, on the embedded default
(SQLite, messages as files). They wait more than they work, so lint, frontend and the tests of `sqlite`, for
which the database or the broker matters, run beside them. Then the tests run on PostgreSQL and Redis.

With --quick, as in `make test`, all checks and most tests run. Use it before each commit. With --nightly, as
in `make test-nightly`, all tests run on both databases. Then come two fault drills (scripts/fault_drill), and
most tests again with the kernels of other processors and on a slow machine (scripts/other_machines.py).
tests/selection.py says which test runs when.

Some tests need a browser. It is found or installed before anything else, and without one nothing runs.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock

from scripts import engines, packaged_chromium
from scripts.browser import (
    SHELL_VARIABLE,
    VARIABLE,
    BrowserUnavailableError,
    obtain,
    obtain_shell,
    this_machine,
)
from tests.servers import UNCOUNTED, ServerUnavailable, postgres, redis

ROOT = Path(__file__).resolve().parent.parent
FRONTEND = ROOT / "frontend"
BIN = Path(sys.executable).parent
CORES = os.cpu_count() or 1
PYTEST = [sys.executable, "-m", "pytest", "-q", "--dist", "worksteal"]
MANY = ["-n", str(min(4, CORES))]
# Each process has a browser with processes of its own, besides web server, worker and beat.
FEW = ["-n", str(min(2, CORES))]
FAULT_DRILL = [sys.executable, "-m", "scripts.fault_drill"]
OTHER_MACHINES = [sys.executable, "-m", "scripts.other_machines"]
LATER = ["nice", "-n", "10"]
"""Before a command, it lets all other processes come first."""
BROWSER_TESTS = "tests/e2e"
NO_BROWSER = [f"--ignore={BROWSER_TESTS}"]
SQLITE = "tests on SQLite"
# On a busy machine a browser may show something too late to be seen. A test that fails for this reason runs
# once more, and the summary names it. A test that saw something wrong does not run again.
ONCE_MORE = ["--reruns", "1", "--only-rerun", "TimeoutError|NotSeenError", "-rR"]
EMBEDDED = {"DATABASE_URL": "", "REDIS_URL": ""}

SUITES = {
    "--quick": ["--suite=quick", "--hypothesis-profile=quick"],
    "": ["--suite=all", "--hypothesis-profile=all"],
    "--nightly": ["--suite=nightly"],
}
"""The options of pytest for each run. The profiles are those of tests/environment.py."""
Results = list[tuple[str, bool, float]]
Part = Callable[[Results, list[str]], None]
_screen = Lock()
_beside: set[subprocess.Popen[str]] = set()
_stopped = Event()


def run(
    results: Results,
    name: str,
    command: list[str],
    environment: Mapping[str, str] | None = None,
    folder: Path = ROOT,
) -> None:
    """Run a command, show its output, and keep whether it succeeded and how many seconds it took."""
    print(f"\n== {name}", flush=True)
    start = time.monotonic()
    code = subprocess.run(
        command, cwd=folder, env={**os.environ, **(environment or {})}, check=False
    ).returncode
    results.append((name, code == 0, time.monotonic() - start))


def run_beside(
    results: Results,
    name: str,
    command: list[str],
    environment: Mapping[str, str] | None = None,
    folder: Path = ROOT,
) -> None:
    """Run a command as `run` does, beside others, and show its output when it has ended.

    What `run` runs comes first: this takes the time that it leaves. Does nothing if the run was stopped.
    """
    if _stopped.is_set():
        return
    start = time.monotonic()
    with subprocess.Popen(
        [*LATER, *command],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        _beside.add(process)
        if _stopped.is_set():
            process.terminate()
        said, _ = process.communicate()
    _beside.remove(process)
    with _screen:
        print(f"\n== {name}\n{said}", end="", flush=True)
    results.append((name, process.returncode == 0, time.monotonic() - start))


def lint(results: Results, _: list[str]) -> None:
    run_beside(results, "ruff check", [str(BIN / "ruff"), "check", "."])
    run_beside(results, "ruff format", [str(BIN / "ruff"), "format", "--check", "."])
    run_beside(results, "mypy", [str(BIN / "mypy")])
    run_beside(results, "import directions", [str(BIN / "lint-imports"), "--no-logo"])
    run_beside(results, "migrations", [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"])


def frontend(results: Results, _: list[str]) -> None:
    npm = ["npm", "--no-update-notifier", "--silent"]
    run_beside(results, "pages: style and types", [*npm, "run", "check"], folder=FRONTEND)
    run_beside(results, "pages: unit tests", [*npm, "test"], folder=FRONTEND)


def on_postgres(results: Results, options: list[str]) -> None:
    """Run the tests on PostgreSQL. If many tests need a browser, those run apart, in fewer processes."""
    many, few = [*PYTEST, *MANY, *options], [*PYTEST, *FEW, *ONCE_MORE, BROWSER_TESTS, *options]
    name = "tests on PostgreSQL and Redis"
    try:
        with postgres(settings=UNCOUNTED) as database, redis() as broker:
            servers = {"DATABASE_URL": database, "REDIS_URL": broker}
            if options == SUITES["--nightly"]:
                run(results, name, [*many, *NO_BROWSER], servers)
                run(results, f"{name} in a browser", few, servers)
            else:
                run(results, name, many, servers)
    except ServerUnavailable as error:
        print(error, file=sys.stderr)
        results.append((name, False, 0.0))


def on_sqlite(results: Results, options: list[str]) -> None:
    run(results, SQLITE, [*PYTEST, *MANY, *NO_BROWSER, *options], EMBEDDED)


def on_sqlite_beside(results: Results, options: list[str]) -> None:
    run_beside(results, SQLITE, [*PYTEST, *MANY, *NO_BROWSER, *options], EMBEDDED)


def in_browser(results: Results, options: list[str]) -> None:
    run(results, "tests in a browser", [*PYTEST, *FEW, *ONCE_MORE, BROWSER_TESTS, *options], EMBEDDED)


PARTS: dict[str, Part] = {
    "lint": lint,
    "frontend": frontend,
    "postgres": on_postgres,
    "sqlite": on_sqlite,
    "e2e": in_browser,
}
NEED_BROWSER = {"e2e", "postgres"}
BESIDE = {"lint", "frontend"}
"""The parts that run beside each other and the browser. They use nothing of each other's."""


def run_parts(names: Sequence[str], results: Results, options: list[str]) -> None:
    """Run the tests in a browser and the parts in BESIDE at the same time, then the others one by one."""
    parts = {name: PARTS[name] for name in names}
    beside = [parts.pop(name) for name in names if name in BESIDE]
    browser = parts.pop("e2e", None)
    # The other two suites have most of their tests on SQLite, so there they would take longer like this.
    if browser and options == SUITES[""] and parts.pop("sqlite", None):
        beside.append(on_sqlite_beside)
    with ThreadPoolExecutor() as pool:
        try:
            others = [pool.submit(part, results, options) for part in beside]
            if browser:
                browser(results, options)
            for other in others:
                other.result()
        except BaseException:
            _stopped.set()
            for process in list(_beside):
                process.terminate()
            raise
    for part in parts.values():
        part(results, options)


def drill(results: Results) -> None:
    """Disturb everything with two seeds, each for a quarter of an hour: some 200 faults on each database.

    Each night has its own seeds, which the report names.
    """
    for number in (1, 2):
        seed = time.strftime(f"%Y%m%d{number}")
        run(results, f"a fault drill, seed {seed}", [*FAULT_DRILL, "--seed", seed])


def find_browsers(*, nightly: bool) -> None:
    """Find or install a browser and, unless one was named, a headless shell for most tests in a browser.

    At night, all of them run in the browser itself. Raises BrowserUnavailableError.
    """
    named = bool(os.environ.get(VARIABLE))
    os.environ[VARIABLE] = obtain(this_machine())
    if not (named or nightly) and (shell := obtain_shell(this_machine())):
        os.environ[SHELL_VARIABLE] = shell


def show(results: Results) -> int:
    """Print which commands passed and how long they took. Return the exit code: 0 if all passed."""
    print()
    for name, passed, seconds in results:
        print(f"{'passed' if passed else 'FAILED'}  {seconds:6.1f} s  {name}")
    return 0 if all(passed for _, passed, _ in results) else 1


def main(arguments: list[str]) -> int:
    """Run the named parts, or all. Return the exit code: 0 if everything passed."""
    suite = next((argument for argument in arguments if argument in SUITES), "")
    names = [argument for argument in arguments if argument != suite]
    options = SUITES[suite]
    unknown = set(names) - set(PARTS)
    if unknown:
        print(
            f"There is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}.", file=sys.stderr
        )
        return 2
    # If somebody stops the run, this also ends the servers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    results: Results = []
    try:
        if NEED_BROWSER & set(names or PARTS):
            find_browsers(nightly=suite == "--nightly")
        run_parts(names or list(PARTS), results, options)
        if suite == "--nightly" and not names:
            drill(results)
            run(results, "other machines", OTHER_MACHINES)
    except BrowserUnavailableError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    code = show(results)
    if os.environ.get(VARIABLE) == str(packaged_chromium.path()):
        print(f"NOT RUN: each test marked full_chromium: it {packaged_chromium.LACKING}")
    if suite != "--quick" and "e2e" in (names or PARTS):
        for missing in filter(None, map(engines.lacking, engines.ENGINES)):
            print(f"NOT RUN: {missing}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
