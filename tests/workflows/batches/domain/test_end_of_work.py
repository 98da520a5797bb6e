"""The forecast of the end: what is left, how fast work goes, and when the end is not known."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from workflows.batches.domain.end_of_work import (
    DONE,
    End,
    Left,
    Work,
    forecast_end,
    last_end,
    left,
    rates,
    sum_of,
)

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
HALF_WAY = Work(judgments=1000, to_come=100, images=100, images_done=40, images_begun=20)


def steady(hours: int, rate: int = 10) -> list[tuple[datetime, int]]:
    return [(NOW - n * HOUR, rate) for n in range(hours, 0, -1)]


def test_what_is_left_follows_from_the_images_that_are_done() -> None:
    assert left(HALF_WAY) == Left(100, 1000, 1500)


def test_of_too_few_images_only_what_was_asked_is_known() -> None:
    assert left(Work(judgments=50, to_come=70, images=1000, images_done=1, images_begun=9)) == Left(
        70, None, None
    )


def test_never_less_than_was_asked_already() -> None:
    assert left(Work(judgments=10, to_come=500, images=10, images_done=9, images_begun=1)) == Left(
        500, 500, 500
    )


def test_rates_of_the_windows_that_work_has_lasted() -> None:
    assert rates(steady(30), NOW) == {timedelta(hours=6): 10, timedelta(hours=24): 10}


def test_an_hour_counts_for_its_part_within_a_window() -> None:
    found = rates([(NOW - 8 * HOUR, 1), (NOW - 6.5 * HOUR, 60)], NOW)
    assert found == {timedelta(hours=6): 5}


def test_work_that_has_just_begun_is_measured_since_then() -> None:
    assert rates([(NOW - 2 * HOUR, 30)], NOW) == {2 * HOUR: 15}


def test_a_steady_crowd_ends_within_the_range_of_the_work() -> None:
    assert forecast_end(HALF_WAY, steady(200), now=NOW) == End(
        earliest=NOW + 10 * HOUR, likely=NOW + 100 * HOUR, latest=NOW + 150 * HOUR
    )


def test_a_crowd_that_sleeps_has_no_latest_end() -> None:
    slept = [(NOW - n * HOUR, 10) for n in range(30, 8, -1)]
    end = forecast_end(HALF_WAY, slept, now=NOW)
    assert end.latest is None
    assert end.likely is not None
    assert end.earliest is not None


@pytest.mark.parametrize(
    ("work", "hours", "running", "says"),
    [
        (Work(10, 0, 5, 5, 0), steady(9), True, "Everything is done"),
        (HALF_WAY, steady(9), False, "no batch is running"),
        (Work(900, 0, 10, 7, 3, asked=False), steady(9), True, "the rest waits for a researcher"),
        (replace(HALF_WAY, for_somebody_new=26), steady(9), True, "26 answers wait for a new worker"),
        (replace(HALF_WAY, for_questions=3), steady(9), True, "waits for more verification questions"),
        (replace(HALF_WAY, for_somebody_new=1), [], True, "1 answer waits for a new worker"),
        (HALF_WAY, [], True, "nothing was judged"),
        (HALF_WAY, [(NOW - 300 * HOUR, 5)], True, "nothing was judged"),
    ],
)
def test_what_is_not_known_is_said(
    work: Work, hours: list[tuple[datetime, int]], *, running: bool, says: str
) -> None:
    end = forecast_end(work, hours, now=NOW, running=running)
    assert (end.earliest, end.likely, end.latest) == (None, None, None)
    assert says in end.unknown


def test_several_works_end_with_the_last_of_them() -> None:
    soon, late = End(NOW, NOW + HOUR, NOW + 9 * HOUR), End(NOW + HOUR, NOW + 2 * HOUR, NOW + 3 * HOUR)
    assert last_end([soon, late, End(unknown=DONE)]) == End(NOW + HOUR, NOW + 2 * HOUR, NOW + 9 * HOUR)
    assert last_end([End(unknown=DONE)]) == last_end([]) == End(unknown=DONE)


def test_an_end_is_not_known_if_that_of_one_work_is_not() -> None:
    soon = End(NOW, NOW + HOUR, NOW + 9 * HOUR)
    begun = End(NOW + HOUR, unknown="too few")
    assert last_end([soon, begun]) == begun
    assert last_end([begun, End(unknown="a batch is paused")]) == End(unknown="a batch is paused")


def test_what_is_left_of_several_works_is_estimated_only_if_it_is_of_each() -> None:
    assert sum_of([Left(1, 2, 3), Left(10, 20, 30)]) == Left(11, 22, 33)
    assert sum_of([Left(1, 2, 3), Left(10, None, None)]) == Left(11, None, None)
    assert sum_of([Left(1, 2, 3), None]) == Left(1, None, None)


def test_an_end_beyond_ten_years_is_none() -> None:
    end = forecast_end(Work(10_000_000, 1_000_000, 100, 50, 0), steady(200, 1), now=NOW)
    assert end.earliest is None
