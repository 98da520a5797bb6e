"""The stages of each protocol, and the numbers that their settings begin with."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.domain.answers import JointStage, Stage
from workflows.batch_settings.domain import paper
from workflows.batch_settings.domain.quality_control import Regime

PROTOCOL_STAGES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "flickr30k-entities": tuple(Stage),
        "entities-fast": (Stage.LINK, Stage.VERIFICATION, Stage.REQUIREMENT, *JointStage),
    }
)
"""The stages of each protocol, in the order of its pipeline. The first protocol is the default."""
WITHOUT_PAGES = frozenset({"entities-fast"})
"""Protocols with stages for which workers have no pages yet: no batch can choose them."""
ALL_STAGES: tuple[str, ...] = (*Stage, *JointStage)
"""The stages of all protocols, so that later ones of a pipeline come later here."""

ITEMS_A_PAGE: Mapping[str, int] = MappingProxyType(
    {**paper.ITEMS_A_PAGE, JointStage.BOXES: 5, JointStage.CHECK: 5}
)
"""Items per page: as in table 3, and for the joint stages as in box drawing [ours]."""
MINIMUM_SCORE: Mapping[str, float] = MappingProxyType(
    {
        **paper.MINIMUM_SCORE,
        JointStage.BOXES: paper.MINIMUM_SCORE[Stage.DRAWING],
        JointStage.CHECK: paper.MINIMUM_SCORE[Stage.QUALITY],
    }
)
"""The share of verification questions to get right: as in table 3, or in its most similar stage [ours]."""
PAGE_SECONDS: Mapping[str, int] = MappingProxyType(
    {**paper.PAGE_SECONDS, JointStage.BOXES: 180, JointStage.CHECK: 75}
)
"""The mean seconds that a page takes: table 3, and what `make bench-protocols` assumes."""


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
