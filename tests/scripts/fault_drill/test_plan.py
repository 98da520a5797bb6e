"""The faults of a drill, from a seed."""

from __future__ import annotations

from collections import Counter

import pytest

from scripts.fault_drill.plan import EMBEDDED, KILL, SERVERS, SMOKE, Kind, plan


@pytest.mark.parametrize("kinds", [SMOKE, EMBEDDED, SERVERS])
def test_the_same_seed_gives_the_same_faults(kinds: tuple[Kind, ...]) -> None:
    assert plan(7, 300, kinds, 2) == plan(7, 300, kinds, 2)
    assert plan(7, 300, kinds, 2) != plan(8, 300, kinds, 2)


def test_each_kind_occurs_once_and_each_kill_twice_before_one_occurs_again() -> None:
    expected = Counter({kind: 1 + (kind.what == KILL) for kind in EMBEDDED})
    faults = plan(3, 600, EMBEDDED, 2)
    assert Counter(fault.kind for fault in faults[: expected.total()]) == expected
    times, rest = divmod(len(faults), expected.total())
    assert times >= 3 and rest
    counts = Counter(fault.kind for fault in faults)
    assert all(expected[kind] * times <= counts[kind] <= expected[kind] * (times + 1) for kind in EMBEDDED)


def test_faults_fit_into_the_time_and_last_no_longer_than_their_kind() -> None:
    faults = plan(5, 120, SERVERS, 3)
    times = [fault.at for fault in faults]
    assert times == sorted(times) and times[0] > 0 and times[-1] < 120
    assert 27 <= len(faults) <= 80, "one every three seconds"
    assert all(0.3 * f.kind.longest - 0.1 <= f.seconds <= f.kind.longest for f in faults)
    assert plan(5, 0, SERVERS, 3) == []
