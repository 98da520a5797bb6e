"""How many different people a batch needs, so that no answer waits for somebody who will never come."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from annotation.domain.answers import (
    Answer,
    BoxesAnswer,
    BoxJudgment,
    CheckAnswer,
    CoverageAnswer,
    DrawingAnswer,
    JointStage,
    LinkAnswer,
    NoBoxes,
    QualityAnswer,
    Requirement,
    RequirementAnswer,
    Stage,
    VerificationAnswer,
)
from annotation.domain.geometry import Box
from annotation.domain.mentions import Mention
from annotation.domain.protocols import Campaign
from annotation.domain.types import TYPES
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.domain.campaign_course import people_of_campaign
from workflows.pipeline.domain.link_courses import MAX_TIMES
from workflows.pipeline.domain.link_strategies import ANSWERS
from workflows.pipeline.domain.moves import PROTOCOLS, Protocol
from workflows.pipeline.domain.verdicts import Verdict, decide_link

MAX_OPINIONS = 9
"""The most judgments on one item that are looked at."""
MAX_RETURNS = 4
"""The most returns to box requirement that are looked at [ours]: hardly any chain comes back more often."""

_BOX = Verdict("box")

_CAN_SAY: Mapping[str, Sequence[Answer]] = {
    Stage.LINK: (LinkAnswer(True), LinkAnswer(False)),
    Stage.VERIFICATION: (VerificationAnswer(True), VerificationAnswer(False)),
    Stage.REQUIREMENT: (RequirementAnswer(Requirement.BOX), RequirementAnswer(Requirement.NOBOX)),
    Stage.DRAWING: (DrawingAnswer(Box(0, 0, 1, 1)), DrawingAnswer(None)),
    Stage.QUALITY: (QualityAnswer(True), QualityAnswer(False)),
    Stage.COVERAGE: (CoverageAnswer(True), CoverageAnswer(False)),
    JointStage.BOXES: (BoxesAnswer((Box(0, 0, 1, 1),)), BoxesAnswer(none=NoBoxes.DONE)),
    JointStage.CHECK: (
        CheckAnswer((BoxJudgment.GOOD,), missing=False),
        CheckAnswer((BoxJudgment.LOOSE,), missing=False),
        CheckAnswer((BoxJudgment.GOOD,), missing=True),
    ),
}


def people_needed(settings: BatchSettings) -> dict[str, int]:
    """Return how many different people each stage may need for one item, if they disagree.

    No worker judges an item twice. Whoever drew a box does not judge it, and whoever voted in box requirement
    does not vote again when the chain comes back, unless `author_after_hours` allows it. Chains that a
    researcher sends back may need more.
    """
    if settings.campaign is not Campaign.ENTITIES:
        return people_of_campaign(settings)
    rules = PROTOCOLS[settings.protocol]
    needed = {}
    for stage in map(str, settings.regime):
        decide = rules.decide.get(stage, _settled)
        needed[stage] = max(len(answers) for answers, _ in _courses(decide, _CAN_SAY[stage]))
        if stage == Stage.LINK and settings.asks_links_again:
            needed[stage] = ANSWERS if settings.strategy == "every_pair" else MAX_TIMES
        if stage == Stage.REQUIREMENT:
            needed[stage] = max(needed[stage], _voters(rules, settings))
        if stage in rules.not_by_author and settings.author_after_hours is None:
            needed[stage] += 1
    return needed


def _voters(rules: Protocol, settings: BatchSettings) -> int:
    """Return how many people box requirement may need for a chain that comes back as often as it may.

    Whoever found nothing to draw has given a judgment that counts, so this worker does not vote. After the
    last return, a researcher looks.
    """
    decide, can_say = rules.decide[Stage.REQUIREMENT], _CAN_SAY[Stage.REQUIREMENT]
    nothing = _nothing_to_draw(rules)
    adds_up, again = rules.adds_up(Stage.REQUIREMENT, settings), settings.author_after_hours is not None
    # The votes that count, and how many workers may not vote again. Some chains begin in box drawing.
    chains: set[tuple[tuple[Answer, ...], int]] = {((), 0)}
    if _begins_in_requirement(rules, settings):
        chains |= {(given, len(given)) for given, said in _courses(decide, can_say) if said == _BOX}
    people = max(votes for _, votes in chains)
    for _ in range(min(settings.limits.returns, MAX_RETURNS) - 1):
        back = [
            ((*given, nothing) if adds_up else (nothing,), 0 if again else votes) for given, votes in chains
        ]
        asked = [
            ((*given, *more), votes + len(more), said)
            for given, votes in back
            for more, said in _courses(decide, can_say, given)
        ]
        people = max(people, *(votes + 1 for _, votes, _ in asked))
        chains = {(given, votes) for given, votes, said in asked if said == _BOX}
    return people


def _nothing_to_draw(rules: Protocol) -> Answer:
    """Return the answer of box drawing that sends a chain back to box requirement."""
    back = next(move for move in rules.moves if move.rule in rules.counts_next)
    verdicts = ((answer, rules.decide[back.stage]([answer])) for answer in _CAN_SAY[back.stage])
    return next(answer for answer, said in verdicts if said and said.name == back.verdict)


def _begins_in_requirement(rules: Protocol, settings: BatchSettings) -> bool:
    """Return whether a chain of one of the eight types, or of a pinned head noun, begins there."""
    heads = ("thing", *settings.box_heads)
    chains = ([Mention(0, 0, 0, 1, head, (kind,))] for head in heads for kind in TYPES)
    return any(rules.opening(chain, settings, verified=True) == Stage.REQUIREMENT for chain in chains)


def _settled(answers: Sequence[Answer]) -> Verdict | None:
    return decide_link(answers, settling=True)


def _courses(
    decide: Callable[[Sequence[Answer]], Verdict | None],
    can_say: Sequence[Answer],
    given: tuple[Answer, ...] = (),
) -> list[tuple[tuple[Answer, ...], Verdict | None]]:
    """Return the answers after those `given` that an item may get until they decide, with their verdict."""
    over: list[tuple[tuple[Answer, ...], Verdict | None]] = []
    open_: list[tuple[Answer, ...]] = [()]
    for number in range(1, MAX_OPINIONS + 1):
        tried = [(*before, answer) for before in open_ for answer in can_say]
        verdicts = [decide((*given, *answers)) for answers in tried]
        over += [(a, v) for a, v in zip(tried, verdicts, strict=True) if v or number == MAX_OPINIONS]
        open_ = [answers for answers, verdict in zip(tried, verdicts, strict=True) if verdict is None]
    return over


def stages_short_of_people(settings: BatchSettings, people: Mapping[str, int]) -> dict[str, int]:
    """Return the stages that may need more people than may work in them, each with how many it may need."""
    return {stage: number for stage, number in people_needed(settings).items() if number > people[stage]}
