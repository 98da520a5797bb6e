"""When somebody who opened our page is taken to have left it, though the platform does not say so."""

from __future__ import annotations

from datetime import datetime, timedelta

SLACK = timedelta(minutes=10)
"""Platforms tell of a submission a little later than the worker's browser does [ours]."""
ANSWERS_WITHIN = timedelta(hours=1)
"""A submission whose answers have not come by then has lost them [ours]."""


def has_left(*, opened_at: datetime, work_seconds: int, closed: bool, working: int, now: datetime) -> bool:
    """Whether nobody can be at work any more whom the platform does not tell of.

    The time for the page is over, or the publication is `closed` and the platform has nobody `working` on it.
    """
    if now < opened_at + SLACK:
        return False
    return (closed and working == 0) or now >= opened_at + timedelta(seconds=work_seconds) + SLACK


def has_lost_answers(*, submitted_at: datetime, now: datetime) -> bool:
    """Whether answers of something that was submitted should have come long ago."""
    return now >= submitted_at + ANSWERS_WITHIN
