from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest

from benchmarks.drawing.frames import read_frames

PAGE, OTHER = 7, 8


def event(name: str, at: float, **fields: Any) -> Mapping[str, Any]:
    """Return an event of the page's main thread. Times are in milliseconds."""
    plain = {"name": name, "ph": "X", "pid": PAGE, "tid": PAGE, "ts": at * 1000}
    return plain | {key: value * 1000 if key in ("dur", "tdur") else value for key, value in fields.items()}


def frame(at: float, dur: float, cpu: float) -> list[Mapping[str, Any]]:
    """Return the events of a task that is a frame.

    The event that marks the frame comes a little later, and a flow event has the same name.
    """
    return [
        event("RunTask", at, dur=dur, tdur=cpu),
        event("ProxyMain::BeginMainFrame", at + 0.1, dur=dur - 0.2),
        event("ProxyMain::BeginMainFrame", at + 0.1, ph="f"),
    ]


def pipeline(at: float, state: str, **fields: Any) -> Mapping[str, Any]:
    return event("PipelineReporter", at, ph="b", args={"frame_reporter": {"state": state}}, **fields)


TRACE = [
    {"name": "process_name", "ph": "M", "pid": PAGE, "tid": PAGE, "args": {}},
    event("RunTask", 0, dur=50, tdur=50),
    event("begin", 60, ph="I"),
    *frame(100, 5, 4),
    event("RunTask", 107, dur=3, tdur=1),
    event("RunTask", 108, dur=90, tdur=90, tid=9),
    event("RunTask", 109, dur=90, tdur=90, pid=OTHER),
    *frame(117, 20, 6),
    pipeline(118, "STATE_PRESENTED_ALL"),
    pipeline(119, "STATE_DROPPED"),
    pipeline(119, "STATE_NO_UPDATE_DESIRED"),
    pipeline(119, "STATE_DROPPED", pid=OTHER),
    *frame(150, 2, 2),
    event("end", 200, ph="I"),
    *frame(210, 40, 40),
]


def test_a_frame_has_all_that_the_page_runs_until_the_next() -> None:
    """What ran before the first mark, or in other threads or processes, is not in it.

    The last frame has no end, so it is left out.
    """
    frames = read_frames(reversed(TRACE), "begin", "end")
    assert frames.work == [8, 20]
    assert frames.cpu == [5, 6]
    assert frames.apart == [17, 33]
    assert (frames.shown, frames.dropped) == (1, 1)


def test_figures_count_what_is_over_the_budget() -> None:
    figures = read_frames(TRACE, "begin", "end").figures()
    assert (figures["frames"], figures["max_ms"], figures["over_16_ms"]) == (2, 20, 1)
    assert (figures["cpu_max_ms"], figures["cpu_over_16_ms"]) == (6, 0)


def test_a_trace_without_the_marks_is_no_measurement() -> None:
    with pytest.raises(StopIteration):
        read_frames(TRACE, "begin", "nothing")


def test_a_gesture_without_frames_has_no_times() -> None:
    figures = read_frames([event("begin", 1), event("end", 2)], "begin", "end").figures()
    assert (figures["frames"], figures["shown"], figures["dropped"]) == (0, 0, 0)
    assert math.isnan(figures["median_ms"]), "the benchmark then fails (benchmarks.report)"
