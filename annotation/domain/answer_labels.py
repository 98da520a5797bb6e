"""The label of an answer, one of a few for each stage, so that answers can be counted.

This module does without numpy, because the web service imports it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.domain.answers import (
    DRAWS_BOXES,
    GRADES,
    BoxJudgment,
    CampaignStage,
    CaptionJudgment,
    JointStage,
    Stage,
)

NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        Stage.LINK: ("different", "same"),
        Stage.VERIFICATION: ("different", "same"),
        Stage.REQUIREMENT: ("box", "scene", "nobox"),
        Stage.DRAWING: ("box", "none"),  # which box is not a matter of counting: see `boxes`
        Stage.QUALITY: ("bad", "good"),
        Stage.COVERAGE: ("incomplete", "complete"),
        JointStage.BOXES: ("box", "none"),
        JointStage.CHECK: ("changes", "fine"),  # fine: every new box is good, and nothing is missing
        CampaignStage.WRITING: ("caption",),  # there is nothing to count: everybody writes another one
        CampaignStage.CAPTION_CHECK: tuple(map(str, CaptionJudgment)),
        CampaignStage.GRADING: tuple(map(str, GRADES)),
        CampaignStage.RELEVANCE: ("none", "some"),  # which captions describe the image is counted by pair
    }
)
"""The labels of a stage. The position is the code."""

_FIELDS = {
    Stage.LINK: "same", Stage.VERIFICATION: "same", Stage.QUALITY: "good", Stage.COVERAGE: "complete",
}  # fmt: skip


def label_of(stage: str, answer: Mapping[str, Any]) -> int:
    """Return the code of a stored answer, or of a verification question's right answer.

    Raise KeyError when the object is not an answer of the stage.
    """
    if stage == Stage.REQUIREMENT:
        return NAMES[stage].index(answer["requirement"])
    if stage in DRAWS_BOXES:
        if "none" in answer:
            return 1
        drawn = answer["boxes"] if "boxes" in answer else answer["box"]
        return 0 if drawn else 1
    if stage == JointStage.CHECK:
        fine = all(said == BoxJudgment.GOOD for said in answer["boxes"]) and not answer["missing"]
        return NAMES[stage].index("fine" if fine else "changes")
    if stage == CampaignStage.WRITING:
        return 0
    if stage == CampaignStage.CAPTION_CHECK:
        return NAMES[stage].index(answer["caption"])
    if stage == CampaignStage.GRADING:
        return NAMES[stage].index(str(answer["grade"]))
    if stage == CampaignStage.RELEVANCE:
        return int(any(answer["describes"]))
    return int(answer[_FIELDS[Stage(stage)]])
