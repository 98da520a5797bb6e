from __future__ import annotations

import threading

import pytest
from django.db import connection

from tests.workflows.threads import at_once
from workflows.core.locks import try_lock

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


def _free(name: str) -> bool:
    with try_lock(name) as free:
        return free
