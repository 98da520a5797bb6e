"""Rules on when a worker counts as gone, or answers as lost, although the platform does not say so."""

from __future__ import annotations

from datetime import datetime, timedelta

SLACK = timedelta(minutes=10)
"""Platforms tell of a submission up to this much later than the worker's browser does [ours]."""
ANSWERS_WITHIN = timedelta(hours=1)
"""The answers of a submission are lost if they have not come within this time [ours]."""


def has_left(*, opened_at: datetime, work_seconds: int, closed: bool, working: int, now: datetime) -> bool:
    """Return whether a worker whom the platform does not name cannot be at work any more.

    This holds once the page's `work_seconds` are over, or the publication is `closed` and the platform counts
    nobody as `working` on it; in both cases after SLACK.
    """
    if now < opened_at + SLACK:
        return False
    return (closed and working == 0) or now >= opened_at + timedelta(seconds=work_seconds) + SLACK


def has_lost_answers(*, submitted_at: datetime, now: datetime) -> bool:
    """Return whether the answers of a submission should have come by now."""
    return now >= submitted_at + ANSWERS_WITHIN
