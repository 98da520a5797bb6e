"""What the paper reports of its own annotation (Plummer et al., IJCV), to stand beside our figures."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from annotation.domain.answers import Stage

SCORES: Mapping[str, float] = MappingProxyType(
    dict(zip(Stage, (90.6, 90.6, 88.4, 82.4, 88.0, 89.2), strict=True))
)
"""Table 3: trusted workers' quality in per cent. Links and verification are reported together."""

REJECTED: Mapping[str, float | None] = MappingProxyType(
    dict(zip(Stage, (2.0, 2.0, None, 38.3, 52.7, 35.4), strict=True))
)
"""Table 3: rejected pages of workers who were not trusted, in per cent; None: it says "less than 1"."""

SECONDS: Mapping[str, float] = MappingProxyType(
    dict(zip(Stage, (75 / 10, 95 / 5, 81 / 10, 134 / 5, 110 / 10, 91 / 10), strict=True))
)
"""Table 3: the average seconds of a page by its items."""

CHAINS: Mapping[str, int] = MappingProxyType(
    {
        "people": 59_766,
        "clothing": 42_380,
        "bodyparts": 12_809,
        "animals": 5_086,
        "vehicles": 5_561,
        "instruments": 1_827,
        "scene": 46_919,
        "other": 82_098,
    }
)
"""Table 4 (and figure 5): chains by type."""
ALL_CHAINS = 244_035

MENTIONS_A_CHAIN: Mapping[str, float] = MappingProxyType(
    dict(zip(CHAINS, (3.17, 1.76, 1.50, 3.63, 2.77, 2.85, 2.03, 1.94), strict=True))
)
BOXES_A_CHAIN: Mapping[str, float] = MappingProxyType(
    dict(zip(CHAINS, (1.95, 1.44, 1.42, 1.44, 1.21, 1.61, 0.62, 1.04), strict=True))
)
"""Table 4."""

BOXES_OF_CHAINS: Mapping[str, float] = MappingProxyType({"none": 20.9, "one": 59.1, "several": 20.0})
"""Section 3.4: the share of chains with no, one and several boxes, in per cent."""

LINKS_ASKED = 57.0
"""Table 2: the pairs that `greedy` asks of all that may be asked, in per cent. What figure 3 draws, the paper
says nowhere in numbers."""
