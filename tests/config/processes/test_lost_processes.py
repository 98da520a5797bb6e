"""Which ends of a process end the worker. test_serve.py tests that the worker then works again."""

from __future__ import annotations

import signal
from types import SimpleNamespace
from typing import NoReturn

import pytest
from billiard.pool import CLOSE, RUN

from config.processes.lost_processes import EXIT_CODE, process_went

DEAD, OTHER = 4194301, 4194302  # above what the kernel gives by default


class Ended(Exception):
    """Raised in place of ending the process."""


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the list of processes that were killed. The worker's own end raises Ended."""

    def end(code: int) -> NoReturn:
        raise Ended(code)

    found: list[int] = []
    monkeypatch.setattr("config.processes.lost_processes.os.kill", lambda pid, _: found.append(pid))
    monkeypatch.setattr("config.processes.lost_processes.os._exit", end)
    monkeypatch.setattr("config.processes.lost_processes.logging.shutdown", lambda: None)
    return found


def pool(*, state: int = RUN, at_work: int | None = None) -> SimpleNamespace:
    """Return a pool with one process left. The process `at_work` has one task."""
    jobs = {1: SimpleNamespace(worker_pids=lambda: [at_work] if at_work else [])}
    return SimpleNamespace(_state=state, _cache=jobs, _pool=[SimpleNamespace(pid=OTHER)])


def gone(exitcode: int | None) -> SimpleNamespace:
    return SimpleNamespace(pid=DEAD, exitcode=exitcode)


def test_a_process_killed_while_it_had_no_task_ends_the_worker_with_all_its_processes(
    killed: list[int],
) -> None:
    with pytest.raises(Ended, match=str(EXIT_CODE)):
        process_went(pool(at_work=OTHER), gone(-signal.SIGKILL))
    assert killed == [OTHER]


@pytest.mark.parametrize(
    ("state", "at_work", "exitcode"),
    [
        (RUN, DEAD, -signal.SIGKILL),  # it had a task, which Celery sends again
        (RUN, None, 0),
        (RUN, None, 155),  # replaced after so many tasks
        (RUN, None, None),
        (CLOSE, None, -signal.SIGTERM),  # the worker is being stopped
    ],
)
def test_any_other_end_leaves_the_worker_at_work(
    killed: list[int], state: int, at_work: int | None, exitcode: int | None
) -> None:
    process_went(pool(state=state, at_work=at_work), gone(exitcode))
    assert killed == []
