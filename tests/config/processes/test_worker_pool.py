"""A worker goes on when the broker comes back while one of its processes has just ended."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
from celery.concurrency.asynpool import AsynPool
from kombu.asynchronous import Hub, get_event_loop, set_event_loop

from config.celery import app
from config.processes.worker_pool import Processes, TaskPool


@pytest.fixture
def hub() -> Iterator[Any]:
    before, new = get_event_loop(), Hub()
    set_event_loop(new)
    yield new
    new.close()
    set_event_loop(before)


def with_one_ended(kind: type[Any], hub: Any) -> Any:
    """Return a pool of one process that was killed, whose end was seen, and which is not replaced yet."""
    pool = kind(processes=1, synack=False, threads=False)
    pool.register_with_event_loop(hub)
    process = pool._pool[0]
    os.kill(process.pid, signal.SIGKILL)
    pool._untrack_child_process(process, hub)  # what Celery does when the kernel tells the end
    return pool


def test_a_process_whose_end_was_seen_is_not_watched_again(hub: Any) -> None:
    pool = with_one_ended(Processes, hub)
    gone = pool._pool[0]
    try:
        hub.reset()
        pool.register_with_event_loop(hub)  # the broker is back
        end = time.monotonic() + 20
        while gone in pool._pool:
            pool.maintain_pool()  # a timer's work
            assert time.monotonic() < end
            time.sleep(0.05)
        assert len(pool._pool) == 1 and pool._pool[0]._is_alive()
    finally:
        pool.terminate()


def test_celery_s_own_pool_still_needs_this(hub: Any) -> None:
    """If this fails, Celery was mended, and `config.processes.worker_pool` is not needed any more."""
    pool = with_one_ended(AsynPool, hub)
    try:
        with pytest.raises(ValueError, match="file descriptor is None"):
            pool.register_with_event_loop(hub)
    finally:
        pool.terminate()


def test_workers_use_it() -> None:
    assert app.conf.worker_pool == "config.processes.worker_pool:TaskPool"
    assert TaskPool.Pool is Processes
