"""The label of an answer, one of a few for each stage, so that answers can be counted.

This module does without numpy, because the web service imports it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.domain.answers import DRAWS_BOXES, BoxJudgment, JointStage, Stage

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
    return int(answer[_FIELDS[Stage(stage)]])
