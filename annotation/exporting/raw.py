"""Chains as a source gives them, before they get spans, are merged and numbered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from annotation.domain.records import BoxRecord


@dataclass(slots=True)
class RawChain:
    """A chain with the ids of its mentions, and with boxes that it does not share."""

    members: Sequence[int]
    boxes: list[BoxRecord] = field(default_factory=list)
    scene: bool = False
    nobndbox: bool = False
    judgments: Sequence[int] = ()
    finished: bool = True
    decisions: Sequence[int] = ()
    imported: Sequence[int] = ()
    models: Sequence[str] = ()


@dataclass(slots=True)
class LeftOut:
    """How many images, pictures, chains and boxes an export leaves out, by reason."""

    images: Counter[str] = field(default_factory=Counter)
    pictures: Counter[str] = field(default_factory=Counter)  # of images that are written
    chains: Counter[str] = field(default_factory=Counter)
    boxes: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class CrowdWork:
    """How the crowd's chains of the images given out came about."""

    protocols: Counter[str] = field(default_factory=Counter)  # images by the protocol of their batch
    verified: int = 0  # chains that workers verified: all their mentions are the same
    broken: int = 0  # chains of which workers said that they are not


class Source(Protocol):
    """A source of chains: the crowd's annotation or the known one."""

    def chains(self, images: Sequence[int], left_out: LeftOut) -> Mapping[int, Sequence[RawChain]]:
        """Return the chains by image id. Images that are left out are missing, and counted in `left_out`."""
        ...
