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
from annotation.domain.protocols import Campaign
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.domain.campaign_course import people_of_campaign
from workflows.pipeline.domain.link_courses import MAX_TIMES
from workflows.pipeline.domain.link_strategies import ANSWERS
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.domain.verdicts import Verdict, decide_link

MAX_OPINIONS = 9
"""The most judgments on one item that are looked at."""

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

    Nobody judges an item twice. Whoever drew a box does not judge it, unless `author_after_hours` allows it.
    """
    if settings.campaign is not Campaign.ENTITIES:
        return people_of_campaign(settings)
    rules = PROTOCOLS[settings.protocol]
    needed = {}
    for stage in map(str, settings.regime):
        decide = rules.decide.get(stage, _settled)
        needed[stage] = _most_opinions(decide, _CAN_SAY[stage])
        if stage == Stage.LINK and settings.asks_links_again:
            needed[stage] = ANSWERS if settings.strategy == "every_pair" else MAX_TIMES
        if stage in rules.not_by_author and settings.author_after_hours is None:
            needed[stage] += 1
    return needed


def _settled(answers: Sequence[Answer]) -> Verdict | None:
    return decide_link(answers, settling=True)


def _most_opinions(decide: Callable[[Sequence[Answer]], Verdict | None], can_say: Sequence[Answer]) -> int:
    """Return how many judgments an item takes if they disagree as long as they can."""
    open_: list[tuple[Answer, ...]] = [()]
    for number in range(1, MAX_OPINIONS + 1):
        given = [(*before, answer) for before in open_ for answer in can_say]
        open_ = [answers for answers in given if decide(answers) is None]
        if not open_:
            return number
    return MAX_OPINIONS


def stages_short_of_people(settings: BatchSettings, people: int) -> dict[str, int]:
    """Return the stages that may need more people than there are, each with how many it may need."""
    return {stage: number for stage, number in people_needed(settings).items() if number > people}
