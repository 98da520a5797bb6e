"""How a worker's accuracy changed: answers to verification questions, in runs of consecutive ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

LENGTHS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a verification question."""

    right: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive answers, from the `first` to the `last` as numbered from 1."""

    first: int
    last: int
    right: int
    until: datetime  # the time of the last

    @property
    def accuracy(self) -> float:
        """The share of right answers, from 0 to 1."""
        return self.right / (self.last - self.first + 1)


def run_length(answers: int, most: int) -> int:
    """Return how many answers a run has, so that there are at most so many runs: one of LENGTHS.

    A run is so many answers, and not a day: a day may have two of them or two hundred.
    """
    return next((length for length in LENGTHS if answers <= most * length), LENGTHS[-1])


def runs_of(answers: Sequence[Answer], length: int) -> list[Run]:
    """Return the runs of these answers, in their order.

    Fewer than half of a run at the end belong to the run before: one wrong answer alone would look like a
    collapse.
    """
    starts = list(range(0, len(answers), length))
    if len(starts) > 1 and 2 * (len(answers) - starts[-1]) < length:
        starts.pop()
    return [
        Run(start + 1, end, sum(answer.right for answer in answers[start:end]), answers[end - 1].at)
        for start, end in pairwise([*starts, len(answers)])
    ]
