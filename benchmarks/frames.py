"""What a trace of Chromium's says of the frames of one page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from benchmarks.report import percentile

CATEGORIES = ("disabled-by-default-devtools.timeline", "cc", "blink.user_timing")
"""What has to be traced. More would slow down what is measured."""
BUDGET_MS = 16.0
_FRAME, _TASK, _PIPELINE = "ProxyMain::BeginMainFrame", "RunTask", "PipelineReporter"

Event = Mapping[str, Any]


@dataclass(frozen=True)
class Frames:
    """Milliseconds, one entry a frame of the page's main thread, which begins with what moved the pointer."""

    work: list[float]
    """All that the thread ran until the next frame began, waiting for the compositor's commit included."""
    cpu: list[float]
    """The processor time in that."""
    apart: list[float]
    """From one frame's begin to the next one's."""
    shown: int
    dropped: int
    """What the compositor wanted to show, and did or could not in time."""

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
    """The frames between two marks that the page set with `performance.mark`.

    Raises StopIteration where a mark is missing. Times in a trace are microseconds.
    """
    ordered = sorted((event for event in events if "ts" in event), key=lambda event: event["ts"])
    first = next(event for event in ordered if event["name"] == begin)
    last = next(event for event in ordered if event["name"] == end and event["pid"] == first["pid"])
    process = [e for e in ordered if e["pid"] == first["pid"] and first["ts"] <= e["ts"] <= last["ts"]]
    main = [event for event in process if event["tid"] == first["tid"]]
    # The frame's own task begins before the frame says so.
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
    """Where the task begins that the event is in; the event's own time without one."""
    around = (task["ts"] for task in tasks if task["ts"] <= event["ts"] < task["ts"] + task["dur"])
    return int(next(around, event["ts"]))
