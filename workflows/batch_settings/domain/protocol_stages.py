"""The stages of each protocol, and the numbers that their settings begin with."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.domain.answers import CampaignStage, JointStage, Stage
from annotation.domain.protocols import ALL_STAGES, PROTOCOL_STAGES
from workflows.batch_settings.domain import paper
from workflows.batch_settings.domain.quality_control import Control, Regime, Screening

ITEMS_PER_PAGE: Mapping[str, int] = MappingProxyType(
    {
        **paper.ITEMS_PER_PAGE,
        JointStage.BOXES: 5,
        JointStage.CHECK: 5,
        CampaignStage.WRITING: 3,
        CampaignStage.CAPTION_CHECK: 10,
        CampaignStage.GRADING: 10,
        CampaignStage.RELEVANCE: 6,
    }
)
"""Items per page: as in table 3, for the joint stages as in box drawing [ours]. A page of `relevance` has six
images, one of which is a control (ranking task, section 4.3.2). The others are [ours]."""
MINIMUM_SCORE: Mapping[str, float] = MappingProxyType(
    {
        **paper.MINIMUM_SCORE,
        JointStage.BOXES: paper.MINIMUM_SCORE[Stage.DRAWING],
        # An answer to a joint check is right only if what it says of the boxes is, and of what is missing.
        JointStage.CHECK: round(paper.MINIMUM_SCORE[Stage.QUALITY] * paper.MINIMUM_SCORE[Stage.COVERAGE], 2),
        CampaignStage.WRITING: 0.75,
        CampaignStage.CAPTION_CHECK: 0.80,
        CampaignStage.GRADING: 0.75,
        CampaignStage.RELEVANCE: 0.70,
    }
)
"""The share of verification questions to get right: as in table 3, or from its most similar stages [ours]. In
`relevance`, it is the share of controls that the source names (ranking task, section 4.3.2); those of the
other stages of campaigns are [ours]."""
PAGE_SECONDS: Mapping[str, int] = MappingProxyType(
    {
        **paper.PAGE_SECONDS,
        JointStage.BOXES: 160,
        JointStage.CHECK: 75,
        CampaignStage.WRITING: 180,
        CampaignStage.CAPTION_CHECK: 80,
        CampaignStage.GRADING: 120,
        CampaignStage.RELEVANCE: 150,
    }
)
"""The mean seconds that a page takes: table 3, and what `make bench-protocols` assumes. An expert takes ten
minutes for 50 pairs to grade (ranking task, section 4.2.1). Those of the other campaign stages are [ours]."""


SECONDS: Mapping[str, float] = MappingProxyType(
    {stage: PAGE_SECONDS[stage] / ITEMS_PER_PAGE[stage] for stage in ALL_STAGES}
)
"""The mean seconds that an item takes."""
REJECTED: Mapping[str, float] = MappingProxyType(
    {
        **paper.REJECTED,
        JointStage.BOXES: paper.REJECTED[Stage.DRAWING],
        JointStage.CHECK: paper.REJECTED[Stage.QUALITY],
        CampaignStage.WRITING: paper.REJECTED[Stage.DRAWING],
        CampaignStage.CAPTION_CHECK: paper.REJECTED[Stage.QUALITY],
        CampaignStage.GRADING: paper.REJECTED[Stage.LINK],
        CampaignStage.RELEVANCE: paper.REJECTED[Stage.COVERAGE],
    }
)
"""The share of the pages of workers who were not trusted that is rejected: as in table 3, or in its most
similar stage [ours]."""


REGIME: Mapping[str, Regime] = MappingProxyType({CampaignStage.RELEVANCE: Regime.VERIFICATION})
"""Whose judgments count: trusted workers', but for this stage, whose every page has a control."""


def control_of(protocol: str) -> Control:
    """Return the numbers of quality control that batches of the protocol begin with.

    One of six images on a page of `relevance` is a control (ranking task, section 4.3.2).
    """
    if CampaignStage.RELEVANCE in PROTOCOL_STAGES[protocol]:
        return Control(verification_share=1 / ITEMS_PER_PAGE[CampaignStage.RELEVANCE])
    return Control()


LANGUAGE_TEST_TRIES = 2
"""The language test has two forms of ten sentences, and nobody gets a sentence twice [ours]."""


def screening_of(protocol: str) -> Screening:
    """Return what workers must show before their first page, in batches that say nothing else about it."""
    if CampaignStage.WRITING in PROTOCOL_STAGES[protocol]:
        return Screening(tries=LANGUAGE_TEST_TRIES)
    return Screening()


def stage_defaults(protocol: str) -> dict[str, Any]:
    """Return the settings that have a value for each stage, for the stages of the protocol."""
    stages = PROTOCOL_STAGES[protocol]
    return {
        "regime": {stage: REGIME.get(stage, Regime.TRUSTED) for stage in stages},
        "items_a_page": {stage: ITEMS_PER_PAGE[stage] for stage in stages},
        "minimum_score": {stage: MINIMUM_SCORE[stage] for stage in stages},
        "pass_mark": {stage: MINIMUM_SCORE[stage] for stage in stages},
        "priorities": dict.fromkeys(stages, 0),
        "reward": dict.fromkeys(stages, 0),
    }
