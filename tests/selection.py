"""What `make test` leaves for `make test-all`, which runs everything on everything.

All that is left out is named here, and a run prints how many tests that was. A name is the beginning of a
test's id: of a folder, of files, of a test with all its parameters; tests/test_selection.py checks that there
is such a test. Tests that one asks pytest for by hand run whatever is said here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import pytest

SLOW: Mapping[str, str] = {
    "tests/annotation/importing/test_processes.py": "processes of its own that are killed",
    "tests/annotation/management/test_interrupted_import.py": "interrupts an import's processes many times",
    "tests/benchmarks/test_console.py": "a benchmark on small data: every page of the console",
    "tests/benchmarks/test_quality.py": "a benchmark on small data: hundreds of pages of a simulated crowd",
    "tests/config/test_command_line.py": "a process of its own for each case",
    "tests/config/test_compose.py": "a process of its own for each service",
    "tests/config/test_content_security.py::test_settings": "a process of its own for each case",
    "tests/config/test_metrics.py::test_several": "processes of its own",
    "tests/config/test_serve.py": "starts all that `make serve` does, again and again",
    "tests/config/test_settings.py": "a process of its own for each case",
    "tests/config/test_wsgi.py::test_a_body_in_chunks": "a server of its own for each case",
    "tests/console/batches/test_forecast_holds.py": "a whole batch by a simulated crowd",
    "tests/faults": "kills processes at every call in turn, and starts new ones",
    "tests/simulation/management/test_simulate.py": "whole crowds over HTTP",
    "tests/simulation/test_demo.py": "the demo, in processes of its own",
    "tests/simulation/test_pipeline_end_to_end.py": "data sets through all six stages over HTTP",
    "tests/simulation/test_scenes.py": "draws hundreds of scenes",
    "tests/test_selection.py::test_a_run": "starts pytest for each case",
    "tests/test_selection.py::test_by_hand": "starts pytest",
    "tests/workflows/crowd/test_prolific_batch.py::test_answers": "a whole batch for each lost answer",
    "tests/workflows/services/crowd/test_faults.py": "a whole batch for each call that is struck",
    "tests/workflows/test_attack.py": "trains classifiers on what thousands of pages look like",
    "tests/workflows/test_random_work.py": "random work through all stages, every rule checked on the way",
    "tests/workflows/test_replays.py": "random work, taken back and replayed",
}
"""Tests that take long, and why. `make test` runs them on no database."""

ON_SERVERS: tuple[str, ...] = (
    # Locks, threads against each other
    "tests/console/batches/test_confirming_at_once.py",
    "tests/workflows/services/crowd/test_at_once.py",
    "tests/workflows/services/crowd/test_withdrawing_refused.py",
    "tests/workflows/services/test_alone.py",
    "tests/workflows/services/test_beats.py",
    "tests/workflows/services/test_ledger",
    "tests/workflows/services/test_questions_at_once.py",
    "tests/workflows/test_concurren",
    "tests/workflows/test_trust_at_once.py",
    # SQL of our own, and what is asked of the catalogue or of a collation
    "tests/annotation/exporting/test_snapshot.py",
    "tests/annotation/exporting/test_dataset.py",
    "tests/config/test_backup.py",
    "tests/config/test_health.py",
    "tests/console/inspector/test_search.py",
    "tests/console/review/test_queue.py",
    "tests/workflows/counting",
    "tests/workflows/services/test_advance.py",
    "tests/workflows/services/test_counting.py",
    "tests/workflows/services/test_dispatch.py",
    "tests/workflows/services/test_earned.py",
    "tests/workflows/services/test_figures.py",
    "tests/workflows/services/test_leases.py",
    "tests/workflows/test_kept.py",
    "tests/workflows/test_selectors.py",
    # Constraints and the ways of money
    "tests/annotation/importing/test_corpus.py",
    "tests/workflows/services/crowd/test_booking.py",
    "tests/workflows/services/crowd/test_earning.py",
    "tests/workflows/services/crowd/test_joining.py",
    "tests/workflows/services/test_export_jobs.py",
    "tests/workflows/services/test_import_jobs.py",
    "tests/workflows/services/test_jobs.py",
    "tests/workflows/services/test_submit.py",
    "tests/workflows/test_api.py",
    # The broker
    "tests/config/test_broker.py",
    "tests/workflows/test_tasks.py",
)
"""Where the database or the broker matters: what `make test` runs on PostgreSQL and Redis, `make test-all` on
SQLite as well."""

IN_BROWSER: tuple[str, ...] = (
    "tests/e2e/test_console.py::test_pages_of_every_kind",
    "tests/e2e/test_crowd_frames.py::test_a_participant_goes_back",
    "tests/e2e/test_crowd_frames.py::test_preview_accept_work_and_submit",
    "tests/e2e/test_inspector.py::test_an_image_is_looked_at",
    "tests/e2e/test_lost_leases.py::test_a_lease_that_ends",
    "tests/e2e/test_lost_network.py::test_the_network_goes_and_comes_back",
    "tests/e2e/test_qualification.py::test_a_new_worker_passes_and_begins_to_work[Keys",
    "tests/e2e/test_reloads.py::test_a_reload_after_anything_that_is_said",
    "tests/e2e/test_review.py::test_a_box_is_corrected_and_the_chain_sent_back",
    "tests/e2e/test_site.py::test_every_stage_has_work",
    "tests/e2e/test_walks.py::test_all_stages_with_a_mouse",
)
"""A journey of each kind: what `make test` runs in a browser."""

LEFT = pytest.StashKey[int]()
"""How many tests of this run are left for `make test-all`."""


def is_left(test: str, *, on_servers: bool, depends: bool = True) -> bool:
    """Whether `make test` leaves the test of this id out: with servers (`on_servers`), or without.

    `depends`: whether it uses a database or the broker. What does not runs once anyway, without.
    """
    if test.startswith("tests/e2e/"):
        return on_servers or not _named(test, IN_BROWSER)
    return _named(test, SLOW) or (depends and on_servers != _named(test, ON_SERVERS))


def leave(
    config: pytest.Config, tests: list[pytest.Item], depends: Callable[[pytest.Item], bool]
) -> list[pytest.Item]:
    """The tests that `make test` runs of these. Notes how many it leaves, where `report` finds it."""
    on_servers = bool(config.getoption("--only-with-servers"))
    kept = [test for test in tests if not is_left(test.nodeid, on_servers=on_servers, depends=depends(test))]
    config.stash[LEFT] = len(tests) - len(kept)
    if hasattr(config, "workeroutput"):  # pytest-xdist: what the process tells the one that reports
        config.workeroutput["left"] = config.stash[LEFT]
    return kept


def report(left: int) -> str:
    return f"Left for `make test-all`: {left:,} (tests/selection.py names them)"


def _named(test: str, names: Iterable[str]) -> bool:
    return test.startswith(tuple(names))
