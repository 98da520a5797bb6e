"""How many of their answers to verification questions a worker had right, told by the week.

What is told must not tell these questions from items. A worker could answer one item wrong on purpose and see
whether the share changes. So it is told only of weeks that are over, of many answers together, and in steps
that are wider than what one answer changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

MIN_ANSWERS = 30
"""A week with fewer answers to verification questions is not told."""
STEP = 10
"""The percentage points in which a share is told. One answer of 30 changes it by 3.3."""
WEEKS_TOLD = 4

WEEK = timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class Tally:
    """A worker's answers to verification questions in the week that begins at `begins`."""

    begins: datetime
    right: int
    asked: int


def weeks_over(now: datetime) -> list[datetime]:
    """Return the beginnings of the latest weeks that are over, the newest first.

    Weeks begin on Monday at 00:00 UTC. They do not overlap, so no answer can be told from two shares.
    """
    today = now.astimezone(UTC).date()
    this = datetime.combine(today - timedelta(days=today.weekday()), time(tzinfo=UTC))
    return [this - number * WEEK for number in range(1, WEEKS_TOLD + 1)]


def percent_told(right: int, asked: int) -> int | None:
    """Return the share of right answers to the nearest STEP, in percent. Return None if they are too few."""
    if asked < MIN_ANSWERS:
        return None
    steps = 100 // STEP
    return (2 * steps * right + asked) // (2 * asked) * STEP


def weeks_told(tallies: Sequence[Tally]) -> list[tuple[datetime, int]]:
    """Return the weeks of which the worker is told, each with the percentage of right answers."""
    percentages = ((tally.begins, percent_told(tally.right, tally.asked)) for tally in tallies)
    return [(begins, percent) for begins, percent in percentages if percent is not None]
