"""Which tests a command runs, and on which database. Markers say it.

| | `make test` | `make test-all` | `make test-nightly` |
|---|---|---|---|
| a test | on SQLite | on PostgreSQL | on both |
| one marked `both_databases` | on PostgreSQL | on both | on both |
| one marked `slow` | | as above | as above |
| one in a browser | on SQLite, if marked `journey` | on SQLite | on both |
| one in a browser marked `both_databases` | likewise | on both | on both |

PostgreSQL comes with Redis, SQLite with messages as files. Property tests try the fewest examples in `make
test` and the most in `make test-nightly` (tests/environment.py). `make test` says how many tests it left.
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
"""Of `make test`, `make test-all` and `make test-nightly`."""

# Until these tests have markers of those names.
SLOW: tuple[str, ...] = (
    "tests/annotation/importing/test_processes.py",
    "tests/annotation/management/test_interrupted_import.py",
    "tests/workflows/assignments/test_attack.py",
    "tests/workflows/crowd/prolific/test_whole_batch.py::test_answers",
    "tests/workflows/crowd/rounds/test_faults.py",
    "tests/workflows/pipeline/replay/test_replays.py",
    "tests/workflows/pipeline/test_random_work.py",
)
BOTH_DATABASES: tuple[str, ...] = (
    "tests/annotation/exporting/test_dataset.py",
    "tests/annotation/importing/test_corpus.py",
    "tests/annotation/test_transactions.py",
    "tests/workflows/analysis/counts/test_counts.py",
    "tests/workflows/analysis/counts/test_refresh.py",
    "tests/workflows/analysis/counts/test_selectors.py",
    "tests/workflows/api/test_views.py",
    "tests/workflows/assignments/test_claim.py",
    "tests/workflows/assignments/test_concurrency.py",
    "tests/workflows/assignments/test_leases.py",
    "tests/workflows/assignments/test_submit.py",
    "tests/workflows/core/test_audit_log.py",
    "tests/workflows/core/test_heartbeats.py",
    "tests/workflows/core/test_locks.py",
    "tests/workflows/crowd/direct/test_page_earnings.py",
    "tests/workflows/crowd/invitations/test_join.py",
    "tests/workflows/crowd/payments/test_book.py",
    "tests/workflows/crowd/payments/test_withdraw_refused.py",
    "tests/workflows/crowd/rounds/test_rounds_at_once.py",
    "tests/workflows/jobs/test_exports.py",
    "tests/workflows/jobs/test_imports.py",
    "tests/workflows/jobs/test_job_queue.py",
    "tests/workflows/money/test_earned_days.py",
    "tests/workflows/money/test_ledger.py",
    "tests/workflows/money/test_ledger_at_once.py",
    "tests/workflows/pipeline/replay/test_concurrent_replays.py",
    "tests/workflows/pipeline/test_advance.py",
    "tests/workflows/pipeline/test_concurrent_rules.py",
    "tests/workflows/pipeline/test_selectors.py",
    "tests/workflows/quality/test_trust_at_once.py",
    "tests/workflows/questions/test_retire_at_once.py",
    "tests/workflows/test_tasks.py",
    "tests/workflows/workers/test_platform_records.py",
)
"""Beginnings of ids."""

LEFT = pytest.StashKey[int]()
"""How many tests of this run `make test` runs on no database."""


def is_run(suite: Suite, marks: Collection[str], *, browser: bool, embedded: bool) -> bool:
    """Whether this suite runs a test with these markers: on SQLite if `embedded`, else on PostgreSQL."""
    if suite == "nightly":
        return True
    if suite == "quick":
        if browser:
            return embedded and "journey" in marks
        return "slow" not in marks and embedded != ("both_databases" in marks)
    return "both_databases" in marks or embedded == browser


def select(config: pytest.Config, tests: list[pytest.Item]) -> list[pytest.Item]:
    """The tests that the run of `--suite` has. Notes how many `make test` leaves, where `report` finds it."""
    suite: Suite | None = config.getoption("--suite")
    if suite is None:
        return tests
    embedded = settings.EMBEDDED
    chosen, left = [], 0
    for test in tests:
        marks, browser = _marks(test), test.nodeid.startswith(BROWSER_TESTS)
        if is_run(suite, marks, browser=browser, embedded=embedded):
            chosen.append(test)
        elif not is_run(suite, marks, browser=browser, embedded=not embedded):
            left += 1
    if suite == "quick":  # the others leave nothing
        config.stash[LEFT] = left
        if hasattr(config, "workeroutput"):  # pytest-xdist: what the process tells the one that reports
            config.workeroutput["left"] = left
    return chosen


def report(left: int) -> str:
    return f"Left for `make test-all`: {left:,} (tests/selection.py)"


def _marks(test: pytest.Item) -> set[str]:
    marks = {mark.name for mark in test.iter_markers()}
    named = {"slow": SLOW, "both_databases": BOTH_DATABASES}
    return marks | {mark for mark, names in named.items() if _named(test.nodeid, names)}


def _named(test: str, names: Iterable[str]) -> bool:
    return test.startswith(tuple(names))
