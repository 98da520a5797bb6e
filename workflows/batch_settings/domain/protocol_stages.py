"""The stages of each protocol, and the numbers that their settings begin with."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.domain.answers import JointStage, Stage
from annotation.domain.protocols import ALL_STAGES, PROTOCOL_STAGES
from workflows.batch_settings.domain import paper
from workflows.batch_settings.domain.quality_control import Regime

ITEMS_A_PAGE: Mapping[str, int] = MappingProxyType(
    {**paper.ITEMS_A_PAGE, JointStage.BOXES: 5, JointStage.CHECK: 5}
)
"""Items per page: as in table 3, and for the joint stages as in box drawing [ours]."""
MINIMUM_SCORE: Mapping[str, float] = MappingProxyType(
    {
        **paper.MINIMUM_SCORE,
        JointStage.BOXES: paper.MINIMUM_SCORE[Stage.DRAWING],
        # An answer to a joint check is right only if what it says of the boxes is, and of what is missing.
        JointStage.CHECK: round(paper.MINIMUM_SCORE[Stage.QUALITY] * paper.MINIMUM_SCORE[Stage.COVERAGE], 2),
    }
)
"""The share of verification questions to get right: as in table 3, or from its most similar stages [ours]."""
PAGE_SECONDS: Mapping[str, int] = MappingProxyType(
    {**paper.PAGE_SECONDS, JointStage.BOXES: 160, JointStage.CHECK: 75}
)
"""The mean seconds that a page takes: table 3, and what `make bench-protocols` assumes."""


SECONDS: Mapping[str, float] = MappingProxyType(
    {stage: PAGE_SECONDS[stage] / ITEMS_A_PAGE[stage] for stage in ALL_STAGES}
)
"""The mean seconds that an item takes."""
REJECTED: Mapping[str, float] = MappingProxyType(
    {
        **paper.REJECTED,
        JointStage.BOXES: paper.REJECTED[Stage.DRAWING],
        JointStage.CHECK: paper.REJECTED[Stage.QUALITY],
    }
)
"""The share of the pages of workers who were not trusted that is rejected: as in table 3, or in its most
similar stage [ours]."""


def stage_defaults(protocol: str) -> dict[str, Any]:
    """Return the settings that have a value for each stage, for the stages of the protocol."""
    stages = PROTOCOL_STAGES[protocol]
    return {
        "regime": dict.fromkeys(stages, Regime.TRUSTED),
        "items_a_page": {stage: ITEMS_A_PAGE[stage] for stage in stages},
        "minimum_score": {stage: MINIMUM_SCORE[stage] for stage in stages},
        "pass_mark": {stage: MINIMUM_SCORE[stage] for stage in stages},
        "priorities": dict.fromkeys(stages, 0),
        "reward": dict.fromkeys(stages, 0),
    }
