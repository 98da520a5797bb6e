"""Who drew the boxes of an image that a researcher groups anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from annotation.domain.geometry import Box
from workflows.pipeline.replay.domain.contexts import Source
from workflows.pipeline.replay.domain.decisions import DecidedBox, Group


@dataclass(frozen=True, slots=True)
class KnownBox:
    """An accepted box of a chain with these mentions, and where it comes from."""

    members: frozenset[int]
    box: Box
    source: Source


def name_sources(group: Group, known: Sequence[KnownBox]) -> Group:
    """Return the group with the source of each box that the image has already. Others are of the decision.

    If several chains have an equal box, the one that shares most mentions with the group is taken.
    """
    members = set(group.members)
    taken: set[Source] = set()
    boxes = []
    for decided in group.boxes:
        equal = [one for one in known if one.box == decided.box and one.source not in taken]
        best = max(equal, key=lambda one: len(one.members & members), default=None)
        if best is not None:
            taken.add(best.source)
        boxes.append(DecidedBox(decided.box, best.source if best else None))
    return replace(group, boxes=tuple(boxes))
