"""PROTOCOL.md, "Quality control": a passed qualification test for that stage."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflows.batch_settings.domain.quality_control import Screening
from workflows.quality.domain.admission import (
    Part,
    Situation,
    TooFewQuestionsError,
    Try,
    draw_questions,
    passed,
    passes,
    situation,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SCREENING = Screening()


def failed(ago: timedelta) -> Try:
    return Try("failed", NOW - ago)


@pytest.mark.parametrize(
    ("tries", "expected"),
    [
        ([], Situation(Part.NONE, None, 3)),
        ([Try("training")], Situation(Part.TRAINING, None, 2)),
        ([failed(2 * DAY), Try("testing")], Situation(Part.TESTING, None, 1)),
        ([failed(DAY / 2)], Situation(Part.WAITING, NOW + DAY / 2, 2)),
        ([failed(DAY)], Situation(Part.NONE, None, 2)),
        ([failed(3 * DAY), failed(2 * DAY), failed(DAY)], Situation(Part.FAILED, None, 0)),
        ([failed(2 * DAY), Try("passed", NOW)], Situation(Part.PASSED, None, 0)),
    ],
)
def test_where_a_worker_is_follows_from_the_tries(tries: list[Try], expected: Situation) -> None:
    assert situation(tries, screening=SCREENING, now=NOW) == expected


def test_tries_from_before_a_worker_was_restored_do_not_count() -> None:
    tries = [failed(3 * DAY), failed(2 * DAY), failed(timedelta(hours=2))]
    hour_ago = NOW - timedelta(hours=1)
    assert situation(tries, screening=SCREENING, now=NOW, restored=hour_ago) == Situation(Part.NONE, None, 3)
    again = [*tries, failed(timedelta(minutes=30))]
    where = situation(again, screening=SCREENING, now=NOW, restored=hour_ago)
    assert (where.part, where.left) == (Part.WAITING, 2)


def test_a_test_that_was_passed_stays_passed_when_a_worker_is_restored() -> None:
    where = situation([Try("passed", NOW - DAY)], screening=SCREENING, now=NOW, restored=NOW)
    assert where.part == Part.PASSED


def test_more_tries_in_the_settings_open_a_closed_test_again() -> None:
    tries = [failed(3 * DAY)] * 3
    assert situation(tries, screening=Screening(tries=4), now=NOW) == Situation(Part.NONE, None, 1)


@given(
    seen=st.sets(st.integers(0, 60)),
    training=st.integers(0, 8),
    items=st.integers(1, 12),
    seed=st.integers(0, 2**32),
)
def test_the_scored_part_never_shows_what_the_worker_saw(
    seen: set[int], training: int, items: int, seed: int
) -> None:
    screening = Screening(training_items=training, test_items=items)
    pool = range(10, 50)
    fresh = set(pool) - seen
    if len(fresh) < items:
        with pytest.raises(TooFewQuestionsError, match=f"takes {items} questions and {len(fresh)}"):
            draw_questions(training=range(10), test=pool, seen=seen, screening=screening, rng=Random(seed))
        return
    first, scored = draw_questions(
        training=range(10), test=pool, seen=seen, screening=screening, rng=Random(seed)
    )
    assert len(set(first)) == len(first) == training
    assert set(first) <= set(range(10))
    assert len(set(scored)) == len(scored) == items
    assert set(scored) <= fresh
    # Questions that were explained before come again only if no others are left.
    assert len(set(first) - seen) == min(training, len(set(range(10)) - seen))


def test_training_needs_as_many_questions_as_it_takes() -> None:
    with pytest.raises(TooFewQuestionsError, match="training takes 4 questions and there are 2"):
        draw_questions(training=[1, 2], test=range(10, 30), seen=set(), screening=SCREENING, rng=Random(0))


@pytest.mark.parametrize(
    ("right", "asked", "mark", "enough"),
    [(8, 10, 0.8, True), (7, 10, 0.8, False), (9, 10, 0.83, True), (8, 10, 0.83, False), (7, 10, 0.7, True)],
)
def test_exactly_at_the_mark_is_enough(right: int, asked: int, mark: float, enough: bool) -> None:
    assert passed(right=right, asked=asked, mark=mark) is enough


@pytest.mark.parametrize(
    ("completed", "approval", "let_in"),
    [
        (500, 0.95, True),
        (499, 0.95, False),
        (500, 0.9499, False),
        (10_000, 1.0, True),
        (None, None, True),
        (None, 0.5, False),
        (3, None, False),
    ],
)
def test_the_platforms_figures_must_reach_both_thresholds_where_it_tells(
    completed: int | None, approval: float | None, let_in: bool
) -> None:
    assert passes(completed=completed, approval=approval, screening=Screening()) is let_in


def test_the_thresholds_are_the_batchs() -> None:
    assert passes(completed=3, approval=0.5, screening=Screening(completed=3, approval=0.5))
