"""A data set in a few bytes an image, to tell later what has changed: about 4 MB at the size of Flickr30k.

Chains are known again by their mentions, boxes by their edges; chain numbers do not count, as they run over
the whole data set.
"""

from __future__ import annotations

import hashlib
import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from annotation.domain.records import ImageRecord

_HEAD = struct.Struct(">8s8sII")  # of the name, of everything, how many chains, how many boxes
_CHAIN = struct.Struct(">4s4s")  # of its mentions, of the rest
_BOX = 4  # bytes
MOST_NAMES = 50
_MAGIC = b"groundcrew digests 1\n"


@dataclass(slots=True)
class Image:
    """What is kept of an image."""

    content: bytes
    chains: dict[bytes, bytes]
    boxes: Counter[bytes]


@dataclass(slots=True)
class Digests:
    """Of a data set, by the hash of an image's name; `names` only of one that was just made."""

    images: dict[bytes, Image] = field(default_factory=dict)
    names: dict[bytes, str] = field(default_factory=dict)

    def add(self, record: ImageRecord) -> None:
        """The next image."""
        boxes = [_hash(_BOX, box.box.edges) for box in record.boxes]
        chains = {
            _hash(4, chain.mentions): _hash(
                4, chain.types, chain.scene, chain.nobndbox, sorted(boxes[index] for index in chain.boxes)
            )
            for chain in record.chains
        }
        said = [
            (one.index, one.text, one.tokens, [(m.start, m.end, m.types) for m in one.mentions or ()])
            for one in record.captions
        ]
        size = (record.width, record.height, record.split)
        content = _hash(8, size, said, sorted(chains.items()), sorted(boxes))
        key = _hash(8, record.name)
        self.images[key] = Image(content, chains, Counter(boxes))
        self.names[key] = record.name

    def pack(self) -> Iterator[bytes]:
        """The bytes of a file."""
        yield _MAGIC
        for key in sorted(self.images):
            image = self.images[key]
            yield _HEAD.pack(key, image.content, len(image.chains), image.boxes.total())
            yield b"".join(_CHAIN.pack(*chain) for chain in sorted(image.chains.items()))
            yield b"".join(sorted(image.boxes.elements()))

    @classmethod
    def unpack(cls, data: bytes) -> Digests:
        """What `pack` made. Raises ValueError for anything else."""
        if not data.startswith(_MAGIC):
            raise ValueError("these are no digests of this version")
        found, place = cls(), len(_MAGIC)
        try:
            while place < len(data):
                key, content, chains, boxes = _HEAD.unpack_from(data, place)
                place += _HEAD.size
                end = place + _CHAIN.size * chains
                kept = dict(_CHAIN.iter_unpack(data[place:end]))
                place = end + _BOX * boxes
                if place > len(data) or len(kept) != chains:
                    raise ValueError("the digests end too early")
                drawn = Counter(data[at : at + _BOX] for at in range(end, place, _BOX))
                found.images[key] = Image(content, kept, drawn)
        except struct.error as error:
            raise ValueError("the digests end too early") from error
        return found


def compare_digests(before: Digests, after: Digests) -> dict[str, dict[str, int] | list[str]]:
    """How many images, chains and boxes were added, removed or changed, and the names of the first images.

    A chain is changed when its mentions are the same and its boxes, types or flags are not. A box has nothing
    but its edges: one that moved is one removed and one added.
    """
    counts = {name: {"added": 0, "removed": 0, "changed": 0} for name in ("images", "chains", "boxes")}
    names: list[str] = []
    nothing = Image(b"", {}, Counter())
    for key in before.images.keys() | after.images.keys():
        old, new = before.images.get(key), after.images.get(key)
        if old is not None and new is not None and old.content == new.content:
            continue
        kind = "added" if old is None else "removed" if new is None else "changed"
        counts["images"][kind] += 1
        if key in after.names:
            names.append(after.names[key])
        old, new = old or nothing, new or nothing
        both = old.chains.keys() & new.chains.keys()
        counts["chains"]["added"] += len(new.chains) - len(both)
        counts["chains"]["removed"] += len(old.chains) - len(both)
        counts["chains"]["changed"] += sum(old.chains[chain] != new.chains[chain] for chain in both)
        counts["boxes"]["added"] += (new.boxes - old.boxes).total()
        counts["boxes"]["removed"] += (old.boxes - new.boxes).total()
    return {**counts, "names": sorted(names)[:MOST_NAMES]}


def _hash(size: int, *parts: object) -> bytes:
    """Of anything whose `repr` says all of it: numbers, text, bytes, lists and tuples of them."""
    return hashlib.blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=size).digest()
