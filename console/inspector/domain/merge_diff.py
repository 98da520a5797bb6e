"""An image before and after merging, and which raw box and chain went where. No Django."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.domain.geometry import Box
from annotation.domain.merge import MergeCounts, MergeSettings, merge
from annotation.domain.records import ChainRecord, ImageRecord

MIN_IOU = 0.5
"""Of the sliders: below, boxes of things that merely overlap would be one."""


@dataclass(frozen=True, slots=True)
class MergedBox:
    """A box that is left; `raw` are places in the raw record's boxes, `chains` the raw chains that use it."""

    box: Box
    chains: tuple[int, ...]
    raw: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What merging leaves. `joined` are raw chains that are one now, where they are several; by number."""

    boxes: tuple[MergedBox, ...]
    joined: tuple[tuple[int, ...], ...]
    counts: MergeCounts


def compare(raw: ImageRecord, settings: MergeSettings) -> Comparison:
    """Merge as an export does, and trace the result back. Chains have their numbers in `raw`."""
    merged = merge(raw, settings)
    counts = MergeCounts()
    counts.add(raw, merged)
    came_from = _origins(raw, merged)
    return Comparison(
        boxes=tuple(_traced(raw, merged, place, came_from) for place in range(len(merged.boxes))),
        joined=tuple(tuple(c.id for c in chains) for chains in came_from.values() if len(chains) > 1),
        counts=counts,
    )


def _origins(raw: ImageRecord, merged: ImageRecord) -> dict[int, list[ChainRecord]]:
    """Merged chain -> the raw chains in it: no two chains share a mention, so the mentions tell."""
    home = {mention: chain.id for chain in merged.chains for mention in chain.mentions}
    found: dict[int, list[ChainRecord]] = {chain.id: [] for chain in merged.chains}
    for chain in raw.chains:
        found[home[chain.mentions[0]]].append(chain)
    return found


def _traced(
    raw: ImageRecord, merged: ImageRecord, place: int, came_from: dict[int, list[ChainRecord]]
) -> MergedBox:
    """A raw box is in it if one of its chains had it, with these edges."""
    record = merged.boxes[place]
    edges = {box.edges for box in record.merged_from or (record.box,)}
    using = [old for chain in merged.chains if place in chain.boxes for old in came_from[chain.id]]
    own = [old for old in using if any(raw.boxes[index].box.edges in edges for index in old.boxes)]
    places = {index for old in own for index in old.boxes if raw.boxes[index].box.edges in edges}
    return MergedBox(record.box, tuple(sorted(old.id for old in own)), tuple(sorted(places)))


def settings_from(iou: str, iou_other: str) -> MergeSettings:
    """Read the thresholds from an address; empty: the default. Raises ValueError naming the wrong one."""
    usual = MergeSettings()
    return MergeSettings(
        iou=_threshold("iou", iou) if iou else usual.iou,
        iou_other=_threshold("iou_other", iou_other) if iou_other else usual.iou_other,
    )


def _threshold(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not MIN_IOU <= number <= 1:  # nor is nan
        raise ValueError(f"{name} has to be a number from {MIN_IOU} to 1, such as 0.8, not {value[:20]!r}")
    return number
