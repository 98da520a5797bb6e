"""The rules by which workers are trusted: a fold over their answers to verification questions (section 3.3).

Only the order of a worker's answers matters, not the time at which they were given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import floor


class Trust(StrEnum):
    """How a worker stands in a stage."""

    ENTERING = "entering"  # too few answers so far to say
    TRUSTED = "trusted"
    LOST = "lost"  # for good, unless a researcher restores the worker


@dataclass(frozen=True, slots=True)
class Terms:
    """What the batch of an answer asks of a worker."""

    minimum: float  # share of right answers, 0 to 1
    entrance: int  # verification questions before the first ordinary item
    recent: int  # how many of the most recent outcomes must reach the minimum as well; see `is_enough`


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer to a verification question, right or wrong."""

    right: bool
    terms: Terms
    before: int = 0  # answers to verification questions on the same page before this one
    ends: bool = True  # whether it is the last one of its page


@dataclass(frozen=True, slots=True)
class Page:
    """What a page adds to the score in a batch. `boxes` counts its boxes that box quality has judged."""

    asked: int = 0
    right: int = 0
    boxes: int = 0
    good: int = 0  # of these boxes


@dataclass(frozen=True, slots=True)
class Loss:
    """The score at which trust was lost, and the minimum (0 to 1) that it missed."""

    asked: int
    right: int
    recent_asked: int
    recent_right: int
    minimum: float


@dataclass(frozen=True, slots=True)
class Record:
    """The state and score that follow from a worker's outcomes. `recent` has the latest ones, oldest first.

    The totals go on counting after trust is lost. `loss` is set if and only if trust is lost, and then stays.
    """

    state: Trust = Trust.ENTERING
    asked: int = 0
    right: int = 0
    recent: tuple[bool, ...] = ()
    loss: Loss | None = None

    def lost(self, minimum: float) -> Record:
        """Return the same record with trust lost at the current score."""
        loss = Loss(self.asked, self.right, len(self.recent), sum(self.recent), minimum)
        return replace(self, state=Trust.LOST, loss=loss)

    def holds(self, terms: Terms) -> bool:
        """Return whether the score is enough to stay trusted, overall and over the most recent outcomes."""
        return is_enough(self.right, self.asked, terms) and is_enough(
            sum(self.recent), len(self.recent), terms
        )


def reaches(right: int, asked: int, minimum: float) -> bool:
    """Return whether the share of right answers is at least `minimum`; without any answer it is."""
    return not asked or right / asked >= minimum


def is_enough(right: int, asked: int, terms: Terms) -> bool:
    """Return whether a worker with so many right answers has reached the minimum.

    Of fewer answers than `terms.recent`, the number that must be right is rounded down [ours]. Otherwise ten
    answers at a minimum of 83% would allow one wrong answer, and chance would turn away every third of those
    who are right nine times of ten. After the paper's entrance of 30 answers there are never so few.
    """
    if asked < terms.recent:
        return right >= floor(round(asked * terms.minimum, 9))
    return reaches(right, asked, terms.minimum)


def right_needed(asked: int, terms: Terms) -> int:
    """Return how many of so many answers must be right to reach the minimum."""
    return next(right for right in range(asked + 1) if is_enough(right, asked, terms))


def follow_outcome(record: Record, outcome: Outcome) -> Record:
    """Return the record after one more answer. Trust that is lost stays lost, whatever comes after.

    Nothing is decided before the entrance of the batch is over, even if the shorter entrance of another batch
    has let the worker in. The entrance ends with the page that holds its last answer, since a page is
    submitted as a whole and the order of its answers is chance.
    """
    terms = outcome.terms
    after = replace(
        record,
        asked=record.asked + 1,
        right=record.right + outcome.right,
        recent=(*record.recent, outcome.right)[-terms.recent :],
    )
    if after.state == Trust.LOST or after.asked < terms.entrance:
        return after
    entering = after.state == Trust.ENTERING or record.asked - outcome.before < terms.entrance
    if entering and not outcome.ends:
        return after
    if after.state == Trust.ENTERING:
        passed = is_enough(after.right, after.asked, terms)
    else:
        passed = after.holds(terms)
    return replace(after, state=Trust.TRUSTED) if passed else after.lost(terms.minimum)


def fold_outcomes(outcomes: Iterable[Outcome]) -> Record:
    """Return a worker's record under the regime `trusted`, from all answers in the order of the judgments."""
    record = Record()
    for outcome in outcomes:
        record = follow_outcome(record, outcome)
    return record


def fold_entrance(outcomes: Iterable[Outcome]) -> Record:
    """Return the record of the answers that decide about the entrance, or of all if it is not over."""
    record = Record()
    for outcome in outcomes:
        record = follow_outcome(record, outcome)
        if record.state != Trust.ENTERING:
            break
    return record


def stand(entrance: Record, *, asked: int, right: int, recent: Sequence[bool], terms: Terms) -> Record:
    """Return the record of a worker whose drawn boxes count as well; only the present score decides.

    Verdicts on boxes come in any order and may be undone, as when all of a careless judge's are set aside.
    Trust that wrong verdicts took then comes back, while a fold over every moment would keep it lost.
    `entrance` is the record of the first questions. `asked`, `right` and `recent` (oldest first) are of all
    questions and boxes.
    """
    record = Record(entrance.state, asked, right, tuple(recent), entrance.loss)
    if entrance.state != Trust.TRUSTED or asked == entrance.asked:
        return record
    return record if record.holds(terms) else record.lost(terms.minimum)


def fold_pages(pages: Iterable[Page], *, size: int, minimum: float, over: bool = False) -> Record:
    """Return a worker's record in a batch under the regime `verification`, from the pages in their order.

    Pages make a set once they have `size` answers between them. The first set decides nothing about trust,
    since chance alone makes a bad one now and then. At the end of every later set, the score over the whole
    batch must reach the minimum; it includes the boxes of the pages so far. Pages after the last full set
    count with the next one, or now if they are judged already (`over`). `recent` is the last full set.
    """
    record, since, sets = Record(), Page(), 0
    for page in pages:
        since = Page(
            since.asked + page.asked,
            since.right + page.right,
            since.boxes + page.boxes,
            since.good + page.good,
        )
        if since.asked >= size:
            sets += 1
            recent = (True,) * since.right + (False,) * (since.asked - since.right)
            record = _close(replace(record, recent=recent), since, minimum, decides=sets >= 2)
            since = Page()
    if over and sets >= 2 and since.asked:
        record = _close(record, since, minimum, decides=True)
    return record


def _close(record: Record, since: Page, minimum: float, *, decides: bool) -> Record:
    asked = record.asked + since.asked + since.boxes
    right = record.right + since.right + since.good
    after = replace(record, asked=asked, right=right)
    if not decides or after.state == Trust.LOST:
        return after
    return replace(after, state=Trust.TRUSTED) if reaches(right, asked, minimum) else after.lost(minimum)
