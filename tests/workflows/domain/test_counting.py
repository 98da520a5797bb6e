from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from workflows.domain.counting import by_type, cost_to_come, is_due, quantiles
from workflows.domain.policy import BatchSettings

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "since", "due"), [(0, 14.9, False), (0, 15, True), (2, 59, False), (2, 60, True)]
)
def test_figures_rest_fifteen_seconds_or_thirty_times_what_they_took(
    seconds: float, since: float, due: bool
) -> None:
    at = NOW - timedelta(seconds=since)
    assert is_due(counted_at=at, seconds=seconds, now=NOW) is due


@pytest.mark.parametrize(
    ("times", "median", "p90"),
    [
        ({}, None, None),
        ({3.0: 1}, 3.0, 3.0),
        ({1.0: 1, 2.0: 1}, 1.5, 2.0),
        ({1.0: 9, 50.0: 2}, 1.0, 50.0),
        ({1.0: 5, 2.0: 5}, 1.5, 2.0),
    ],
)
def test_quantiles_of_a_histogram(times: dict[float, int], median: float | None, p90: float | None) -> None:
    assert quantiles(times, (0.5, 0.9)) == [median, p90]


def test_one_of_two_types_counts_as_both_and_types_are_in_their_order() -> None:
    found = by_type([("other", 1), ("bodyparts/people", 2), ("people", 3)])
    assert list(found.items()) == [("people", 5), ("bodyparts", 2), ("other", 1)]


@pytest.mark.parametrize(
    ("regime", "judgments", "cost"),
    [("open", 20, 14), ("open", 21, 21), ("verification", 16, 14), ("trusted", 98, 70)],
)
def test_judgments_to_come_cost_full_pages_of_which_questions_take_their_share(
    regime: str, judgments: int, cost: int
) -> None:
    settings = BatchSettings(regime={"link": regime}, reward={"link": 7})
    assert cost_to_come({"link": judgments}, settings) == cost
