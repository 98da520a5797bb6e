"""Numbers of the paper (Plummer et al., Flickr30k Entities, IJCV 2017): for defaults and forecasts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from annotation.domain.answers import Stage

ITEMS_PER_PAGE: Mapping[str, int] = MappingProxyType(
    {
        Stage.LINK: 10,
        Stage.VERIFICATION: 5,
        Stage.REQUIREMENT: 10,
        Stage.DRAWING: 5,
        Stage.QUALITY: 10,
        Stage.COVERAGE: 10,
    }
)
"""Items per page (table 3)."""

MINIMUM_SCORE: Mapping[str, float] = MappingProxyType(
    {
        Stage.LINK: 0.80,
        Stage.VERIFICATION: 0.83,
        Stage.REQUIREMENT: 0.83,
        Stage.DRAWING: 0.70,
        Stage.QUALITY: 0.78,
        Stage.COVERAGE: 0.80,
    }
)
"""The share of verification questions that a worker must get right (table 3)."""

PAGE_SECONDS: Mapping[str, int] = MappingProxyType(dict(zip(Stage, (75, 95, 81, 134, 110, 91), strict=True)))
"""The mean seconds that a page takes (table 3)."""

SECONDS: Mapping[str, float] = MappingProxyType(
    {stage: PAGE_SECONDS[stage] / ITEMS_PER_PAGE[stage] for stage in Stage}
)
"""The mean seconds that an item takes (table 3)."""

REJECTED: Mapping[str, float] = MappingProxyType(
    dict(zip(Stage, (0.02, 0.02, 0.005, 0.383, 0.527, 0.354), strict=True))
)
"""The share of the pages of workers who were not trusted that was rejected (table 3; "<1" is read as 0.5)."""

TRUSTED_SCORE: Mapping[str, float] = MappingProxyType(
    dict(zip(Stage, (0.906, 0.906, 0.884, 0.824, 0.880, 0.892), strict=True))
)
"""The share of verification questions that trusted workers got right; in drawing, of boxes that were approved
(table 3)."""

PLUS: Mapping[str, float] = MappingProxyType(
    {
        **{"greedy": 1.0, "exhaustive": 1.0, "greedy_plus": 66.94 / 57.00, "exhaustive_plus": 119.74 / 100},
        **{"likely_first": 1.14, "posterior": 1.16, "every_pair": 5.0},
    }
)
"""How many judgments a link takes on average. Those of *plus* strategies are what settling adds (table 2);
those of our own strategies are from `make bench-strategies` [ours]."""

ALL_VERIFIED = 123_758
"""Chains of several mentions that workers verified, before any were split or merged (section 3.1.2)."""
REVIEWED = 4_000
"""About so many entities the authors reviewed (section 3.3.1)."""
VERIFIED = 0.902
"""The share of the chains of two or more mentions that pass verification (docs/protocol.md, "The size")."""

MERGED_CHAINS, MERGED_BOXES = 0.059, 0.198
"""The shares of the chains and of the boxes that merging removed after the work (section 3.3.2)."""

MENTIONS: Mapping[str, float] = MappingProxyType(
    {
        **{"people": 3.17, "clothing": 1.76, "bodyparts": 1.50, "animals": 3.63},
        **{"vehicles": 2.77, "instruments": 2.85, "scene": 2.03, "other": 1.94},
    }
)
"""Mentions per chain, by type (table 4)."""

CHAINS: Mapping[str, int] = MappingProxyType(
    {
        **{"people": 59_766, "clothing": 42_380, "bodyparts": 12_809, "animals": 5_086},
        **{"vehicles": 5_561, "instruments": 1_827, "scene": 46_919, "other": 82_098},
    }
)
"""The number of chains by type (figure 5).

A chain of several types counts in each, so the sum is above ALL_CHAINS.
"""

ALL_CHAINS, ALL_CAPTIONS, ALL_MENTIONS, ALL_BOXES = 244_035, 158_915, 513_644, 275_775
"""Totals of the data set (section 3.4)."""

BOXES: Mapping[str, float] = MappingProxyType(
    {
        **{"people": 1.95, "clothing": 1.44, "bodyparts": 1.42, "animals": 1.44},
        **{"vehicles": 1.21, "instruments": 1.61, "scene": 0.62, "other": 1.04},
    }
)
"""Boxes per chain, by type (table 4)."""

CATEGORIES = 44_518
"""The number of object categories: different phrases of which only the nouns are kept (table 1)."""

IMAGES = 31_783
PRESENT: Mapping[str, float] = MappingProxyType(
    {
        **{"people": 0.942, "clothing": 0.699, "bodyparts": 0.280, "animals": 0.120},
        **{"vehicles": 0.138, "instruments": 0.043, "scene": 0.797, "other": 0.918},
    }
)
"""The share of the images that mention a type (section 3.4)."""

WITHOUT_BOX: Mapping[str, float] = MappingProxyType(
    {
        **dict.fromkeys(("people", "clothing", "bodyparts"), 0.015),
        **dict.fromkeys(("animals", "vehicles", "instruments"), 0.03),
        **{"scene": 0.52, "other": 0.33},
    }
)
"""The share of the chains that need no box, by type [ours]. The numbers are chosen such that it is 20.9% of
all chains, as in section 3.4, given the boxes per chain of table 4."""
