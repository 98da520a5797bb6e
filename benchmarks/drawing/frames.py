"""What a trace of Chromium says about the frames of one page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from benchmarks.report import percentile

CATEGORIES = ("disabled-by-default-devtools.timeline", "cc", "blink.user_timing")
"""The categories that have to be traced. More would slow down what is measured."""
BUDGET_MS = 16.0
_FRAME, _TASK, _PIPELINE = "ProxyMain::BeginMainFrame", "RunTask", "PipelineReporter"

Event = Mapping[str, Any]


@dataclass(frozen=True)
class Frames:
    """The frames of a page's main thread, as lists of milliseconds with one entry a frame.

    A frame begins with the event that moved the pointer.
    """

    work: list[float]
    """All that the thread ran until the next frame began, including the wait for the compositor's commit."""
    cpu: list[float]
    """The processor time within `work`."""
    apart: list[float]
    """The time from the beginning of a frame to that of the next one."""
    shown: int
    dropped: int
    """The frames that the compositor wanted to show and could not show in time."""

    def figures(self) -> dict[str, float]:
        return {
            "frames": len(self.work),
            "median_ms": round(percentile(self.work, 0.5), 2),
            "p95_ms": round(percentile(self.work, 0.95), 2),
            "p99_ms": round(percentile(self.work, 0.99), 2),
            "max_ms": round(max(self.work, default=0.0), 2),
            "over_16_ms": sum(work > BUDGET_MS for work in self.work),
            "cpu_median_ms": round(percentile(self.cpu, 0.5), 2),
            "cpu_max_ms": round(max(self.cpu, default=0.0), 2),
            "cpu_over_16_ms": sum(cpu > BUDGET_MS for cpu in self.cpu),
            "apart_median_ms": round(percentile(self.apart, 0.5), 1),
            "apart_p99_ms": round(percentile(self.apart, 0.99), 1),
            "shown": self.shown,
            "dropped": self.dropped,
        }


def read_frames(events: Iterable[Event], begin: str, end: str) -> Frames:
    """Return the frames between two marks that the page set with `performance.mark`.

    Raises StopIteration if a mark is missing. Times in a trace are microseconds.
    """
    ordered = sorted((event for event in events if "ts" in event), key=lambda event: event["ts"])
    first = next(event for event in ordered if event["name"] == begin)
    last = next(event for event in ordered if event["name"] == end and event["pid"] == first["pid"])
    process = [e for e in ordered if e["pid"] == first["pid"] and first["ts"] <= e["ts"] <= last["ts"]]
    main = [event for event in process if event["tid"] == first["tid"]]
    # A frame's task begins before the event that marks the frame.
    tasks = [event for event in main if event["name"] == _TASK and "dur" in event]
    starts = [_task_of(event, tasks) for event in main if event["name"] == _FRAME and event["ph"] == "X"]
    work, cpu = [], []
    for start, after in pairwise(starts):
        mine = [task for task in tasks if start <= task["ts"] < after]
        work.append(sum(task["dur"] for task in mine) / 1000)
        cpu.append(sum(task.get("tdur", 0) for task in mine) / 1000)
    states = [
        event["args"]["frame_reporter"]["state"]
        for event in process
        if event["name"] == _PIPELINE and event["ph"] == "b"
    ]
    return Frames(
        work=work,
        cpu=cpu,
        apart=[(after - start) / 1000 for start, after in pairwise(starts)],
        shown=sum(state.startswith("STATE_PRESENTED") for state in states),
        dropped=states.count("STATE_DROPPED"),
    )


def _task_of(event: Event, tasks: Iterable[Event]) -> int:
    """Return when the task that contains the event begins, or the event's own time without such a task."""
    around = (task["ts"] for task in tasks if task["ts"] <= event["ts"] < task["ts"] + task["dur"])
    return int(next(around, event["ts"]))
