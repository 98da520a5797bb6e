"""The protocols, the stages of each, and the campaign that each belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType

from annotation.domain.answers import CampaignStage, JointStage, Stage


class Campaign(StrEnum):
    """What a batch makes of its images."""

    ENTITIES = "entities"  # the grounding: chains of mentions, and their boxes
    CAPTIONS = "captions"  # captions that workers write
    RELEVANCE = "relevance"  # judgments of which captions describe an image


PROTOCOL_STAGES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "flickr30k-entities": tuple(map(str, Stage)),
        "entities-fast": tuple(map(str, (Stage.LINK, Stage.VERIFICATION, Stage.REQUIREMENT, *JointStage))),
        "captions": (str(CampaignStage.WRITING), str(CampaignStage.CAPTION_CHECK)),
        "relevance-expert": (str(CampaignStage.GRADING),),
        "relevance-crowd": (str(CampaignStage.RELEVANCE),),
    }
)
"""The stages of each protocol, in the order of its pipeline. The first protocol is the default."""
DEFAULT_PROTOCOL = next(iter(PROTOCOL_STAGES))
_OTHER_CAMPAIGNS: Mapping[str, Campaign] = {
    "captions": Campaign.CAPTIONS,
    "relevance-expert": Campaign.RELEVANCE,
    "relevance-crowd": Campaign.RELEVANCE,
}
CAMPAIGNS: Mapping[str, Campaign] = MappingProxyType(
    {protocol: _OTHER_CAMPAIGNS.get(protocol, Campaign.ENTITIES) for protocol in PROTOCOL_STAGES}
)
"""The campaign of each protocol."""
ENTITIES_STAGES: tuple[str, ...] = (*map(str, Stage), *map(str, JointStage))
"""The stages about links and chains."""
ALL_STAGES: tuple[str, ...] = (*ENTITIES_STAGES, *map(str, CampaignStage))
"""The stages of all protocols, so that later ones of a pipeline come later here."""


def campaign_stages(campaign: str) -> frozenset[str]:
    """Return the stages of all protocols of a campaign."""
    return frozenset(
        stage for name in CAMPAIGNS if CAMPAIGNS[name] == campaign for stage in PROTOCOL_STAGES[name]
    )


def protocols_of(campaign: Campaign) -> tuple[str, ...]:
    """Return the protocols of a campaign."""
    return tuple(protocol for protocol, of in CAMPAIGNS.items() if of is campaign)


ENTITIES_PROTOCOLS = protocols_of(Campaign.ENTITIES)


def stages_of(protocols: Iterable[str]) -> tuple[str, ...]:
    """Return the stages of these protocols, those that come later in a pipeline later.

    Without a protocol, they are those of the default.
    """
    used = set(protocols) or {DEFAULT_PROTOCOL}
    return tuple(stage for stage in ALL_STAGES if any(stage in PROTOCOL_STAGES[name] for name in used))
