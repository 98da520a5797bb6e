"""How likely a chain needs a box, before anybody was asked: by its types and its head noun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from annotation.domain.mentions import Mention, representative

SHARES: Mapping[str, float] = MappingProxyType(
    {
        **{"people": 0.99, "clothing": 0.98, "bodyparts": 0.97, "animals": 0.98},
        **{"vehicles": 0.95, "instruments": 0.95, "scene": 0.40, "other": 0.77},
    }
)
"""The share of the chains of a type that need a box [ours]. A type of a project's own counts as `other`."""
STRENGTH = 10
"""The share of its types counts as much as so many chains of the same head noun [ours]."""
MIN_CHAINS, MAX_HEADS = 3, 500
"""Head nouns of fewer chains change little, and most chains have one of the frequent ones [ours]."""
MIN_PROBABILITY, MAX_PROBABILITY = 0.01, 0.99
"""A prior is never closer to 0 or 1, so that judgments can overrule it [ours]."""


@dataclass(frozen=True, slots=True)
class BoxPrior:
    """Shares by type, and of finished chains by head noun: how many needed a box, and how many there are."""

    shares: Mapping[str, float] = field(default_factory=lambda: SHARES)
    heads: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def of(self, mentions: Sequence[Mention]) -> float:
        """Return how likely the chain of these mentions needs a box.

        Its share is that of the type that needs boxes most often, as one mention of people, clothing or body
        parts is enough in the paper. The head noun is that of the representative mention, which workers see.
        """
        share = max(self.shares.get(kind, SHARES["other"]) for mention in mentions for kind in mention.types)
        boxed, chains = self.heads.get(representative(mentions).head, (0, 0))
        return min(max((boxed + STRENGTH * share) / (chains + STRENGTH), MIN_PROBABILITY), MAX_PROBABILITY)


def frequent_heads(counts: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Return the head nouns that a batch pins: those of most chains, if they have enough to say something.

    Each has how many finished chains had a box, and how many there are.
    """
    enough = [head for head, (_, chains) in counts.items() if chains >= MIN_CHAINS]
    first = sorted(enough, key=lambda head: (-counts[head][1], head))[:MAX_HEADS]
    return {head: counts[head] for head in sorted(first)}
