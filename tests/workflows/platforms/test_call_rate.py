"""Waiting before a call and after a failed one."""

from __future__ import annotations

import random

from workflows.platforms.call_rate import Bucket, Pace, usual_pace
from workflows.platforms.provider import Environment


def test_a_burst_goes_at_once_and_the_rest_at_the_rate() -> None:
    bucket = Bucket(rate=2, burst=3)
    assert [bucket.take(100.0) for _ in range(5)] == [0, 0, 0, 0.5, 1.0]


def test_time_fills_the_bucket_up_to_a_burst() -> None:
    bucket = Bucket(rate=2, burst=3)
    for _ in range(3):
        bucket.take(100.0)
    assert [bucket.take(100.5), bucket.take(100.5)] == [0, 0.5]
    assert [bucket.take(900.0) for _ in range(4)] == [0, 0, 0, 0.5]


def test_a_clock_that_goes_back_gives_nothing() -> None:
    bucket = Bucket(rate=1, burst=1)
    assert bucket.take(100.0) == 0
    assert bucket.take(50.0) == 1.0


def test_waits_grow_at_random_within_bounds() -> None:
    waits: list[float] = []
    pace = Pace(Bucket(1, 1), sleep=waits.append, rng=random.Random(3))
    for failed in (1, 2, 3, 4, 20):
        for _ in range(50):
            pace.back_off(failed)
    longest = [max(waits[start : start + 50]) for start in range(0, 250, 50)]
    assert all(bound * 0.8 < most <= bound for most, bound in zip(longest, (0.5, 1, 2, 4, 20), strict=True))
    assert min(waits) < 0.1


def test_calls_to_one_account_share_their_pace() -> None:
    live = usual_pace("mturk", Environment.LIVE)
    assert usual_pace("mturk", Environment.LIVE) is live
    assert usual_pace("mturk", Environment.SANDBOX) is not live
