from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from workflows.jobs.domain.jobs import (
    BLIND,
    MOVES,
    STALE,
    ExportAsked,
    ImportAsked,
    JobError,
    can_move,
    is_abandoned,
    parse_options,
    seconds_left,
    to_options,
)
from workflows.jobs.models import Job

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_the_table_knows_the_states_of_the_model_and_ends_where_it_should() -> None:
    states = set(Job.State.values)
    assert {state for sources, target in MOVES.values() for state in (*sources, target)} == states
    assert not any(can_move(move, Job.State.DONE) for move in MOVES)
    assert can_move("resume", Job.State.CANCELLED) and not can_move("resume", Job.State.RUNNING)


def test_a_run_is_dead_when_it_was_not_heard_of_for_a_minute() -> None:
    assert not is_abandoned("running", NOW - STALE, NOW)
    assert is_abandoned("running", NOW - STALE - timedelta(seconds=1), NOW)
    assert is_abandoned("running", None, NOW)
    assert not is_abandoned("queued", None, NOW) and not is_abandoned("done", NOW - 9 * STALE, NOW)


def test_a_run_that_died_before_the_clock_was_set_back_is_dead() -> None:
    assert not is_abandoned("running", NOW + BLIND + STALE, NOW), "it may store an archive"
    assert is_abandoned("running", NOW + timedelta(hours=2), NOW)
    assert not is_abandoned("queued", NOW + timedelta(hours=2), NOW)


@pytest.mark.parametrize(
    "asked", [ImportAsked(place="/data", as_gold=True), ExportAsked("coco", merge=False)]
)
def test_options_come_back_as_they_were(asked: Any) -> None:
    assert parse_options(type(asked), to_options(asked)) == asked


@pytest.mark.parametrize(
    ("kind", "options", "field"),
    [
        (ImportAsked, {}, "place"),
        (ImportAsked, {"upload": "a", "place": "b"}, "place"),
        (ImportAsked, {"place": "/a\0"}, "place"),
        (ImportAsked, {"place": "/a" * 300}, "place"),
        (ImportAsked, {"place": "/a", "of_later": 1}, ""),
        (ExportAsked, {}, ""),
        (ExportAsked, {"format": "coco", "source": "gold", "batch": "b"}, "batch"),
        (ExportAsked, {"format": "coco", "merge_iou": 0.0}, "merge_iou"),
        (ExportAsked, {"format": "coco", "licence": "c" * 101}, "licence"),
        (ExportAsked, {"format": "coco", "licence": "a\nb"}, "licence"),
        (ExportAsked, {"format": "coco", "merge_iou_other": float("nan")}, "merge_iou_other"),
    ],
)
def test_options_that_make_no_sense_name_their_field(kind: Any, options: dict[str, Any], field: str) -> None:
    with pytest.raises(JobError) as refused:
        parse_options(kind, options)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("done", "total", "seconds", "left"),
    [(50, 200, 10, 30), (200, 200, 10, 0), (300, 200, 10, 0), (0, 200, 10, None), (5, None, 10, None)],
)
def test_the_time_left_follows_from_the_speed_so_far(
    done: int, total: int | None, seconds: float, left: float | None
) -> None:
    assert seconds_left(done, total, seconds) == left
