"""Which tests a command runs, and on which database. Markers say it.

| | `make test` | `make test-all` | `make test-nightly` |
|---|---|---|---|
| a test | on SQLite | on PostgreSQL | on both |
| one marked `both_databases` | on PostgreSQL | on both | on both |
| one marked `slow` | | as above | as above |
| one marked `nightly` | | | on both |
| one in a browser | on SQLite, if marked `journey` | on SQLite | on both |
| one in a browser marked `both_databases` | likewise | on both | on both |

PostgreSQL comes with Redis, SQLite with messages as files. Property tests try the fewest examples in `make
test` and the most in `make test-nightly` (tests/environment.py). `make test` and `make test-all` say how
many tests they left. Only a test that repeats at greater length what shorter ones hold is marked `nightly`.
pytest by hand runs whatever it is asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

import pytest
from django.conf import settings

BROWSER_TESTS = "tests/e2e/"
Suite = Literal["quick", "all", "nightly"]
SUITES: tuple[Suite, ...] = ("quick", "all", "nightly")
"""The suites of `make test`, `make test-all` and `make test-nightly`."""

LEFT = pytest.StashKey[int]()
"""How many tests the suite of this run runs on neither database."""


def is_run(suite: Suite, marks: Collection[str], *, browser: bool, embedded: bool) -> bool:
    """Return whether this suite runs a test with these markers.

    If `embedded`, this is about the run on SQLite, otherwise about that on PostgreSQL.
    """
    if suite == "nightly":
        return True
    if "nightly" in marks:
        return False
    if suite == "quick":
        if browser:
            return embedded and "journey" in marks
        return "slow" not in marks and embedded != ("both_databases" in marks)
    return "both_databases" in marks or embedded == browser


def and_nightly(shorter: Iterable[object], others: Iterable[object], reason: str) -> list[object]:
    """Return the values of a parameter: some for every suite, and others that only `make test-nightly` takes.

    A tuple is the values of several parameters.
    """
    mark = pytest.mark.nightly(reason)
    nightly = (one if isinstance(one, tuple) else (one,) for one in others)
    return [*shorter, *(pytest.param(*values, marks=mark) for values in nightly)]


def select(config: pytest.Config, tests: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests that the run of `--suite` has.

    It notes how many tests `make test` or `make test-all` leaves on both databases, for `report`.
    """
    suite: Suite | None = config.getoption("--suite")
    if suite is None:
        return tests
    embedded = settings.EMBEDDED
    chosen, left = [], 0
    for test in tests:
        marks = {mark.name for mark in test.iter_markers()}
        browser = test.nodeid.startswith(BROWSER_TESTS)
        if is_run(suite, marks, browser=browser, embedded=embedded):
            chosen.append(test)
        elif not is_run(suite, marks, browser=browser, embedded=not embedded):
            left += 1
    if suite != "nightly":
        config.stash[LEFT] = left
        if hasattr(config, "workeroutput"):  # pytest-xdist: what this process tells the one that reports
            config.workeroutput["left"] = left
    return chosen


def report(left: int) -> str:
    return f"Left for a longer suite: {left:,} (tests/selection.py)"
