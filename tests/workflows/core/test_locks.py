from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from tests.workflows.threads import at_once
from workflows.core.locks import LockLostError, check_locks, one_at_a_time, try_lock

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def test_of_those_who_come_at_once_one_is_let_in() -> None:
    everybody = threading.Barrier(4)

    def come() -> bool:
        with try_lock("test") as free:
            everybody.wait(timeout=30)
            return free

    assert sorted(at_once([come] * 4)) == [False, False, False, True]
    with try_lock("test") as free:
        assert free, "whoever was in has left"


def test_another_name_is_another_lock() -> None:
    with try_lock("first") as first, try_lock("second") as second:
        assert first and second


def test_an_error_or_a_lost_session_leaves_nothing_behind() -> None:
    with pytest.raises(ValueError, match="within"), try_lock("test"):
        raise ValueError("within")
    with try_lock("test"):
        connection.close()
    assert at_once([lambda: _free("test")]) == [True]


def test_a_block_can_ask_whether_it_still_has_its_lock() -> None:
    with try_lock("test"), try_lock("another"):
        check_locks()
        connection.close()
        assert connection.introspection.table_names(), "Django has opened another session"
        if connection.vendor == "sqlite":  # here the lock is a file
            check_locks()
        else:
            with pytest.raises(LockLostError):
                check_locks()
            assert at_once([lambda: _free("test")]) == [True]
    check_locks()


def test_a_lock_that_was_released_is_not_missed() -> None:
    with one_at_a_time("test") as mine:  # it releases the first of its two locks before the second
        assert mine
    connection.close()
    assert connection.introspection.table_names()
    check_locks()


def test_of_those_who_come_while_one_is_at_work_one_waits_and_begins_afterwards() -> None:
    began, may_end = threading.Event(), threading.Event()
    turns: list[str] = []

    def work() -> None:
        with one_at_a_time("test") as mine:
            assert mine
            began.set()
            assert may_end.wait(timeout=30)
            turns.append("first ends")
        connection.close()

    def come() -> bool:
        with one_at_a_time("test") as mine:
            if mine:
                turns.append("next begins")
        connection.close()
        return mine

    with ThreadPoolExecutor(5) as pool:
        first = pool.submit(work)
        assert began.wait(timeout=30)
        others = [pool.submit(come) for _ in range(4)]
        end = time.monotonic() + 30
        while sum(other.done() for other in others) < 3 and time.monotonic() < end:
            time.sleep(0.01)
        may_end.set()
        assert sorted(other.result(timeout=60) for other in others) == [False, False, False, True]
        first.result(timeout=60)
    assert turns == ["first ends", "next begins"], "three went away at once, and one waited"


def test_whoever_waits_goes_on_after_an_error() -> None:
    with pytest.raises(ValueError, match="within"), one_at_a_time("test"):
        raise ValueError("within")
    with one_at_a_time("test") as mine:
        assert mine
    assert at_once([lambda: _free("test"), lambda: _free("test-next")]) == [True, True]


def _free(name: str) -> bool:
    with try_lock(name) as free:
        return free
