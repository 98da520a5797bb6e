"""The content of researchers' decisions about an image, as `Decision.content` stores it.

A decision says what holds from then on, not what changes. So it can be replayed like a judgment, whatever
becomes of the judgments before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.domain.field_errors import NamedFieldError
from annotation.domain.geometry import Box
from workflows.pipeline.replay.domain.contexts import Source

MAX_BOXES = 200
"""The most boxes of a chain."""
MAX_CHAINS = 500
"""The most chains of an image."""
FLAGS = ("scene", "nobndbox")


class DecisionError(NamedFieldError):
    """A decision is not valid. `field` names the part that is wrong."""


@dataclass(frozen=True, slots=True)
class DecidedBox:
    """A box of a decision: an earlier box, known by its source, or a new one of the decision (None)."""

    box: Box
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class ChainDecision:
    """From here on the chain has exactly these accepted boxes and this flag, and goes on from `state`."""

    state: str
    flag: str = ""
    boxes: tuple[DecidedBox, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the stored form. `parse_chain` reads it back."""
        return {"state": self.state, "flag": self.flag, "boxes": [_box_to_json(box) for box in self.boxes]}


@dataclass(frozen=True, slots=True)
class Group:
    """One chain of a regrouped image. If `kept` names its generation, it goes on as it was.

    It then goes on as its `ruling` says, if there is one. A chain that is not kept begins anew, in `state`
    with these boxes. If `state` is empty, it begins where the protocol opens a verified chain.
    """

    members: tuple[int, ...]  # mention ids in reading order
    kept: int | None = None
    state: str = ""
    flag: str = ""
    boxes: tuple[DecidedBox, ...] = ()
    ruling: ChainDecision | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk of a caption: its tokens from `start` up to but without `end`. A mention is `visual`.

    Without `types`, it keeps those it had, or those the dictionaries say.
    """

    start: int
    end: int
    visual: bool = True
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """All the chunks of a caption (named by its index in the image), as they are from here on."""

    caption: int
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class NewGroup:
    """A chain as a researcher names it: its mentions as (caption index, start, end), in any order.

    An existing chain that has exactly these mentions goes on: as it was if nothing else is given, otherwise
    with these boxes, in this state. Others begin anew: see `Group`.
    """

    mentions: tuple[tuple[int, int, int], ...]
    state: str = ""
    flag: str = ""
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Regrouping:
    """The chains of an image from here on, and the chunks of the captions that were chunked anew for them."""

    groups: tuple[Group, ...]
    cuts: tuple[Cut, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the stored form. `parse_regrouping` reads it back."""
        return {
            "chains": [
                {
                    "members": list(group.members),
                    "kept": group.kept,
                    **({"ruling": group.ruling.to_json()} if group.ruling is not None else {}),
                }
                if group.kept is not None
                else {
                    "members": list(group.members),
                    "state": group.state,
                    "flag": group.flag,
                    "boxes": [_group_box_to_json(box) for box in group.boxes],
                }
                for group in self.groups
            ],
            "cuts": [
                {"caption": cut.caption, "chunks": [_chunk_to_json(chunk) for chunk in cut.chunks]}
                for cut in self.cuts
            ],
        }


def _chunk_to_json(chunk: Chunk) -> list[Any]:
    types = [list(chunk.types)] if chunk.types else []
    return [chunk.start, chunk.end, chunk.visual, *types]


def parse_chain(data: Mapping[str, Any]) -> ChainDecision:
    """Read what was stored. Raises ValueError or LookupError if the data has another form."""
    boxes = tuple(_parse_box(box) for box in data["boxes"])
    return ChainDecision(str(data["state"]), str(data["flag"]), boxes)


def parse_regrouping(data: Mapping[str, Any]) -> Regrouping:
    """Read what was stored. Raises ValueError or LookupError if the data has another form."""
    groups = []
    for chain in data["chains"]:
        boxes = tuple(_parse_group_box(box) for box in chain.get("boxes", ()))
        state, flag = str(chain.get("state", "")), str(chain.get("flag", ""))
        ruling = parse_chain(chain["ruling"]) if "ruling" in chain else None
        groups.append(Group(tuple(chain["members"]), chain.get("kept"), state, flag, boxes, ruling))
    cuts = (
        Cut(cut["caption"], tuple(_parse_chunk(*chunk) for chunk in cut["chunks"])) for cut in data["cuts"]
    )
    return Regrouping(tuple(groups), tuple(cuts))


def _parse_chunk(start: int, end: int, visual: bool, types: Sequence[str] = ()) -> Chunk:
    return Chunk(start, end, visual, tuple(types))


def _box_to_json(decided: DecidedBox) -> dict[str, Any]:
    if decided.source is None:
        return {"box": list(decided.box.edges)}
    judgment, decision, ordinal = decided.source
    by = {"judgment": judgment} if judgment is not None else {"decision": decision}
    return {"box": list(decided.box.edges), **by, "ordinal": ordinal}


def _group_box_to_json(decided: DecidedBox) -> dict[str, Any] | list[int]:
    """Return the stored form of a box of a regrouping: edges alone for one whose source is the decision."""
    return list(decided.box.edges) if decided.source is None else _box_to_json(decided)


def _parse_group_box(data: Mapping[str, Any] | Sequence[int]) -> DecidedBox:
    return _parse_box(data) if isinstance(data, Mapping) else DecidedBox(Box(*data))


def _parse_box(data: Mapping[str, Any]) -> DecidedBox:
    box = Box(*data["box"])
    if "ordinal" not in data:
        return DecidedBox(box)
    return DecidedBox(box, Source(data.get("judgment"), data.get("decision"), data["ordinal"]))


def check_boxes(
    boxes: Sequence[Box], field: str, *, size: tuple[int | None, int | None], minimum_side: int
) -> None:
    """Raise DecisionError if a box does not fit the image. `size` is its width and height in pixels."""
    if len(boxes) > MAX_BOXES:
        raise DecisionError(field, f"has {len(boxes)} boxes; a chain has at most {MAX_BOXES}")
    if len(set(boxes)) < len(boxes):
        raise DecisionError(field, "has the same box twice; take one of them away")
    width, height = size
    for place, box in enumerate(boxes):
        where = f"{field}[{place}]"
        if (width and box.right > width) or (height and box.bottom > height):
            raise DecisionError(where, f"reaches beyond the image of {width} x {height} pixels")
        if box.width < minimum_side or box.height < minimum_side:
            raise DecisionError(where, f"is smaller than {minimum_side} pixels a side")
