"""Captions with the characters of their phrases, and boxes: what formats for training have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.domain.geometry import Box, iou
from annotation.domain.merge import unite_types
from annotation.domain.records import CaptionRecord, ImageRecord
from annotation.domain.tokens import align
from annotation.formats.base import token_list
from evaluation.readers.records import SPLITS

UNSPLIT = "unsplit"
"""What files call the split of images that have none."""
ALL_SPLITS = (*SPLITS, UNSPLIT)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A mention in a chain. `start` and `end` count characters of its caption, half open."""

    text: str
    start: int
    end: int
    tokens: tuple[str, ...]
    types: tuple[str, ...]
    chain: int
    boxes: tuple[Box, ...]  # of its chain, in the order of the image's boxes

    @property
    def span(self) -> tuple[int, int]:
        """Return (start, end)."""
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class Said:
    """A caption on one line: as it was imported, but with single spaces and none at the ends."""

    text: str
    phrases: tuple[Phrase, ...]  # in reading order


@dataclass(frozen=True, slots=True)
class Drawn:
    """A box that chains point to."""

    box: Box
    types: tuple[str, ...]  # of all its chains, at least one
    chains: tuple[int, ...]


def said(record: ImageRecord) -> list[Said]:
    """Return the captions of an image by their index. Raise ValueError if one was never tokenised."""
    boxes_of = {chain.id: tuple(record.boxes[index].box for index in chain.boxes) for chain in record.chains}
    captions = sorted(record.captions, key=lambda caption: caption.index)
    return [_said(caption, boxes_of) for caption in captions]


def _said(caption: CaptionRecord, boxes_of: dict[int, tuple[Box, ...]]) -> Said:
    tokens = token_list(caption)
    text = on_one_line(caption.text)
    places = align(text, tokens)
    phrases = []
    for mention in caption.mentions or ():
        if mention.chain:
            start, end = places[mention.start][0], places[mention.end - 1][1]
            words = tokens[mention.start : mention.end]
            boxes = boxes_of.get(mention.chain, ())
            phrases.append(Phrase(text[start:end], start, end, words, mention.types, mention.chain, boxes))
    return Said(text, tuple(phrases))


def row_of(record: ImageRecord) -> dict[str, Any]:
    """Return an image with its captions, phrases and chains, as tables and samples for training have it."""
    captions = [
        {
            "text": caption.text,
            "phrases": [
                {
                    "text": phrase.text,
                    "start": phrase.start,
                    "end": phrase.end,
                    "types": phrase.types,
                    "chain": phrase.chain,
                }
                for phrase in caption.phrases
            ],
        }
        for caption in said(record)
    ]
    chains = [
        {
            "id": chain.id,
            "types": chain.types,
            "scene": chain.scene,
            "nobndbox": chain.nobndbox,
            "boxes": [record.boxes[index].box.edges for index in chain.boxes],
        }
        for chain in record.chains
    ]
    return {
        "file_name": record.name,
        "width": record.width,
        "height": record.height,
        "captions": captions,
        "chains": chains,
    }


def on_one_line(text: str) -> str:
    """Return a text with single spaces in place of all white space, and none at its ends."""
    return " ".join(text.split())


def drawn(record: ImageRecord) -> dict[int, Drawn]:
    """Return the boxes that chains point to, by their index in the image."""
    pointing: dict[int, list[int]] = {}
    for place, chain in enumerate(record.chains):
        for index in chain.boxes:
            pointing.setdefault(index, []).append(place)
    found = {}
    for index in sorted(pointing):
        chains = [record.chains[place] for place in pointing[index]]
        types = unite_types(chain.types for chain in chains) or ("other",)
        found[index] = Drawn(record.boxes[index].box, types, tuple(sorted(chain.id for chain in chains)))
    return found


def size_of(record: ImageRecord) -> tuple[int, int]:
    """Return (width, height), or (0, 0) for an image without boxes whose size is unknown.

    Raise ValueError if it has boxes: loaders divide by the size, or drop boxes that seem to be outside.
    """
    if record.width and record.height:
        return record.width, record.height
    if record.boxes:
        raise ValueError(
            f"the size of {record.name} is unknown, and this format needs it; import its photograph, "
            "or choose another format"
        )
    return 0, 0


def split_of(record: ImageRecord) -> str:
    """Return what files call the split of an image."""
    return record.split if record.split in SPLITS else UNSPLIT


def enclosing(boxes: Sequence[Box]) -> Box:
    """Return the smallest box around all of these, at least one."""
    lefts, tops, rights, bottoms = zip(*(box.edges for box in boxes), strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def alike(boxes: Sequence[Box], least: float) -> list[list[int]]:
    """Return groups of places of boxes with an IoU of at least `least`, directly or through others.

    Each group is in order, and so are the groups by their first place.
    """
    group_of: list[list[int]] = []
    for place, box in enumerate(boxes):
        group = [place]
        for other in range(place):
            if group_of[other] is not group and iou(box, boxes[other]) >= least:
                joined = sorted({*group, *group_of[other]})
                group[:] = joined
                for member in joined[:-1]:
                    group_of[member] = group
        group_of.append(group)
    return [group for place, group in enumerate(group_of) if group[0] == place]
