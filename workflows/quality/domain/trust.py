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
    """One answer to a verification question, right or wrong."""

    right: bool
    terms: Terms
    before: int = 0  # answers to verification questions on the same page before this one
    ends: bool = True  # whether it is the last one of its page


@dataclass(frozen=True, slots=True)
class Page:
    """What a page brought to the score of a batch; `boxes` are those of it that box quality judged."""

    asked: int = 0
    right: int = 0
    boxes: int = 0
    good: int = 0  # of these


@dataclass(frozen=True, slots=True)
class Loss:
    """The score at which trust was lost, and the minimum that it missed."""

    asked: int
    right: int
    recent_asked: int
    recent_right: int
    minimum: float


@dataclass(frozen=True, slots=True)
class Record:
    """What a worker's outcomes come to. `recent` holds the most recent ones, oldest first.

    The totals go on after trust is lost; `loss` stays, and is there exactly where trust is lost.
    """

    state: Trust = Trust.ENTERING
    asked: int = 0
    right: int = 0
    recent: tuple[bool, ...] = ()
    loss: Loss | None = None

    def lost(self, minimum: float) -> Record:
        """The same record, with trust lost here and now."""
        loss = Loss(self.asked, self.right, len(self.recent), sum(self.recent), minimum)
        return replace(self, state=Trust.LOST, loss=loss)

    def holds(self, minimum: float) -> bool:
        """Whether the score is at least `minimum`, overall and over the most recent outcomes."""
        return reaches(self.right, self.asked, minimum) and reaches(
            sum(self.recent), len(self.recent), minimum
        )


def reaches(right: int, asked: int, minimum: float) -> bool:
    """Whether so many right answers are enough. Exactly the minimum is; no answer at all is not too few."""
    return not asked or right / asked >= minimum


def follow_outcome(record: Record, outcome: Outcome) -> Record:
    """The record after one more answer. Trust that is lost stays lost, whatever comes after.

    Nothing is decided before the entrance of the batch is over: not even about somebody whom the shorter
    entrance of another batch let in. It is over with the page on which its last answer is: a page is
    submitted as one, and which of its answers come first is chance.
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
        passed = reaches(after.right, after.asked, terms.minimum)
    else:
        passed = after.holds(terms.minimum)
    return replace(after, state=Trust.TRUSTED) if passed else after.lost(terms.minimum)


def fold_outcomes(outcomes: Iterable[Outcome]) -> Record:
    """The record of a worker under the regime `trusted`, from all answers in the order of the judgments."""
    record = Record()
    for outcome in outcomes:
        record = follow_outcome(record, outcome)
    return record


def fold_entrance(outcomes: Iterable[Outcome]) -> Record:
    """The record of the first answers: of those that decide about the entrance, or of all there are."""
    record = Record()
    for outcome in outcomes:
        record = follow_outcome(record, outcome)
        if record.state != Trust.ENTERING:
            break
    return record


def stand(entrance: Record, *, asked: int, right: int, recent: Sequence[bool], minimum: float) -> Record:
    """The record of somebody whose drawn boxes count, too: what holds now decides, not what held in between.

    Verdicts on boxes come in any order and are undone, all of a careless judge's at once. Trust that false
    ones took comes back with them; a fold that remembers every moment would keep it lost. `entrance` is what
    the first questions came to; totals and the most recent outcomes, oldest first, are of everything.
    """
    record = Record(entrance.state, asked, right, tuple(recent), entrance.loss)
    if entrance.state != Trust.TRUSTED or asked == entrance.asked:
        return record
    return record if record.holds(minimum) else record.lost(minimum)


def fold_pages(pages: Iterable[Page], *, size: int, minimum: float, over: bool = False) -> Record:
    """The record of a worker in a batch under the regime `verification`, from the pages in their order.

    Pages make a set once they have `size` answers between them. One bad set is rejected and no more: chance
    alone makes some. At the end of every other, the score over the whole batch has to reach the minimum, with
    the boxes of the pages up to there. What comes after the last full set counts with the next; or now, where
    its pages are judged already (`over`). `recent` is the last full set.
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
