"""What the benchmark of forecasts says of a run."""

from __future__ import annotations

from typing import Any

from research.forecast import BATCHES, contains, is_narrow, width


def run(cost: int, low: float, middle: float, high: float) -> dict[str, Any]:
    return {"cost": cost, "forecast": {"cost": {"low": low, "middle": middle, "high": high}}}


def test_a_range_contains_its_ends() -> None:
    assert contains(run(10, 10, 12, 14)) and contains(run(14, 10, 12, 14))
    assert not contains(run(9, 10, 12, 14)) and not contains(run(15, 10, 12, 14))


def test_the_width_is_half_of_the_range() -> None:
    assert width(run(0, 60, 100, 140)) == 0.4 and is_narrow(run(0, 60, 100, 140))
    assert not is_narrow(run(0, 50, 100, 140))


def test_the_batches_are_of_all_regimes_providers_and_sizes() -> None:
    assert len(BATCHES) == 12
    assert {(one.provider, one.regime) for one in BATCHES} == {
        (provider, regime)
        for provider in ("direct", "mturk")
        for regime in ("open", "trusted", "verification")
    }
    assert {min(one.images for one in BATCHES), max(one.images for one in BATCHES)} == {6, 200}
