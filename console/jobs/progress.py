"""The progress of a job, for its page and for the script that follows it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from console.jobs.labels import STATES, long, steps_of
from workflows.jobs.domain.jobs import UNFINISHED, is_abandoned, seconds_left
from workflows.jobs.models import Job


def followed(job: Job, now: datetime) -> dict[str, Any]:
    """Return what changes while the job runs, in words."""
    running = job.state == Job.State.RUNNING
    seconds = (now - job.started_at).total_seconds() if running and job.started_at else 0.0
    steps = steps_of(job)
    said = (
        f"{job.done:,} of {job.total:,} {steps}" if job.total else f"{job.done:,} {steps}" if job.done else ""
    )
    rate = f"{job.done / seconds:,.1f} {steps} a second" if job.done and seconds >= 1 else ""
    left = seconds_left(job.done, job.total, seconds)
    lost = is_abandoned(job.state, job.beat_at, now)
    if lost:
        phase = "no sign of life for a minute: another run will take over"
    elif job.cancel_asked and running:
        phase = f"{job.phase}; it stops after this part"
    elif job.state == Job.State.QUEUED:
        phase = "waits for a worker"
    else:
        phase = job.phase if running else ""
    return {
        "state": STATES[job.state][0],
        "look": STATES[job.state][1],
        "phase": phase,
        "done": job.done,
        "total": job.total,
        "said": said,
        "rate": rate,
        "left": f"about {long(left)} left" if left and not lost else "",
        "problems": job.problem_count,
        "ended": job.state not in UNFINISHED,
    }
