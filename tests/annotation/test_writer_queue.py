"""Writers on SQLite wait for one another, but only so long."""

from __future__ import annotations

import fcntl
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

import pytest
from django.db import OperationalError

from annotation.writer_queue import limit_waiting, writer_turn


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "database.lock"
    limit_waiting(None)


def hold(path: Path) -> IO[bytes]:
    """Hold the lock, as another process would."""
    file = path.open("ab")
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def is_free(path: Path) -> bool:
    with path.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def write(path: Path) -> float:
    """Take a turn, and return how long it took to get it."""
    begun = time.monotonic()
    with writer_turn(path):
        assert not is_free(path)
        return time.monotonic() - begun


def test_a_lock_that_another_process_holds_too_long_is_given_up(path: Path) -> None:
    limit_waiting(0.2)
    with hold(path):
        begun = time.monotonic()
        with pytest.raises(OperationalError, match=r"writing to the database for 0\.2 seconds"):
            write(path)
        assert 0.2 <= time.monotonic() - begun < 5
    assert write(path) < 5
    assert is_free(path)


def test_all_threads_of_a_process_give_up_within_the_limit(path: Path) -> None:
    limit_waiting(0.3)
    with hold(path), ThreadPoolExecutor(6) as pool:
        begun = time.monotonic()
        tries = [pool.submit(write, path) for _ in range(6)]
        assert all(isinstance(one.exception(), OperationalError) for one in tries)
        assert time.monotonic() - begun < 3, "each has waited for the limit, and not one after the other"
    assert write(path) < 5


@pytest.mark.parametrize("limit", [None, 20.0])
def test_whoever_waits_gets_the_lock_when_it_is_free(path: Path, limit: float | None) -> None:
    limit_waiting(limit)
    holder = hold(path)
    threading.Timer(0.2, holder.close).start()
    assert 0.1 < write(path) < 10
    assert is_free(path)


def test_an_error_of_the_block_frees_the_lock(path: Path) -> None:
    limit_waiting(1)
    with pytest.raises(KeyError), writer_turn(path):
        raise KeyError
    assert write(path) < 1


def test_one_at_a_time_writes(path: Path) -> None:
    limit_waiting(60)
    seen: list[int] = []
    writing = 0

    def work() -> None:
        nonlocal writing
        for _ in range(20):
            with writer_turn(path):
                writing += 1
                seen.append(writing)
                time.sleep(0.0005)
                writing -= 1

    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(work) for _ in range(6)]:
            done.result()
    assert seen == [1] * 120
