"""The qualification test of a stage: training with explanations, then a scored part, in a few tries [ours].

Passed once is passed, for every batch of the project.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from random import Random

from workflows.batch_settings.domain.quality_control import Screening


class Part(StrEnum):
    """Where a worker is in the test of a stage."""

    NONE = "none"  # may begin a try
    TRAINING = "training"
    TESTING = "testing"
    PASSED = "passed"
    WAITING = "waiting"  # failed a try not long ago
    FAILED = "failed"  # no tries are left


OPEN = (Part.TRAINING, Part.TESTING)
"""In the middle of a try."""


@dataclass(frozen=True, slots=True)
class Try:
    """A try as the rules see it."""

    state: str  # training, testing, passed or failed
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a worker is, from when they may try again (WAITING), and how many tries they may still begin."""

    part: Part
    until: datetime | None
    left: int


def situation(
    tries: Sequence[Try], *, screening: Screening, now: datetime, restored: datetime | None = None
) -> Situation:
    """What follows from a worker's tries at a stage, in their order.

    A researcher who restored the worker at `restored` gave them all tries again, and without a wait: what
    failed before does not count. What was passed stays passed.
    """
    if any(one.state == Part.PASSED for one in tries):
        return Situation(Part.PASSED, None, 0)
    counting = [one for one in tries if restored is None or one.ended_at is None or one.ended_at > restored]
    left = max(0, screening.tries - len(counting))
    last = counting[-1] if counting else None
    if last is not None and last.state in OPEN:
        return Situation(Part(last.state), None, left)
    if not left:
        return Situation(Part.FAILED, None, 0)
    if last is not None and last.ended_at is not None:
        until = last.ended_at + timedelta(seconds=screening.wait_seconds)
        if until > now:
            return Situation(Part.WAITING, until, left)
    return Situation(Part.NONE, None, left)


class TooFewQuestionsError(Exception):
    """A try cannot begin: the worker has seen what there is. The message says what is missing."""


def draw_questions(
    *, training: Sequence[int], test: Sequence[int], seen: set[int], screening: Screening, rng: Random
) -> tuple[list[int], list[int]]:
    """The questions (ids) of a try, at random: first training, then the scored part.

    No question of the scored part was shown to the worker before (`seen`). Training may repeat what an
    earlier try explained, where there is nothing else: it is not scored. Raises TooFewQuestionsError.
    """
    fresh = [question for question in test if question not in seen]
    if len(fresh) < screening.test_items:
        raise TooFewQuestionsError(
            f"the test takes {screening.test_items} questions and {len(fresh)} are left for this worker"
        )
    if len(training) < screening.training_items:
        raise TooFewQuestionsError(
            f"the training takes {screening.training_items} questions and there are {len(training)}"
        )
    shuffled = rng.sample(list(training), len(training))
    shuffled.sort(key=lambda question: question in seen)  # stable: new ones first, each part still shuffled
    return shuffled[: screening.training_items], rng.sample(fresh, screening.test_items)


def passed(*, right: int, asked: int, mark: float) -> bool:
    """Whether so many right answers pass. Exactly at the mark is enough."""
    return asked > 0 and right / asked >= mark


def passes(*, completed: int | None, approval: float | None, screening: Screening) -> bool:
    """Whether the platform's figures let the worker in: tasks finished, and the share of them approved.

    A platform that says nothing of the worker (None) holds nobody up: the qualification test does.
    """
    enough = completed is None or completed >= screening.completed
    return enough and (approval is None or approval >= screening.approval)
