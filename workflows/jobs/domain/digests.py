"""Digests of a data set: a few bytes for each image, which tell later what has changed.

Chains are matched by their mentions and boxes by their edges. Chain numbers do not count, because they run
over the whole data set. For Flickr30k the digests take about 4 MB.
"""

from __future__ import annotations

import hashlib
import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from annotation.domain.records import ImageRecord

_HEAD = struct.Struct(">8s8sII")  # hashes of the name and of everything; the numbers of chains and boxes
_CHAIN = struct.Struct(">4s4s")  # hashes of its mentions and of the rest
_BOX = 4  # bytes
MAX_NAMES = 50
_MAGIC = b"groundcrew digests 1\n"


@dataclass(slots=True)
class Image:
    """The digest of one image: hashes of everything, of each chain (mentions -> the rest) and of each box."""

    content: bytes
    chains: dict[bytes, bytes]
    boxes: Counter[bytes]


@dataclass(slots=True)
class Digests:
    """The digests of a data set, by the hash of the image's name. `names` is empty after `unpack`."""

    images: dict[bytes, Image] = field(default_factory=dict)
    names: dict[bytes, str] = field(default_factory=dict)

    def add(self, record: ImageRecord) -> None:
        """Add the digest of one more image."""
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
        """Yield the bytes of a file with these digests."""
        yield _MAGIC
        for key in sorted(self.images):
            image = self.images[key]
            yield _HEAD.pack(key, image.content, len(image.chains), image.boxes.total())
            yield b"".join(_CHAIN.pack(*chain) for chain in sorted(image.chains.items()))
            yield b"".join(sorted(image.boxes.elements()))

    @classmethod
    def unpack(cls, data: bytes) -> Digests:
        """Read what `pack` made. Raises ValueError for anything else."""
        if not data.startswith(_MAGIC):
            raise ValueError("these are not digests of this version")
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
    """Return how many images, chains and boxes were added, removed or changed, and the first images' names.

    A chain has changed if its mentions are the same and its boxes, types or flags are not. A box is nothing
    but its edges: a box that moved counts as one removed and one added.
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
    return {**counts, "names": sorted(names)[:MAX_NAMES]}


def _hash(size: int, *parts: object) -> bytes:
    """Return the hash of values whose `repr` is complete: numbers, texts, bytes, and lists or tuples."""
    return hashlib.blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=size).digest()
