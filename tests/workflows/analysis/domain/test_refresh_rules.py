from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from workflows.analysis.domain.refresh_rules import (
    by_type,
    claim_lasts,
    cost_to_come,
    images_wanted,
    is_due,
    quantiles,
    retry_after,
)
from workflows.batch_settings.domain.settings import BatchSettings

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "since", "due"),
    [(0, 14.9, False), (0, 15, True), (2, 59, False), (2, 60, True), (0, -1, False), (2, -7200, True)],
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
    own = by_type([("toys", 1), ("food/toys", 2), ("other", 3)])
    assert list(own.items()) == [("other", 3), ("food", 2), ("toys", 3)]


@pytest.mark.parametrize(
    ("regime", "judgments", "cost"),
    [("open", 20, 14), ("open", 21, 21), ("verification", 16, 14), ("trusted", 98, 70)],
)
def test_judgments_to_come_cost_full_pages_of_which_questions_take_their_share(
    regime: str, judgments: int, cost: int
) -> None:
    settings = BatchSettings(regime={"link": regime}, reward={"link": 7})
    assert cost_to_come({"link": judgments}, settings) == cost


def test_who_follows_somebody_taken_for_dead_has_double_the_time() -> None:
    assert claim_lasts(seconds=0, dead=None) == timedelta(minutes=5)
    assert claim_lasts(seconds=90, dead=None) == timedelta(minutes=15)
    assert claim_lasts(seconds=0, dead=timedelta(minutes=15)) == timedelta(minutes=30)


def test_what_fails_rests_twice_as_long_each_time_up_to_an_hour() -> None:
    assert [retry_after(n).total_seconds() for n in (1, 2, 3, 8, 10_000)] == [30, 60, 120, 3600, 3600]


@pytest.mark.parametrize(("target", "wanted"), [(None, 6), (5, 5), (9, 6), (1, 2)])
def test_images_wanted_are_not_those_let_go_and_no_more_than_the_target(
    target: int | None, wanted: int
) -> None:
    assert images_wanted({"done": 2, "queued": 4, "released": 7}, target) == wanted
