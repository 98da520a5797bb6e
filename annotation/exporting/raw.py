"""What a source knows of an image's chains, before spans, merging and numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from annotation.domain.records import BoxRecord


@dataclass(slots=True)
class RawChain:
    """A chain by the ids of its mentions, with boxes of its own."""

    members: Sequence[int]
    boxes: list[BoxRecord] = field(default_factory=list)
    scene: bool = False
    nobndbox: bool = False
    judgments: Sequence[int] = ()
    finished: bool = True
    decisions: Sequence[int] = ()


@dataclass(slots=True)
class LeftOut:
    """How many images, chains and boxes an export leaves out, by reason."""

    images: Counter[str] = field(default_factory=Counter)
    chains: Counter[str] = field(default_factory=Counter)
    boxes: Counter[str] = field(default_factory=Counter)


class Source(Protocol):
    """Where chains come from."""

    def chains(self, images: Sequence[int], left_out: LeftOut) -> Mapping[int, Sequence[RawChain]]:
        """Image id -> its chains. An image that is not in it is left out, and counted in `left_out`."""
        ...
