"""Work out what an image of a campaign must look like from its answers and decisions alone.

A campaign has neither links nor chains: an image has a few questions, and all of them are known from the
beginning or follow from what was written. So an image is always folded as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType

from annotation.domain.answers import (
    Answer,
    CampaignStage,
    CaptionCheckAnswer,
    CaptionJudgment,
    WritingAnswer,
)
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.verdicts import Verdict
from workflows.pipeline.replay.domain.contexts import Given

PROPOSED, FLAGGED, ACCEPTED, REFUSED = "proposed", "flagged", "accepted", "refused"
"""States of written captions, the same as in `WrittenCaption.State`."""
WAITING = frozenset({PROPOSED, FLAGGED})


@dataclass(frozen=True, slots=True)
class Subject:
    """What a question is about. By this, it is known to be the same question again."""

    stage: str
    number: int = 0  # among the questions of the stage about the image
    captions: tuple[int, ...] = ()  # the captions to judge
    written: int | None = None  # the judgment whose caption is checked


@dataclass(frozen=True, slots=True)
class Ruling:
    """A researcher's decision on a written caption, with another text if it was edited."""

    accepted: bool
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """All that is known about an image: what counts of what workers and researchers said."""

    groups: Sequence[tuple[int, ...]] = ()  # the captions to judge, question by question
    given: Mapping[Subject, Sequence[Given]] = field(default_factory=dict)  # in the order they were given
    flags: Mapping[int, tuple[str, ...]] = field(default_factory=dict)  # by the judgment that wrote
    rulings: Mapping[int, Ruling] = field(default_factory=dict)  # the same; the last one of each


@dataclass(frozen=True, slots=True)
class ExpectedQuestion:
    """A question that follows. It is open until it is `done`, and `wanted` judgments are needed so far."""

    subject: Subject
    wanted: int
    done: bool
    author: int | None = None  # the worker who wrote the caption, and is not asked


@dataclass(frozen=True, slots=True)
class ExpectedCaption:
    """What becomes of a caption that the `judgment` wrote."""

    judgment: int
    state: str
    text: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExpectedWork:
    """Everything about an image of a campaign that follows from its answers."""

    questions: tuple[ExpectedQuestion, ...]
    captions: tuple[ExpectedCaption, ...] = ()

    @property
    def is_done(self) -> bool:
        return all(one.done for one in self.questions) and not any(
            caption.state in WAITING for caption in self.captions
        )


def fold_captions(known: Known, settings: BatchSettings) -> ExpectedWork:
    """Replay an image that captions are collected for (ranking task, section 2.3.2).

    A caption that the rules flag waits for a researcher, and another one for a second worker if the batch has
    checks. For each one that is refused, one more worker is asked, up to `captions.refused` times [ours].
    """
    writing = Subject(CampaignStage.WRITING)
    written = known.given.get(writing, ())
    captions: list[ExpectedCaption] = []
    checks: list[ExpectedQuestion] = []
    for one in written:
        assert isinstance(one.answer, WritingAnswer)
        text, flags, ruling = one.answer.caption, known.flags.get(one.id, ()), known.rulings.get(one.id)
        subject = Subject(CampaignStage.CAPTION_CHECK, written=one.id)
        given = known.given.get(subject, ())
        verdict = decide_caption([judgment.answer for judgment in given])
        if ruling is not None:
            state, text = ACCEPTED if ruling.accepted else REFUSED, ruling.text or text
        elif flags:
            state = FLAGGED
        elif settings.captions.check:
            state = verdict.name if verdict else PROPOSED
        else:
            state = ACCEPTED
        # A check that was answered before somebody decided stays. Nobody is asked any more.
        if state == PROPOSED or (verdict is not None and state != FLAGGED):
            checks.append(ExpectedQuestion(subject, 1, verdict is not None, author=one.worker))
        captions.append(ExpectedCaption(one.id, state, text, flags))
    refused = sum(caption.state == REFUSED for caption in captions)
    wanted = settings.captions.wanted + min(refused, settings.captions.refused)
    done = decide_writing([one.answer for one in written], wanted) is not None
    return ExpectedWork((ExpectedQuestion(writing, wanted, done), *checks), tuple(captions))


def fold_judged(known: Known, settings: BatchSettings, stage: str) -> ExpectedWork:
    """Replay an image of which it is judged which captions describe it (sections 4.2.1 and 4.3.2)."""
    judges = settings.relevance.judges
    questions = []
    for number, captions in enumerate(known.groups):
        subject = Subject(stage, number, captions)
        given = known.given.get(subject, ())
        done = decide_judged([one.answer for one in given], judges) is not None
        questions.append(ExpectedQuestion(subject, judges, done))
    return ExpectedWork(tuple(questions))


@dataclass(frozen=True, slots=True)
class CampaignProtocol:
    """What differs between the protocols that ask about no links and no chains.

    Code outside names no stage of a campaign, so that another campaign is another instance.
    """

    name: str
    fold: Callable[[Known, BatchSettings], ExpectedWork]


CAMPAIGN_PROTOCOLS: Mapping[str, CampaignProtocol] = MappingProxyType(
    {
        protocol.name: protocol
        for protocol in (
            CampaignProtocol("captions", fold_captions),
            CampaignProtocol("relevance-expert", partial(fold_judged, stage=CampaignStage.GRADING)),
            CampaignProtocol("relevance-crowd", partial(fold_judged, stage=CampaignStage.RELEVANCE)),
        )
    }
)


def decide_writing(answers: Sequence[Answer], wanted: int) -> Verdict | None:
    """One caption of each of so many workers as are wanted, and one more for each that is refused [ours]."""
    return Verdict("written") if len(answers) >= wanted else None


def decide_caption(answers: Sequence[Answer]) -> Verdict | None:
    """One judgment decides: *wrong* refuses the caption, anything else accepts it [ours]."""
    for answer in answers:
        if isinstance(answer, CaptionCheckAnswer):
            return Verdict("refused" if answer.caption is CaptionJudgment.WRONG else "accepted")
    return None


def decide_judged(answers: Sequence[Answer], judges: int) -> Verdict | None:
    """Return a verdict once so many workers have judged.

    Their judgments are averaged, so none of them decides (ranking task, sections 4.2.1 and 4.3.2).
    """
    return Verdict("judged") if len(answers) >= judges else None
