"""What the paper reports of its own annotation, in the units of the charts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from workflows.domain.paper import CHAINS, REJECTED, TRUSTED_SCORE

SCORES: Mapping[str, float] = MappingProxyType({stage: 100 * one for stage, one in TRUSTED_SCORE.items()})
"""Per cent of answers to verification questions; of links and verification together."""

REJECTED_PAGES: Mapping[str, float] = MappingProxyType({stage: 100 * one for stage, one in REJECTED.items()})
"""Per cent of pages of workers who were not trusted."""

SHARES: Mapping[str, float] = MappingProxyType(
    {name: 100 * chains / sum(CHAINS.values()) for name, chains in CHAINS.items()}
)
"""Chains by type in per cent, one of two types counted under each."""

BOXES_OF_CHAINS: Mapping[str, float] = MappingProxyType({"none": 20.9, "one": 59.1, "several": 20.0})
"""Per cent of the chains with no, one and several boxes (section 3.4)."""

LINKS_ASKED = 57.0
"""Per cent of the pairs that may be asked, which `greedy` asks (table 2); figure 3 has no numbers."""
