"""Compare the stored rows of an image of a campaign with what follows from its judgments.

Nothing is deleted: rows that do not follow any more are withdrawn, and used again if they follow again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from annotation.domain.chain_states import UNTOLD
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.photograph_reports import Report, rests, untold_items
from workflows.pipeline.replay.domain.campaign_fold import (
    CampaignProtocol,
    ExpectedCaption,
    ExpectedQuestion,
    ExpectedWork,
    Known,
    Ruling,
    Subject,
)
from workflows.pipeline.replay.domain.contexts import Given
from workflows.pipeline.replay.domain.differences import PHOTOGRAPH, RESTING, UNSURE, Logged
from workflows.pipeline.replay.domain.stored_rows import DONE, OPEN, WITHDRAWN

QUEUED, ASKING = "queued", "asking"
"""States of images, the same as in `ImageWork.State`."""


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """An item with its judgments that count, in the order they were given."""

    id: int
    subject: Subject
    state: str
    needed: int
    judged: int
    leased: int
    author: int | None = None
    given: tuple[Given, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredCaption:
    """What is stored of a caption that the `judgment` wrote."""

    judgment: int
    state: str
    text: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredWork:
    """Everything stored for one image. If it is not `active`, nothing new is asked.

    `reports` say that its photograph is unusable, or that an answer cannot be told; those `dismissed` (ids)
    do not count any more.
    """

    state: str
    active: bool = True
    groups: Sequence[tuple[int, ...]] = ()
    questions: Sequence[StoredQuestion] = ()
    captions: Sequence[StoredCaption] = ()
    flags: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    rulings: Mapping[int, Ruling] = field(default_factory=dict)
    reports: Sequence[Report] = ()
    dismissed: frozenset[int] = frozenset()

    @property
    def known(self) -> Known:
        given = {one.subject: one.given for one in self.questions}
        return Known(self.groups, given, self.flags, self.rulings)


@dataclass(frozen=True, slots=True)
class QuestionChange:
    """A question as it must be written; `before` is the row there is."""

    before: StoredQuestion | None
    subject: Subject
    state: str
    needed: int
    judged: int
    author: int | None = None

    @property
    def asks_again(self) -> bool:
        """Whether a question is asked that was answered before or was never asked."""
        before = self.before
        return self.state == OPEN and (before is None or before.state != OPEN or before.judged > self.judged)

    @property
    def waits_anew(self) -> bool:
        """Whether it goes to the end of its queue.

        It does so after each judgment, too: nobody who has answered it has to be passed over at the head.
        """
        before = self.before
        grew = before is not None and (before.needed, before.judged) != (self.needed, self.judged)
        return self.asks_again or (self.state == OPEN and grew)


@dataclass(frozen=True, slots=True)
class CaptionChange:
    """A written caption as it must be; `before` is the row there is."""

    before: StoredCaption | None
    after: StoredCaption


@dataclass(slots=True)
class CampaignPlan:
    """Everything that has to be written for one image. It is empty if the stored rows are right."""

    image: Logged | None = None
    questions: list[QuestionChange] = field(default_factory=list)
    captions: list[CaptionChange] = field(default_factory=list)
    rests_for: tuple[tuple[str, str], ...] = ()  # a case's reason and stage; open as long as the image rests

    def lines(self) -> Iterator[str]:
        """Yield a line a difference, with what is stored and what follows."""
        if self.image is not None:
            yield f"state is {self.image.source}, what counts says {self.image.target}"
        for item in self.questions:
            what = replace(item, before=None)
            yield f"{item.subject} is {item.before or 'missing'}, what counts says {what}"
        for caption in self.captions:
            yield f"caption is {caption.before or 'missing'}, what counts says {caption.after}"


def plan_campaign(stored: StoredWork, protocol: CampaignProtocol, settings: BatchSettings) -> CampaignPlan:
    """Return what has to be written so that the stored rows become what the answers say."""
    expected = protocol.fold(stored.known, settings)
    rows = {one.subject: one for one in stored.questions}
    untold = untold_items(stored.reports, stored.dismissed)
    unsure = [
        one.subject.stage
        for one in expected.questions
        if not one.done and one.subject in rows and rows[one.subject].id in untold
    ]
    unseen = not expected.is_done and rests(stored.reports, stored.dismissed)
    reasons = [(PHOTOGRAPH, "")] if unseen else []
    reasons += [(UNSURE, unsure[0])] if unsure else []
    state = DONE if expected.is_done else RESTING if reasons else ASKING
    plan = CampaignPlan(rests_for=tuple(reasons))
    if stored.state != state:
        plan.image = Logged(_rule(stored.state, state, unseen=unseen), stored.state, state)
    plan.questions = [one for one in _questions(stored, expected, rows, rests=bool(reasons)) if _differs(one)]
    plan.captions = list(_captions(stored, expected.captions))
    return plan


def _rule(before: str, after: str, *, unseen: bool) -> str:
    if after == RESTING:
        return "photograph-unusable" if unseen else UNTOLD
    moves = {(QUEUED, ASKING): "opened", (QUEUED, DONE): "no-questions", (ASKING, DONE): "questions-done"}
    if before == RESTING and after == ASKING:
        return "photograph-usable"
    return moves.get((before, after), "replayed")


def _questions(
    stored: StoredWork, expected: ExpectedWork, rows: Mapping[Subject, StoredQuestion], *, rests: bool
) -> Iterator[QuestionChange]:
    for one in expected.questions:
        before = rows.get(one.subject)
        # If the batch has released the image, nothing new is asked, but late pages count where it was open.
        may = not rests and (stored.active or (before is not None and before.state == OPEN))
        state = DONE if one.done else OPEN if may else WITHDRAWN
        yield QuestionChange(before, one.subject, state, *_counts(before, state, one), one.author)
    follows = {one.subject for one in expected.questions}
    for before in stored.questions:
        if before.subject not in follows:
            counts = _counts(before, WITHDRAWN, None)
            yield QuestionChange(before, before.subject, WITHDRAWN, *counts, before.author)


def _counts(before: StoredQuestion | None, state: str, expected: ExpectedQuestion | None) -> tuple[int, int]:
    """Return (needed, judged). A worker who holds the question may still answer it, whatever its state."""
    judged, leased = (len(before.given), before.leased) if before else (0, 0)
    least = judged + leased
    if state == OPEN and expected is not None:
        return max(expected.wanted, judged + 1, least), judged
    # A page that was given back leaves a higher number. It asks nobody, so it can stay.
    stays = before is not None and (before.state, before.judged) == (state, judged)
    return (max(before.needed, least) if before is not None and stays else least), judged


def _differs(change: QuestionChange) -> bool:
    before = change.before
    if before is None:
        return change.state != WITHDRAWN
    now = (change.state, change.needed, change.judged, change.author)
    return (before.state, before.needed, before.judged, before.author) != now


def _captions(stored: StoredWork, expected: Sequence[ExpectedCaption]) -> Iterator[CaptionChange]:
    rows = {one.judgment: one for one in stored.captions}
    for one in expected:
        after = StoredCaption(one.judgment, one.state, one.text, one.flags)
        if rows.get(one.judgment) != after:
            yield CaptionChange(rows.get(one.judgment), after)
    follows = {one.judgment for one in expected}
    for row in stored.captions:
        if row.judgment not in follows and row.state != WITHDRAWN:
            yield CaptionChange(row, replace(row, state=WITHDRAWN))
