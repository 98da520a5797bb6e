"""The rules of the qualification test of a stage: training with explanations, then a scored part [ours].

A worker has a few tries. Who has passed once has passed for every batch of the project.
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

    NONE = "none"  # the worker may begin a try
    TRAINING = "training"
    TESTING = "testing"
    PASSED = "passed"
    WAITING = "waiting"  # the last try failed not long ago
    FAILED = "failed"  # no tries are left


OPEN = (Part.TRAINING, Part.TESTING)
"""The parts in which a try is under way."""


@dataclass(frozen=True, slots=True)
class Try:
    """A try as the rules see it."""

    state: str  # training, testing, passed or failed
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a worker is in the test of a stage.

    `until` says from when they may try again (WAITING only), `left` how many tries they may still begin.
    """

    part: Part
    until: datetime | None
    left: int


def situation(
    tries: Sequence[Try], *, screening: Screening, now: datetime, restored: datetime | None = None
) -> Situation:
    """Return where a worker is in the test of a stage, from all tries in their order.

    If a researcher restored the worker at the time `restored`, tries that failed before do not count, so the
    worker has all tries again and need not wait. A test that was passed stays passed.
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
    """A try cannot begin, since too few questions are new to the worker. The message says which."""


def draw_questions(
    *, training: Sequence[int], test: Sequence[int], seen: set[int], screening: Screening, rng: Random
) -> tuple[list[int], list[int]]:
    """Draw the questions (ids) of a try at random: those for training, and those of the scored part.

    No question of the scored part was shown to the worker before (`seen`). Training is not scored, so it may
    repeat what an earlier try explained if there is nothing else. Raise TooFewQuestionsError.
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
    """Return whether the share of right answers reaches `mark` (0 to 1). Exactly the mark is enough.

    It is not rounded down as the minimum of an entrance is (`trust.is_enough`): who fails by chance has
    further tries, while an entrance is taken once.
    """
    return asked > 0 and right / asked >= mark


def passes(*, completed: int | None, approval: float | None, screening: Screening) -> bool:
    """Return whether a platform's data let the worker in: tasks completed, and the share approved (0 to 1).

    Where the platform says nothing (None), the worker passes: there is still the qualification test.
    """
    enough = completed is None or completed >= screening.completed
    return enough and (approval is None or approval >= screening.approval)
