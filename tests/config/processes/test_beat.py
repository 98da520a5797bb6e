"""Beat goes on when the clock is set back, also by a restart with the times of before."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import Celery

from config.processes.beat import Scheduler

SCHEDULE = {
    "often": {"task": "often", "schedule": timedelta(seconds=0.05)},
    "seldom": {"task": "seldom", "schedule": timedelta(seconds=0.2)},
    "daily": {"task": "daily", "schedule": timedelta(days=1)},
}


@pytest.fixture
def start(tmp_path: Path) -> Callable[[], Scheduler]:
    """Return a function that starts beat with the file of the beat before."""
    app = Celery("test", broker="memory://", set_as_current=False)
    app.conf.beat_schedule = SCHEDULE
    return lambda: Scheduler(app=app, schedule_filename=str(tmp_path / "beat"), max_interval=0.05)


def ran(scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch, seconds: float = 1) -> Counter[str]:
    """Return how often each task ran within this time."""
    found: Counter[str] = Counter()

    def apply_entry(entry: Any, producer: Any = None) -> None:
        found[entry.name] += 1

    monkeypatch.setattr(scheduler, "apply_entry", apply_entry)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(max(0, min(scheduler.tick(), 0.05)))
    return found


def move(scheduler: Scheduler, by: timedelta) -> None:
    """Change the times at which the tasks last ran."""
    entries: list[Any] = list(scheduler.schedule.values())
    for entry in entries:
        entry.last_run_at += by


def clock_was_set_back(scheduler: Scheduler, hours: int) -> None:
    """Leave what beat has after the clock was set back: all its times are ahead by so much."""
    move(scheduler, timedelta(hours=hours))


def test_every_task_goes_on_after_the_clock_was_clock_was_set_back(
    start: Callable[[], Scheduler], monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduler = start()
    assert ran(scheduler, monkeypatch, 0.5)["often"] > 2
    clock_was_set_back(scheduler, 2)
    after = ran(scheduler, monkeypatch)
    assert after["often"] > 5
    assert after["seldom"] > 1, "no task keeps the others from running"
    assert after["daily"] == 0


def test_stored_times_from_the_future_are_not_trusted(
    start: Callable[[], Scheduler], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = start()
    clock_was_set_back(before, 24)
    before.close()
    after = ran(start(), monkeypatch)
    assert after["often"] > 5 and after["seldom"] > 1


def test_what_is_due_runs_once_after_a_restart(
    start: Callable[[], Scheduler], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = start()
    move(before, timedelta(days=-3))
    before.close()
    assert ran(start(), monkeypatch)["daily"] == 1
