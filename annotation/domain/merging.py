"""Joins boxes and chains that mean the same (PROTOCOL.md, "Merging, at export"; the paper's section 3.3.2).

Nothing here depends on the order in which boxes or chains come: every tie is broken by content (coordinates,
then the chains that point to a box), never by an index. The record that comes in is never changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median

from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord
from annotation.domain.types import TYPES

_ORDER = {name: place for place, name in enumerate(TYPES)}
_NEVER = (
    frozenset({"clothing", "people"}),
    frozenset({"bodyparts", "people"}),
    frozenset({"bodyparts", "clothing"}),
)
Profile = frozenset[frozenset[str]]  # the types of every chain that points to a box, chain by chain


@dataclass(frozen=True)
class MergeSettings:
    """IoU that two boxes must reach, the same where a type is `other`, and types that are kept apart."""

    iou: float = 0.8
    iou_other: float = 0.9
    never: tuple[frozenset[str], ...] = _NEVER

    def __post_init__(self) -> None:
        for name in ("iou", "iou_other"):
            if not 0 < getattr(self, name) <= 1:
                raise ValueError(f"{name} must be above 0 and at most 1, not {getattr(self, name)}")


@dataclass
class MergeCounts:
    """How many boxes and chains there were, and how many are left."""

    boxes_raw: int = 0
    boxes: int = 0
    chains_raw: int = 0
    chains: int = 0

    def add(self, raw: ImageRecord, merged: ImageRecord) -> None:
        """Count one image before and after."""
        self.boxes_raw += len(raw.boxes)
        self.boxes += len(merged.boxes)
        self.chains_raw += len(raw.chains)
        self.chains += len(merged.chains)


def unite_types(groups: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Every type once, in the order of TYPES; unknown ones last, by name."""
    return tuple(
        sorted({name for group in groups for name in group}, key=lambda name: (_ORDER.get(name, 99), name))
    )


def merge(record: ImageRecord, settings: MergeSettings = MergeSettings()) -> ImageRecord:
    """Merge the boxes of an image, then join chains that point to exactly the same non-empty set of boxes.

    Boxes come out sorted by coordinates, chains by their first mention. A joined chain keeps the smallest id.
    Boxes no chain points to are kept as they are.
    """
    chains = sorted(record.chains, key=lambda chain: _chain_key(chain, record.boxes))
    boxes, moved = _merge_boxes(record.boxes, chains, settings)
    chains = [
        replace(chain, boxes=tuple(sorted({moved[index] for index in chain.boxes}))) for chain in chains
    ]
    joined, renamed = _join_chains(chains)
    captions = tuple(_rename(caption, renamed) for caption in record.captions) if renamed else record.captions
    return replace(record, captions=captions, chains=joined, boxes=boxes)


@lru_cache(maxsize=4096)
def threshold(a: Profile, b: Profile, settings: MergeSettings) -> float:
    """The IoU at which two boxes merge; above 1 for never. A profile holds the types of each chain of a box.

    Where a box belongs to several chains, or a chain has several types, the strictest rule wins. Two
    chains are kept apart when one has a type that must not meet a type of the other, unless both have both:
    *a man 's arm* and *his arm*, each `bodyparts/people`, may share a box; neither may share one with *a man*
    or with *an arm*.
    """
    strictest = settings.iou
    for of_a in a:
        for of_b in b:
            for pair in settings.never:
                if pair & of_a and pair & of_b and pair <= of_a | of_b and not pair <= of_a & of_b:
                    return 2.0
            if "other" in of_a or "other" in of_b:
                strictest = max(strictest, settings.iou_other)
    return strictest


def median_box(boxes: Sequence[Box]) -> Box:
    """The coordinate-wise median. Halves (of an even number of boxes) go outwards, so it is never empty."""
    left, top, right, bottom = (sorted(values) for values in zip(*(box.edges for box in boxes), strict=True))
    return Box(int(median(left)), int(median(top)), -int(-median(right) // 1), -int(-median(bottom) // 1))


def _chain_key(chain: ChainRecord, boxes: Sequence[BoxRecord]) -> tuple[object, ...]:
    return chain.mentions, chain.id, chain.types, sorted(boxes[index].box for index in chain.boxes)


def _merge_boxes(
    boxes: Sequence[BoxRecord], chains: Sequence[ChainRecord], settings: MergeSettings
) -> tuple[tuple[BoxRecord, ...], dict[int, int]]:
    """The merged boxes, and old index -> new index. `chains` are in their canonical order."""
    pointing: list[list[int]] = [[] for _ in boxes]
    for rank, chain in enumerate(chains):
        for index in chain.boxes:
            pointing[index].append(rank)
    order = sorted(
        range(len(boxes)),
        key=lambda index: (
            boxes[index].box.edges,
            pointing[index],
            boxes[index].judgments,
            boxes[index].merged_from,
        ),
    )
    profiles = [frozenset(frozenset(chains[rank].types) for rank in pointing[index]) for index in order]
    groups = _clusters([boxes[index].box for index in order], profiles, settings)
    merged = sorted(
        ((_merged([boxes[order[place]] for place in group]), group) for group in groups),
        key=lambda pair: (pair[0].box.edges, pair[1]),
    )
    moved = {order[place]: new for new, (_, group) in enumerate(merged) for place in group}
    return tuple(box for box, _ in merged), moved


def _clusters(boxes: Sequence[Box], profiles: Sequence[Profile], settings: MergeSettings) -> list[list[int]]:
    """Complete linkage, best IoU first, equal IoU in the order of the boxes (which must be canonical).

    One pass is enough: two groups that may not join now never may, since groups only grow.
    """
    admissible = _admissible(boxes, profiles, settings)
    group_of = {place: [place] for place in range(len(boxes))}
    for _, a, b in sorted((-overlap, a, b) for (a, b), overlap in admissible.items()):
        first, second = group_of[a], group_of[b]
        if first is second:
            continue
        if all((min(x, y), max(x, y)) in admissible for x in first for y in second):
            joined = sorted(first + second)
            group_of.update(dict.fromkeys(joined, joined))
    return [group for place, group in group_of.items() if group[0] == place]


def _admissible(
    boxes: Sequence[Box], profiles: Sequence[Profile], settings: MergeSettings
) -> dict[tuple[int, int], float]:
    """The pairs (a < b) that reach their threshold, with their IoU."""
    least = min(settings.iou, settings.iou_other)
    edges = [(*box.edges, box.area) for box in boxes]
    found = {}
    for b, (left, top, right, bottom, area) in enumerate(edges):
        for a in range(b):
            # geometry.iou written out: this is the export's innermost loop
            left_a, top_a, right_a, bottom_a, area_a = edges[a]
            width = min(right, right_a) - max(left, left_a)
            height = min(bottom, bottom_a) - max(top, top_a)
            if width <= 0 or height <= 0:
                continue
            shared = width * height
            ratio = shared / (area + area_a - shared)
            if ratio < least or not profiles[a] or not profiles[b]:
                continue
            if ratio >= threshold(profiles[a], profiles[b], settings):
                found[a, b] = ratio
    return found


def _merged(group: Sequence[BoxRecord]) -> BoxRecord:
    if len(group) == 1:
        return group[0]
    return BoxRecord(
        box=median_box([record.box for record in group]),
        judgments=tuple(sorted({judgment for record in group for judgment in record.judgments})),
        merged_from=tuple(sorted(raw for record in group for raw in (record.merged_from or (record.box,)))),
    )


def _join_chains(chains: Sequence[ChainRecord]) -> tuple[tuple[ChainRecord, ...], dict[int, int]]:
    """The joined chains, by first mention, and old id -> new id of those that changed it."""
    by_boxes: dict[tuple[int, ...], list[ChainRecord]] = {}
    alone = []
    for chain in chains:
        if chain.boxes:
            by_boxes.setdefault(chain.boxes, []).append(chain)
        else:
            alone.append(chain)
    renamed: dict[int, int] = {}
    joined = []
    for group in by_boxes.values():
        chain = _joined(group) if len(group) > 1 else group[0]
        joined.append(chain)
        renamed.update({old.id: chain.id for old in group if old.id != chain.id})
    return tuple(sorted(alone + joined, key=lambda chain: (chain.mentions, chain.id))), renamed


def _joined(group: Sequence[ChainRecord]) -> ChainRecord:
    return ChainRecord(
        id=min(chain.id for chain in group),
        types=unite_types(chain.types for chain in group),
        mentions=tuple(sorted({mention for chain in group for mention in chain.mentions})),
        boxes=group[0].boxes,
        scene=any(chain.scene for chain in group),
        nobndbox=any(chain.nobndbox for chain in group),
        judgments=tuple(sorted({judgment for chain in group for judgment in chain.judgments})),
        finished=all(chain.finished for chain in group),
    )


def _rename(caption: CaptionRecord, renamed: dict[int, int]) -> CaptionRecord:
    """The caption with its mentions pointing to the joined chains."""
    if not caption.mentions or not any(mention.chain in renamed for mention in caption.mentions):
        return caption
    return replace(
        caption,
        mentions=tuple(
            replace(mention, chain=renamed.get(mention.chain, mention.chain)) if mention.chain else mention
            for mention in caption.mentions
        ),
    )
