"""Merging of boxes and chains that mean the same (docs/protocol.md, "Merging, at export"; section 3.3.2).

The order in which boxes or chains come does not matter: every tie is broken by content (coordinates, then
the chain that points to a box), never by an index. The given record is never changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median

from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord
from annotation.domain.types import TYPES, in_order
from evaluation.dataset import is_type

_NEVER = (
    frozenset({"clothing", "people"}),
    frozenset({"bodyparts", "people"}),
    frozenset({"bodyparts", "clothing"}),
)


@dataclass(frozen=True)
class MergeSettings:
    """The IoU that two boxes must reach, the same for the type `other`, and the types that are kept apart."""

    iou: float = 0.8
    iou_other: float = 0.9
    never: tuple[frozenset[str], ...] = _NEVER

    def __post_init__(self) -> None:
        for name in ("iou", "iou_other"):
            if not 0 < getattr(self, name) <= 1:
                raise ValueError(f"{name} must be above 0 and at most 1, not {getattr(self, name)}")


def said_pairs(pairs: Iterable[frozenset[str]]) -> str:
    """Return pairs of types as people write them: `clothing/people bodyparts/people`."""
    return " ".join("/".join(sorted(pair)) for pair in pairs)


def read_pairs(text: str, types: Collection[str] = ()) -> tuple[frozenset[str], ...]:
    """Return the pairs of types that a text names, as `said_pairs` writes them; none if it is empty.

    `types` are those of the project; without them, any name that a type can have is taken.

    Raises ValueError for what is no pair of two different types.
    """
    pairs = []
    for said in text.replace(",", " ").split():
        names = said.split("/")
        if unknown := next((name for name in names if not (name in types if types else is_type(name))), None):
            raise ValueError(
                f"{unknown[:40]!r} in {said[:80]!r} is no type; the types are {', '.join(types or TYPES)}"
            )
        if len(names) != 2 or len(set(names)) != 2:
            raise ValueError(f"{said[:80]!r} is no pair of two types: write them like clothing/people")
        pairs.append(frozenset(names))
    return tuple(dict.fromkeys(pairs))


_EXACT = MergeSettings(iou=1.0, iou_other=1.0)


@dataclass
class MergeCounts:
    """How many boxes and chains there were, how many are left, and which of these contradict themselves."""

    boxes_raw: int = 0
    boxes: int = 0
    chains_raw: int = 0
    chains: int = 0
    chains_two_of_a_caption: int = 0  # with two mentions of one caption, which cannot be coreferent
    chains_of_equal_boxes: int = 0  # with exactly the boxes of an earlier chain of the image

    def add(self, raw: ImageRecord, merged: ImageRecord) -> None:
        """Count one image before and after."""
        self.boxes_raw += len(raw.boxes)
        self.boxes += len(merged.boxes)
        self.chains_raw += len(raw.chains)
        self.chains += len(merged.chains)
        self.chains_two_of_a_caption += sum(map(two_of_a_caption, merged.chains))
        boxed = [chain.boxes for chain in merged.chains if chain.boxes]
        self.chains_of_equal_boxes += len(boxed) - len(set(boxed))


def two_of_a_caption(chain: ChainRecord) -> bool:
    """Return whether two mentions are of one caption, which cannot be coreferent (section 3.1.1)."""
    return len({caption for caption, _, _ in chain.mentions}) < len(chain.mentions)


def unite_types(groups: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Return every type once, as `in_order`."""
    return in_order(name for group in groups for name in group)


def merge(record: ImageRecord, settings: MergeSettings = MergeSettings()) -> ImageRecord:
    """Merge the boxes of an image, then join chains that point to exactly the same non-empty set of boxes.

    Chains that both have a mention of one caption stay two chains with the same boxes [ours]: two mentions of
    one caption are not coreferent (section 3.1.1). The merged boxes are put in order as by `arrange` before
    the chains are joined. A joined chain keeps the smallest id.
    """
    arranged = _gather(record, settings)
    if len({box.box.edges for box in arranged.boxes}) < len(arranged.boxes):
        arranged = _gather(arranged, replace(_EXACT, never=settings.never))
    chains, renamed = _join_chains(arranged.chains)
    captions = tuple(_rename(caption, renamed) for caption in record.captions) if renamed else record.captions
    return replace(arranged, captions=captions, chains=chains)


def arrange(record: ImageRecord) -> ImageRecord:
    """Return the same annotation in its canonical form, without merging.

    Boxes are sorted by coordinates, and chains by their first mention. Boxes that are equal to the pixel
    become one box, to which all their chains point, unless the types of these chains are kept apart. So it
    does not matter whether two chains came with one box together or with one box each.
    """
    return _gather(record, _EXACT)


@lru_cache(maxsize=4096)
def threshold(a: frozenset[str], b: frozenset[str], settings: MergeSettings) -> float:
    """Return the IoU at which boxes of chains with the types `a` and `b` merge.

    It is above 1 when they never do.

    When a chain has several types, the strictest rule wins. Two chains are kept apart when one has a type
    that must not meet a type of the other, unless both have both types. For example, *a man 's arm* and *his
    arm* are both `bodyparts/people` and may share a box; neither may share one with *a man* or *an arm*.
    """
    for pair in settings.never:
        if pair & a and pair & b and pair <= a | b and not pair <= a & b:
            return 2.0
    return max(settings.iou, settings.iou_other) if "other" in a | b else settings.iou


def median_box(boxes: Sequence[Box]) -> Box:
    """Return the coordinate-wise median.

    Halves (of an even number of boxes) go outwards, so it is never empty.
    """
    left, top, right, bottom = (sorted(values) for values in zip(*(box.edges for box in boxes), strict=True))
    return Box(int(median(left)), int(median(top)), -int(-median(right) // 1), -int(-median(bottom) // 1))


@dataclass(frozen=True, slots=True)
class _Use:
    """A box as one chain uses it. Uses are what is merged; a box of several chains has as many uses."""

    edges: tuple[int, int, int, int]
    chain: int  # its place in the canonical order of the chains; -1 for a box no chain points to
    box: int  # index into the record's boxes
    types: frozenset[str]


def _gather(record: ImageRecord, settings: MergeSettings) -> ImageRecord:
    """Return the record with boxes that reach their threshold joined, and chains that point to the result."""
    chains = sorted(record.chains, key=lambda chain: _chain_key(chain, record.boxes))
    uses = _uses(record.boxes, chains)
    groups = _clusters(uses, settings)
    merged = sorted(
        (
            (_merged([record.boxes[index] for index in sorted({use.box for use in group})]), group)
            for group in groups
        ),
        key=lambda pair: (pair[0].box.edges, pair[1][0].chain, pair[1][0].edges, pair[0].judgments),
    )
    boxes_of: list[set[int]] = [set() for _ in chains]
    for index, (_, group) in enumerate(merged):
        for use in group:
            if use.chain >= 0:
                boxes_of[use.chain].add(index)
    return replace(
        record,
        chains=tuple(
            _with_boxes(chain, tuple(sorted(boxes))) for chain, boxes in zip(chains, boxes_of, strict=True)
        ),
        boxes=tuple(box for box, _ in merged),
    )


def _with_boxes(chain: ChainRecord, boxes: tuple[int, ...]) -> ChainRecord:
    return chain if chain.boxes == boxes else replace(chain, boxes=boxes)


def _chain_key(chain: ChainRecord, boxes: Sequence[BoxRecord]) -> tuple[object, ...]:
    return chain.mentions, chain.id, chain.types, sorted(boxes[index].box.edges for index in chain.boxes)


def _uses(boxes: Sequence[BoxRecord], chains: Sequence[ChainRecord]) -> list[_Use]:
    """Return all uses in their canonical order."""
    uses = []
    unused = set(range(len(boxes)))
    for place, chain in enumerate(chains):
        types = frozenset(chain.types)
        uses += [_Use(boxes[index].box.edges, place, index, types) for index in chain.boxes]
        unused.difference_update(chain.boxes)
    uses += [_Use(boxes[index].box.edges, -1, index, frozenset()) for index in unused]
    uses.sort(key=lambda use: (use.edges, use.chain, boxes[use.box].judgments, boxes[use.box].merged_from))
    return uses


def _clusters(uses: Sequence[_Use], settings: MergeSettings) -> list[list[_Use]]:
    """Group the uses by complete linkage: the best IoU first, equal IoU in the canonical order of the uses.

    One pass is enough: two groups that may not join now never may, since groups only grow.
    """
    admissible = _admissible(uses, settings)
    group_of = {place: [place] for place in range(len(uses))}
    for _, a, b in sorted((-overlap, a, b) for (a, b), overlap in admissible.items()):
        first, second = group_of[a], group_of[b]
        if first is second:
            continue
        if all((min(x, y), max(x, y)) in admissible for x in first for y in second):
            joined = sorted(first + second)
            group_of.update(dict.fromkeys(joined, joined))
    return [[uses[place] for place in group] for place, group in group_of.items() if group[0] == place]


def _admissible(uses: Sequence[_Use], settings: MergeSettings) -> dict[tuple[int, int], float]:
    """Return the IoU of each pair of uses (a < b) that reaches its threshold."""
    least = min(settings.iou, settings.iou_other)
    found = {}
    for b, second in enumerate(uses):
        left, top, right, bottom = second.edges
        area = (right - left) * (bottom - top)
        for a in range(b):
            # geometry.iou written out: this is the export's innermost loop
            left_a, top_a, right_a, bottom_a = uses[a].edges
            width = min(right, right_a) - max(left, left_a)
            height = min(bottom, bottom_a) - max(top, top_a)
            if width <= 0 or height <= 0:
                continue
            shared = width * height
            ratio = shared / (area + (right_a - left_a) * (bottom_a - top_a) - shared)
            if ratio < least or second.chain < 0 or uses[a].chain < 0:
                continue
            if ratio >= threshold(uses[a].types, second.types, settings):
                found[a, b] = ratio
    return found


def _merged(group: Sequence[BoxRecord]) -> BoxRecord:
    if len(group) == 1:
        return group[0]
    return BoxRecord(
        box=median_box([record.box for record in group]),
        judgments=tuple(sorted({judgment for record in group for judgment in record.judgments})),
        decisions=tuple(sorted({decision for record in group for decision in record.decisions})),
        models=tuple(sorted({model for record in group for model in record.models})),
        merged_from=tuple(sorted(raw for record in group for raw in (record.merged_from or (record.box,)))),
        origins=tuple(
            sorted(
                (one for record in group for one in record.origins),
                key=lambda one: (one.judgment or 0, one.decision or 0),
            )
        ),
    )


def _join_chains(chains: Sequence[ChainRecord]) -> tuple[tuple[ChainRecord, ...], dict[int, int]]:
    """Return the joined chains by first mention, and the new ids of chains that changed theirs."""
    by_boxes: dict[tuple[int, ...], list[ChainRecord]] = {}
    alone = []
    for chain in chains:
        if chain.boxes:
            by_boxes.setdefault(chain.boxes, []).append(chain)
        else:
            alone.append(chain)
    renamed: dict[int, int] = {}
    joined = []
    for group in [group for same in by_boxes.values() for group in _of_different_captions(same)]:
        chain = _joined(group) if len(group) > 1 else group[0]
        joined.append(chain)
        renamed.update({old.id: chain.id for old in group if old.id != chain.id})
    return tuple(sorted(alone + joined, key=lambda chain: (chain.mentions, chain.id))), renamed


def _of_different_captions(chains: Iterable[ChainRecord]) -> list[list[ChainRecord]]:
    """Group the chains so that none has a mention of a caption of another: each joins the first it can."""
    groups: list[tuple[set[int], list[ChainRecord]]] = []
    for chain in chains:
        captions = {caption for caption, _, _ in chain.mentions}
        for taken, group in groups:
            if taken.isdisjoint(captions):
                taken |= captions
                group.append(chain)
                break
        else:
            groups.append((captions, [chain]))
    return [group for _, group in groups]


def _joined(group: Sequence[ChainRecord]) -> ChainRecord:
    return ChainRecord(
        id=min(chain.id for chain in group),
        types=unite_types(chain.types for chain in group),
        mentions=tuple(sorted({mention for chain in group for mention in chain.mentions})),
        boxes=group[0].boxes,
        scene=any(chain.scene for chain in group),
        nobndbox=any(chain.nobndbox for chain in group),
        judgments=tuple(sorted({judgment for chain in group for judgment in chain.judgments})),
        decisions=tuple(sorted({decision for chain in group for decision in chain.decisions})),
        finished=all(chain.finished for chain in group),
        imported=tuple(sorted({number for chain in group for number in chain.imported})),
        models=tuple(sorted({model for chain in group for model in chain.models})),
    )


def _rename(caption: CaptionRecord, renamed: dict[int, int]) -> CaptionRecord:
    """Return the caption with its mentions pointing to the joined chains."""
    if not caption.mentions or not any(mention.chain in renamed for mention in caption.mentions):
        return caption
    return replace(
        caption,
        mentions=tuple(
            replace(mention, chain=renamed.get(mention.chain, mention.chain)) if mention.chain else mention
            for mention in caption.mentions
        ),
    )
