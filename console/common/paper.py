"""What the paper reports of its own annotation, in the units of the charts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from annotation.domain.answers import Stage
from workflows.batch_settings.domain.paper import ALL_CHAINS, CHAINS, REJECTED, TRUSTED_SCORE

SCORES: Mapping[str, float | None] = MappingProxyType(
    {stage: None if stage == Stage.DRAWING else 100 * one for stage, one in TRUSTED_SCORE.items()}
)
"""Per cent of trusted workers' answers to verification questions; of links and verification together."""

APPROVED: Mapping[str, float | None] = MappingProxyType(
    {stage: 100 * one if stage == Stage.DRAWING else None for stage, one in TRUSTED_SCORE.items()}
)
"""Per cent of their boxes that were approved: what the paper gives in the place of box drawing's score."""

REJECTED_PAGES: Mapping[str, float] = MappingProxyType({stage: 100 * one for stage, one in REJECTED.items()})
"""Per cent of pages of workers who were not trusted."""

SHARES: Mapping[str, float] = MappingProxyType(
    {name: 100 * chains / ALL_CHAINS for name, chains in CHAINS.items()}
)
"""Per cent of all chains that are of a type, one of two types counted under each: more than 100 together."""

BOXES_OF_CHAINS: Mapping[str, float] = MappingProxyType({"none": 20.9, "one": 59.1, "several": 20.0})
"""Per cent of the chains with no, one and several boxes (section 3.4)."""

LINKS_ASKED = 57.0
"""Per cent of the pairs that may be asked, which `greedy` asks (table 2); figure 3 has no numbers."""
