"""Who is trusted: a fold over the answers to verification questions (section 3.3).

Nothing here depends on when something happened, only on the order of a worker's answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum


class Trust(StrEnum):
    """How a worker stands in a stage."""

    ENTERING = "entering"  # too few answers so far to say
    TRUSTED = "trusted"
    LOST = "lost"  # for good, unless a researcher restores the worker


@dataclass(frozen=True, slots=True)
class Terms:
    """What the batch asks on whose page an answer was given."""

    minimum: float  # share of right answers, 0 to 1
    entrance: int  # verification questions before the first ordinary item
    recent: int  # the most recent outcomes, over which the score must hold, too


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer, right or wrong: to a verification question, or a drawn box that box quality judged."""

    right: bool
    terms: Terms
    question: bool = True


@dataclass(frozen=True, slots=True)
class Record:
    """What a worker's outcomes come to. `recent` holds the most recent ones, oldest first."""

    state: Trust = Trust.ENTERING
    asked: int = 0
    right: int = 0
    recent: tuple[bool, ...] = ()

    def holds(self, minimum: float) -> bool:
        """Whether the score is at least `minimum`, overall and over the most recent outcomes."""
        return reaches(self.right, self.asked, minimum) and reaches(
            sum(self.recent), len(self.recent), minimum
        )


def reaches(right: int, asked: int, minimum: float) -> bool:
    """Whether so many right answers are enough. Exactly the minimum is; no answer at all is not too few."""
    return not asked or right / asked >= minimum


def follow(record: Record, outcome: Outcome) -> Record:
    """The record after one more outcome.

    A box counts from the day its drawer is trusted: before, only questions do ("the first 30 items are all
    verification questions"). Trust that is lost stays lost, whatever comes after.
    """
    if record.state == Trust.ENTERING and not outcome.question:
        return record
    terms = outcome.terms
    after = replace(
        record,
        asked=record.asked + 1,
        right=record.right + outcome.right,
        recent=(*record.recent, outcome.right)[-terms.recent :],
    )
    if after.state == Trust.LOST or (after.asked < terms.entrance and after.state == Trust.ENTERING):
        return after
    if after.state == Trust.ENTERING:
        passed = reaches(after.right, after.asked, terms.minimum)
    else:
        passed = after.holds(terms.minimum)
    return replace(after, state=Trust.TRUSTED if passed else Trust.LOST)


def fold(outcomes: Iterable[Outcome]) -> Record:
    """The record of a worker under the regime `trusted`, from all outcomes in the order of the judgments."""
    record = Record()
    for outcome in outcomes:
        record = follow(record, outcome)
    return record


def in_sets(pages: Iterable[tuple[int, int]], *, size: int) -> list[tuple[int, int]]:
    """Pages of one worker, as (questions asked, right) in order, in sets of at least `size` answers.

    Only the sets that are full, as (asked, right). The pages after the last of them wait for more.
    """
    sets, asked, right = [], 0, 0
    for page_asked, page_right in pages:
        asked, right = asked + page_asked, right + page_right
        if asked >= size:
            sets.append((asked, right))
            asked = right = 0
    return sets


def fold_sets(sets: Sequence[tuple[int, int]], *, boxes: Sequence[bool] = (), minimum: float) -> Record:
    """The record of a worker in a batch under the regime `verification`.

    One bad set is rejected and no more: chance alone makes some. From the second on, the score over the
    whole batch has to reach the minimum. `boxes` are the verdicts on those the worker drew there.
    `recent` is the last set.
    """
    state, asked, right = Trust.ENTERING, 0, 0
    for number, (set_asked, set_right) in enumerate(sets, start=1):
        asked, right = asked + set_asked, right + set_right
        last = number == len(sets)
        if last:
            asked, right = asked + len(boxes), right + sum(boxes)
        if number >= 2 and state != Trust.LOST:
            state = Trust.TRUSTED if reaches(right, asked, minimum) else Trust.LOST
    if not sets:
        return Record()
    last_asked, last_right = sets[-1]
    recent = (True,) * last_right + (False,) * (last_asked - last_right)
    return Record(state=state, asked=asked, right=right, recent=recent)
