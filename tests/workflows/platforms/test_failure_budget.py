"""Calls for many objects, some of which are never answered."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.factories import NOW
from workflows.platforms.failure_budget import rotated


@pytest.mark.parametrize("seconds", [15, 30, 60, 150])
@pytest.mark.parametrize("count", [1, 2, 4, 5, 10, 30])
def test_each_comes_first_now_and_then_however_long_rounds_take(count: int, seconds: int) -> None:
    rounds = (rotated(range(count), NOW + timedelta(seconds=seconds * n)) for n in range(20 * count))
    assert {rows[0] for rows in rounds} == set(range(count))


def test_nothing_is_lost_or_doubled() -> None:
    assert sorted(rotated([3, 1, 2], NOW)) == [1, 2, 3]
    assert rotated([], NOW) == []
