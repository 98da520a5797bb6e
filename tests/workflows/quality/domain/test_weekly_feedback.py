"""What a worker is told of a week must not tell verification questions from items."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest

from workflows.quality.domain.weekly_feedback import (
    MIN_ANSWERS,
    Tally,
    percent_told,
    weeks_over,
    weeks_told,
)

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.mark.parametrize("asked", range(MIN_ANSWERS, 200))
def test_a_single_answer_cannot_be_read_from_a_share(asked: int) -> None:
    """Whatever is told, one right answer more, or one less, would be told in the same words.

    So even 100% does not say of any answer that it was right. Somebody who answers one item wrong on purpose,
    to see whether it was a verification question, sees the same share in either case: which side of a step
    they are on depends on all their other answers to such questions, and they do not know which these are.
    """
    told = [percent_told(right, asked) for right in range(asked + 1)]
    assert (told[0], told[-1]) == (0, 100)
    for right, percent in enumerate(told):
        assert percent in (*told[max(0, right - 1) : right], *told[right + 1 : right + 2])


def test_a_share_is_told_to_the_nearest_ten_percent() -> None:
    assert [percent_told(right, 40) for right in (29, 30, 33, 34, 38)] == [70, 80, 80, 90, 100]


def test_few_answers_are_not_told() -> None:
    assert percent_told(29, MIN_ANSWERS - 1) is None
    told = weeks_told([Tally(MONDAY, 27, 30), Tally(MONDAY - timedelta(weeks=1), 29, 29)])
    assert told == [(MONDAY, 90)]


@pytest.mark.parametrize(
    ("now", "newest"),
    [
        (MONDAY, MONDAY - timedelta(weeks=1)),
        (MONDAY - timedelta(seconds=1), MONDAY - timedelta(weeks=2)),
        (MONDAY + timedelta(days=6, hours=23), MONDAY - timedelta(weeks=1)),
        # The server's time zone does not matter.
        (MONDAY.astimezone(timezone(timedelta(hours=-5))), MONDAY - timedelta(weeks=1)),
    ],
)
def test_only_weeks_that_are_over_are_told_and_none_overlap(now: datetime, newest: datetime) -> None:
    weeks = weeks_over(now)
    assert weeks[0] == newest and newest + timedelta(weeks=1) <= now
    assert {before - after for before, after in pairwise(weeks)} == {timedelta(weeks=1)}
