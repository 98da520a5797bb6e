"""Which boxes chains keep that are joined, and who drew them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from annotation.domain.geometry import Box, iou
from annotation.domain.merge import MergeSettings, threshold
from workflows.pipeline.replay.domain.contexts import Source
from workflows.pipeline.replay.domain.decisions import DecidedBox, Group


@dataclass(frozen=True, slots=True)
class KnownBox:
    """An accepted box of a chain with these mentions, and where it comes from."""

    members: frozenset[int]
    box: Box
    source: Source


def is_same(box: Box, others: Iterable[Box], types: Collection[str]) -> bool:
    """Return whether one of the others is the same box for a chain of these types, as at an export."""
    own = frozenset(types)
    least = threshold(own, own, MergeSettings())
    return any(iou(box, other) >= least for other in others)


def join_boxes(chains: Sequence[Sequence[Box]], types: Collection[str]) -> list[Box]:
    """Return the boxes of chains that become one, with these types.

    Of boxes of different chains that are the same, the first chain's is kept as it was drawn. Boxes of one
    chain stay apart, because workers judged each of them to be new.
    """
    joined: list[Box] = []
    for boxes in chains:
        before = tuple(joined)
        joined += [box for box in dict.fromkeys(boxes) if not is_same(box, before, types)]
    return joined


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
