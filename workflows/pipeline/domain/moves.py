"""The tables of moves, which say what each verdict leads to.

A chain is always in exactly one state and has at most one open item. The link stage is about images, not
chains: it is in `link_strategies`. Everything after it follows from the tables below, one for each protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol as TypingProtocol

from annotation.domain.answers import Answer, JointStage, Stage
from annotation.domain.chain_states import DONE, NONVISUAL, REVIEW, SPLIT
from annotation.domain.mentions import Mention
from workflows.batch_settings.domain.protocol_groups import Limits
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain import joint_verdicts, verdicts
from workflows.pipeline.domain.box_prior import BoxPrior
from workflows.pipeline.domain.verdicts import Evidence, Verdict

VERIFIED = "verified"
"""Not a state: in the table it stands for the state in which `opening` begins a verified chain."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one chain has come: everything the rules need to know of its past."""

    state: str
    visits: int = 0  # items asked about it so far
    boxes_accepted: int = 0
    boxes_rejected: int = 0
    returns: int = 0  # re-entries into box requirement
    fruitless: int = 0  # trips from coverage to drawing since the last accepted box that brought no box
    flag: str = ""
    reason: str = ""


Effect = Callable[[Progress, Verdict], Progress]
Guard = Callable[[Progress, Limits], bool]


def _always(_: Progress, __: Limits) -> bool:
    return True


def _nothing(progress: Progress, _: Verdict) -> Progress:
    return progress


@dataclass(frozen=True, slots=True)
class Move:
    """One row: in `stage`, on `verdict`, apply `effect`; if `guard` holds then, go to `target`."""

    rule: str
    stage: Stage | JointStage
    verdict: str
    target: str
    effect: Effect = _nothing
    guard: Guard = _always
    says: str = ""  # the guard in words, for docs/pipeline.md; {…} stands for a limit


def _flagged(p: Progress, v: Verdict) -> Progress:
    return replace(p, flag=v.flag)


def _returned(p: Progress, _: Verdict) -> Progress:
    return replace(p, returns=p.returns + 1)


def _fruitless(p: Progress, _: Verdict) -> Progress:
    return replace(p, fruitless=p.fruitless + 1)


def _accepted(p: Progress, _: Verdict) -> Progress:
    return replace(p, boxes_accepted=p.boxes_accepted + 1, fruitless=0)


def _rejected(p: Progress, _: Verdict) -> Progress:
    return replace(p, boxes_rejected=p.boxes_rejected + 1)


def _judged(p: Progress, v: Verdict) -> Progress:
    good = v.accepted.count(True)
    return replace(
        p,
        boxes_accepted=p.boxes_accepted + good,
        boxes_rejected=p.boxes_rejected + v.accepted.count(False),
        fruitless=0 if good else p.fruitless,
    )


def _empty(p: Progress, _: Limits) -> bool:
    return p.boxes_accepted == 0


def _returned_too_often(p: Progress, limits: Limits) -> bool:
    return _empty(p, limits) and p.returns >= limits.returns


def _fruitless_too_often(p: Progress, limits: Limits) -> bool:
    return p.fruitless >= limits.fruitless


def _rejected_too_often(p: Progress, limits: Limits) -> bool:
    return p.boxes_rejected >= limits.rejected


def _has_too_many(p: Progress, limits: Limits) -> bool:
    return p.boxes_accepted >= limits.boxes


# fmt: off
# "no further box" with boxes accepted always ends a trip that coverage sent the chain on.
FLICKR30K_MOVES = (
    Move("kept", Stage.VERIFICATION, "true", VERIFIED),
    Move("broken", Stage.VERIFICATION, "false", SPLIT),
    Move("box-required", Stage.REQUIREMENT, "box", Stage.DRAWING),
    Move("no-box-required", Stage.REQUIREMENT, "no box", NONVISUAL, _flagged),
    Move("box-drawn", Stage.DRAWING, "box drawn", Stage.QUALITY),
    Move("requirement-cycle", Stage.DRAWING, "no further box", REVIEW, _returned,
         _returned_too_often, "no box accepted, {returns} returns"),
    Move("none-needed", Stage.DRAWING, "no further box", Stage.REQUIREMENT, _returned, _empty,
         "no box accepted"),
    Move("coverage-cycle", Stage.DRAWING, "no further box", REVIEW, _fruitless,
         _fruitless_too_often, "{fruitless} fruitless trips"),
    Move("none-missing", Stage.DRAWING, "no further box", Stage.COVERAGE, _fruitless),
    Move("box-accepted", Stage.QUALITY, "good", Stage.COVERAGE, _accepted),
    Move("rejection-cycle", Stage.QUALITY, "bad", REVIEW, _rejected,
         _rejected_too_often, "{rejected} boxes rejected"),
    Move("box-rejected", Stage.QUALITY, "bad", Stage.DRAWING, _rejected),
    Move("growing-cycle", Stage.COVERAGE, "incomplete", REVIEW, _nothing,
         _has_too_many, "{boxes} boxes accepted"),
    Move("box-missing", Stage.COVERAGE, "incomplete", Stage.DRAWING),
    Move("complete", Stage.COVERAGE, "complete", DONE),
)
# A rule that is the same as in the table above has the same name.
FAST_MOVES = (
    Move("kept", Stage.VERIFICATION, "true", VERIFIED),
    Move("broken", Stage.VERIFICATION, "false", SPLIT),
    Move("box-required", Stage.REQUIREMENT, "box", JointStage.BOXES),
    Move("no-box-required", Stage.REQUIREMENT, "no box", NONVISUAL, _flagged),
    Move("boxes-drawn", JointStage.BOXES, "boxes drawn", JointStage.CHECK),
    Move("requirement-cycle", JointStage.BOXES, "no further box", REVIEW, _returned,
         _returned_too_often, "no box accepted, {returns} returns"),
    Move("none-needed", JointStage.BOXES, "no further box", Stage.REQUIREMENT, _returned, _empty,
         "no box accepted"),
    Move("coverage-cycle", JointStage.BOXES, "no further box", REVIEW, _fruitless,
         _fruitless_too_often, "{fruitless} fruitless trips"),
    Move("none-missing", JointStage.BOXES, "no further box", JointStage.CHECK, _fruitless),
    Move("complete", JointStage.CHECK, "complete", DONE, _judged,
         lambda p, limits: not _empty(p, limits), "a box accepted"),
    Move("no-box-left-cycle", JointStage.CHECK, "complete", REVIEW, _judged, _rejected_too_often,
         "{rejected} boxes rejected"),
    Move("no-box-left", JointStage.CHECK, "complete", JointStage.BOXES, _judged),
    Move("rejection-cycle", JointStage.CHECK, "incomplete", REVIEW, _judged, _rejected_too_often,
         "{rejected} boxes rejected"),
    Move("growing-cycle", JointStage.CHECK, "incomplete", REVIEW, _judged,
         _has_too_many, "{boxes} boxes accepted"),
    Move("box-missing", JointStage.CHECK, "incomplete", JointStage.BOXES, _judged),
)
# fmt: on


def opening(mentions: Sequence[Mention], settings: BatchSettings, *, verified: bool) -> str:
    """Return the state a chain begins in: verification if it has several mentions and is not verified.

    People, clothing and body parts need boxes so often that they skip box requirement (section 3.2.1).
    """
    if len(mentions) > 1 and not verified:
        return Stage.VERIFICATION
    skips = any(kind in settings.skip_requirement for mention in mentions for kind in mention.types)
    return Stage.DRAWING if skips else Stage.REQUIREMENT


def fast_opening(mentions: Sequence[Mention], settings: BatchSettings, *, verified: bool) -> str:
    """Return the state a chain begins in: boxes, or requirement if it hardly needs one.

    Nobody is asked to verify a chain, unless the batch has `verify_chains`. Otherwise only a researcher sends
    one to verification.
    """
    if settings.verify_chains and len(mentions) > 1 and not verified:
        return Stage.VERIFICATION
    first = joint_verdicts.asks_need_first(need_of(mentions, settings))
    return Stage.REQUIREMENT if first else JointStage.BOXES


def need_of(mentions: Sequence[Mention], settings: BatchSettings) -> float:
    """Return how likely the chain needs a box, before anybody was asked, by what the batch has pinned."""
    return BoxPrior(heads=settings.box_heads).of(mentions)


class Opening(TypingProtocol):
    """A function that returns the state a chain begins in; `verified` chains are known to be one chain."""

    def __call__(self, mentions: Sequence[Mention], settings: BatchSettings, *, verified: bool) -> str: ...


@dataclass(frozen=True, slots=True)
class Protocol:
    """A set of stages with their table of moves, and everything else that differs between protocols.

    Code outside names no rule and no stage of a protocol, so that a second protocol is a second instance.
    """

    name: str
    moves: tuple[Move, ...]
    decide: Mapping[str, Callable[..., Verdict | None]]  # by stage: reads its judgments
    opening: Opening  # the state a chain begins in
    box_states: Mapping[str, str]  # by rule: the state that proposed boxes get, but for those it accepts
    counts_next: frozenset[str]  # rules whose judgment also counts at the chain's next item
    not_by_author: frozenset[str]  # stages not asked of the worker who gave the judgment before
    judged_by_models: frozenset[str] = frozenset()  # stages that wait for a model, if the batch has one
    adding_up: frozenset[str] = frozenset()  # stages whose judgments count again when the chain comes back
    completing: str = Stage.COVERAGE  # the stage that asks of accepted boxes whether one is missing
    # By stage whose rule begins with a prior: how likely *yes* is before anybody was asked about the chain.
    priors: Mapping[str, Callable[[Sequence[Mention], BatchSettings], float]] = field(default_factory=dict)

    def verifies(self, settings: BatchSettings) -> bool:
        """Return whether workers are asked to verify new chains of several mentions."""
        several = [Mention(0, 0, 0, 1, "", ("other",)), Mention(1, 1, 0, 1, "", ("other",))]
        return self.opening(several, settings, verified=False) == Stage.VERIFICATION

    def adds_up(self, stage: str, settings: BatchSettings) -> bool:
        """Return whether earlier judgments of the stage count, too, when a chain comes back to it."""
        return settings.requirement_adds_up and stage in self.adding_up

    def waits_for_model(self, stage: str, settings: BatchSettings) -> bool:
        """Return whether a model answers the items of the stage before workers are asked."""
        return bool(settings.judge.model) and stage in self.judged_by_models

    @property
    def judging(self) -> frozenset[str]:
        """The stages whose verdicts accept or reject new boxes."""
        return frozenset(move.stage for move in self.moves if move.rule in self.box_states)

    def verdict(
        self, stage: str, answers: Sequence[Evidence], mentions: Sequence[Mention], settings: BatchSettings
    ) -> Verdict | None:
        """Return the verdict of an item's judgments, or None while one more is needed.

        The item is about the chain of `mentions`.
        """
        return self.verdict_with(self.prior(stage, mentions, settings), stage, answers)

    def prior(self, stage: str, mentions: Sequence[Mention], settings: BatchSettings) -> float | None:
        """Return how likely *yes* is before anybody was asked, or None if the stage has no prior."""
        return self.priors[stage](mentions, settings) if stage in self.priors else None

    def verdict_with(self, prior: float | None, stage: str, answers: Sequence[Evidence]) -> Verdict | None:
        """Return the move of `verdict`, for an item whose prior is known already."""
        return self.decide[stage](answers) if prior is None else self.decide[stage](answers, prior)

    def deciding(self, stage: str, answers: Sequence[Answer], earlier: int) -> int:
        """Return how many of the answers decide an item without a prior; later ones change nothing.

        The first `earlier` ones were given before it was asked.
        """
        enough = (
            count
            for count in range(earlier, len(answers) + 1)
            if self.verdict_with(None, stage, answers[:count]) is not None
        )
        return next(enough, len(answers))

    def state_of_box(self, rule: str, verdict: Verdict, place: int) -> str:
        """Return the state that the proposed box at this place (from 0) gets. `rule` is in `box_states`."""
        return "accepted" if verdict.accepted[place : place + 1] == (True,) else self.box_states[rule]

    def step(
        self, progress: Progress, verdict: Verdict, mentions: Sequence[Mention], settings: BatchSettings
    ) -> tuple[Progress, str]:
        """Return the progress of the chain of `mentions` after `verdict`, and the rule that fired.

        Raises ValueError if no move fits.
        """
        for move in self.moves:
            if move.stage == progress.state and move.verdict == verdict.name:
                after = move.effect(progress, verdict)
                if move.guard(after, settings.limits):
                    target = (
                        self.opening(mentions, settings, verified=True)
                        if move.target == VERIFIED
                        else move.target
                    )
                    reason = move.rule if target == REVIEW else ""
                    return replace(after, state=target, reason=reason), move.rule
        raise ValueError(f"{self.name}: no move from {str(progress.state)!r} on {verdict.name!r}")


FLICKR30K_ENTITIES = Protocol(
    "flickr30k-entities",
    FLICKR30K_MOVES,
    MappingProxyType(
        {
            Stage.VERIFICATION: verdicts.decide_verification,
            Stage.REQUIREMENT: verdicts.decide_requirement,
            Stage.DRAWING: verdicts.decide_drawing,
            Stage.QUALITY: verdicts.decide_quality,
            Stage.COVERAGE: verdicts.decide_coverage,
        }
    ),
    opening=opening,
    box_states=MappingProxyType(
        {"box-accepted": "accepted", "box-rejected": "rejected", "rejection-cycle": "rejected"}
    ),
    # "No box needed" is a judgment of box requirement (section 3.2.2).
    counts_next=frozenset({"none-needed"}),
    not_by_author=frozenset({Stage.QUALITY}),  # [ours]
    # The judgment of drawing "accrues" there (section 3.2.2): it adds to those that were given before.
    adding_up=frozenset({Stage.REQUIREMENT}),
)

ENTITIES_FAST = Protocol(
    "entities-fast",
    FAST_MOVES,
    MappingProxyType(
        {
            Stage.VERIFICATION: verdicts.decide_verification,
            Stage.REQUIREMENT: joint_verdicts.decide_need,
            JointStage.BOXES: joint_verdicts.decide_boxes,
            JointStage.CHECK: joint_verdicts.decide_check,
        }
    ),
    opening=fast_opening,
    box_states=MappingProxyType(
        {move.rule: "rejected" for move in FAST_MOVES if move.stage == JointStage.CHECK}
    ),
    counts_next=frozenset({"none-needed"}),
    not_by_author=frozenset({JointStage.CHECK}),
    judged_by_models=frozenset({JointStage.CHECK}),
    completing=JointStage.CHECK,
    priors=MappingProxyType({Stage.REQUIREMENT: need_of}),
)

PROTOCOLS: Mapping[str, Protocol] = MappingProxyType(
    {protocol.name: protocol for protocol in (FLICKR30K_ENTITIES, ENTITIES_FAST)}
)


def split(mentions: Sequence[Mention]) -> list[tuple[Mention, ...]]:
    """Return the parts of a broken chain: its mentions grouped by head noun, case ignored (section 3.1.2)."""
    groups: dict[str, list[Mention]] = {}
    for mention in mentions:
        groups.setdefault(mention.head.lower(), []).append(mention)
    return [tuple(group) for group in groups.values()]
