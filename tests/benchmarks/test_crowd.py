"""What the benchmark of crowd rounds counts. The benchmark itself is not run here."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from benchmarks.crowd.__main__ import SIZES
from benchmarks.crowd.run import wait_for_beat, waits
from tests.factories import NOW


def test_a_worker_waits_from_the_submission_to_the_approval() -> None:
    def after(seconds: int) -> datetime:
        return NOW + timedelta(seconds=seconds)

    submitted = {"A1": NOW, "A2": after(5), "A3": after(9)}
    approved = {"A1": after(30), "A2": after(30), "A9": after(31)}
    assert sorted(waits(submitted, approved)) == [25, 30], "what was not approved yet has no time"


@pytest.mark.parametrize(("since", "slept"), [(1, 29), (29, 1), (31, 29), (95, 25)])
def test_a_round_begins_with_the_next_beat(since: float, slept: float) -> None:
    seconds: list[float] = []
    wait_for_beat(since, 30, seconds.append)
    assert seconds == [slept]


def test_the_default_is_hundreds_of_open_hits_at_beats_own_pace() -> None:
    hits, every, _, _ = SIZES["full"]
    assert (hits, every) == (500, 30.0)
