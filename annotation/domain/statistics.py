"""The statistics of section 3.4 and table 1 of the paper, added up image by image.

The images are counted as an export writes them. Memory grows with the vocabulary only: its words, and the
phrases of nouns. Only mentions in a chain count as mentions. A mention, chain
or box with several types counts under each of them; a box has the types of the chains that point to it.
Words are compared in lower case.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from annotation.domain.geometry import encloses, iou
from annotation.domain.records import BoxRecord, ChainRecord, ImageRecord
from annotation.domain.types import TYPES

COMMONEST = 20
"""How many words of each kind are listed, as in the paper's figure 6."""
MAX_WORDS = 200_000
"""How many different words are kept.

Beyond that, words that occurred once are forgotten: they are not common.
"""


@dataclass(slots=True)
class ChainSums:
    """Sums over all chains, or over those of one type."""

    chains: int = 0
    chain_mentions: int = 0  # of these chains, whatever their own type
    chain_boxes: int = 0  # a box counts once for each chain that points to it
    without_box: int = 0  # chains
    with_one_box: int = 0
    with_several_boxes: int = 0


@dataclass(slots=True)
class TypeSums(ChainSums):
    """Sums over the chains of one type."""

    mentions: int = 0
    boxes: int = 0
    images: int = 0  # that mention it


@dataclass(slots=True)
class ModelSums:
    """Sums over the boxes that a model had a part in. `drawn` to `adjusted` are counted before merging."""

    model: str  # its name and version
    drawn: int = 0  # although its boxes were shown
    accepted: int = 0
    adjusted: int = 0
    judged: int = 0  # boxes that rest on its answers
    unjudged: int = 0  # of these, those that no worker judged


@dataclass(slots=True)
class Words:
    """How often words are used, and for how many boxes."""

    mentions: Counter[str] = field(default_factory=Counter)
    boxes: Counter[str] = field(default_factory=Counter)
    most: int = field(default_factory=lambda: MAX_WORDS)

    def commonest(self) -> list[tuple[str, int, int]]:
        """Return (word, mentions, boxes), the most frequent first, ties in alphabetical order."""
        ranked = sorted(self.mentions.items(), key=lambda item: (-item[1], item[0]))[:COMMONEST]
        return [(word, count, self.boxes[word]) for word, count in ranked]

    def shrink(self) -> None:
        """Forget words that occurred once, when there are too many words."""
        if len(self.mentions) > self.most:
            self.mentions = Counter({word: count for word, count in self.mentions.items() if count > 1})
            self.boxes = Counter({word: self.boxes[word] for word in self.mentions if self.boxes[word]})
            self.most = max(self.most, 2 * len(self.mentions))  # not again at every image


@dataclass(slots=True)
class Sums(ChainSums):
    """All sums of a data set. Shares and means are computed from them elsewhere."""

    images: int = 0
    captions: int = 0
    mentions: int = 0
    notvisual: int = 0  # chunks in no chain
    words: int = 0  # tokens of mentions
    categories: int = 0  # different phrases of mentions, of which only the nouns are kept (table 1)
    boxes: int = 0
    boxes_raw: int = 0  # before merging, and 0 if nothing is merged
    chains_raw: int = 0
    verified: int = 0  # chains that chain verification kept
    broken: int = 0  # and those that it broke up, which are no chains of the data set
    decided: int | None = None  # chains that rest on a researcher's decision; None: not counted then
    scene: int = 0  # chains with the flag
    nobndbox: int = 0
    with_several_mentions: int = 0  # chains
    images_with_several_boxes: int = 0  # images with such a chain
    enclosed: int = 0  # boxes that another box of the image encloses
    with_neighbour: int = 0  # boxes with another box in the image
    nearest: float = 0.0  # sum over these of the highest IoU with another
    types: dict[str, TypeSums] = field(default_factory=dict)
    nouns: list[tuple[str, int, int]] = field(default_factory=list)
    adjectives: list[tuple[str, int, int]] = field(default_factory=list)
    models: list[ModelSums] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the sums as plain values. `from_json` reads them back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the sums from what `to_json` gave, also in a version that had fewer or other sums."""
        known = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        known["types"] = {
            name: TypeSums(**{key: sums[key] for key in TypeSums.__dataclass_fields__ if key in sums})
            for name, sums in known.get("types", {}).items()
        }
        known["models"] = [
            ModelSums(**{key: one[key] for key in ModelSums.__dataclass_fields__ if key in one})
            for one in known.get("models", ())
        ]
        for words in ("nouns", "adjectives"):
            known[words] = [(word, mentions, boxes) for word, mentions, boxes in known.get(words, ())]
        return cls(**known)


class Statistics:
    """Adds up the sums of images.

    `is_adjective` and `is_noun` say whether a word in lower case, by itself, is an adjective or a noun.

    The last word of a mention is its noun, unless it is an adjective; any word of it may be an adjective.
    """

    def __init__(self, is_adjective: Callable[[str], bool], is_noun: Callable[[str], bool]) -> None:
        self._is_adjective, self._is_noun = is_adjective, is_noun
        self._categories: set[str] = set()
        self._sums = Sums(decided=0, types={name: TypeSums() for name in TYPES})
        self._nouns, self._adjectives = Words(), Words()

    def add(self, image: ImageRecord, raw: ImageRecord | None = None) -> None:
        """Add the next image, which was `raw` before merging.

        The time is quadratic in the number of its boxes.
        """
        sums = self._sums
        if raw is not None:
            sums.boxes_raw += len(raw.boxes)
            sums.chains_raw += len(raw.chains)
        sums.images += 1
        sums.captions += len(image.captions)
        sums.notvisual += sum(1 for c in image.captions for m in c.mentions or () if not m.chain)
        said: defaultdict[int, list[Sequence[str]]] = defaultdict(list)
        mentioned: set[str] = set()
        for caption in image.captions:
            for mention in caption.mentions or ():
                if mention.chain:
                    words = [token.lower() for token in caption.tokens[mention.start : mention.end]]
                    said[mention.chain].append(words)
                    sums.mentions += 1
                    sums.words += len(words)
                    if nouns := " ".join(filter(self._is_noun, words)):
                        self._categories.add(nouns)
                    mentioned.update(mention.types)
                    for name in mention.types:
                        self._of(name).mentions += 1
        for name in mentioned:
            self._of(name).images += 1
        for chain in image.chains:
            self._add_chain(chain)
        sums.images_with_several_boxes += any(len(chain.boxes) > 1 for chain in image.chains)
        self._add_boxes(image.boxes, image.chains)
        self._add_words(said, image.chains)

    def result(self) -> Sums:
        """Return the sums so far, with the commonest words."""
        self._sums.nouns, self._sums.adjectives = self._nouns.commonest(), self._adjectives.commonest()
        self._sums.categories = len(self._categories)
        return self._sums

    def _of(self, name: str) -> TypeSums:
        return self._sums.types.setdefault(name, TypeSums())

    def _add_chain(self, chain: ChainRecord) -> None:
        boxes, several = len(chain.boxes), len(chain.boxes) > 1
        self._sums.with_several_mentions += len(chain.mentions) > 1
        self._sums.decided = (self._sums.decided or 0) + bool(chain.decisions)
        self._sums.scene += chain.scene
        self._sums.nobndbox += chain.nobndbox
        both: list[ChainSums] = [self._sums, *(self._of(name) for name in chain.types)]
        for sums in both:
            sums.chains += 1
            sums.chain_mentions += len(chain.mentions)
            sums.chain_boxes += boxes
            sums.without_box += boxes == 0
            sums.with_one_box += boxes == 1
            sums.with_several_boxes += several

    def _add_boxes(self, boxes: Sequence[BoxRecord], chains: Iterable[ChainRecord]) -> None:
        sums = self._sums
        sums.boxes += len(boxes)
        types: dict[int, set[str]] = defaultdict(set)
        for chain in chains:
            for box in chain.boxes:
                types[box].update(chain.types)
        for names in types.values():
            for name in names:
                self._of(name).boxes += 1
        if len(boxes) < 2:
            return
        rectangles = [record.box for record in boxes]
        nearest, enclosed = [0.0] * len(boxes), [False] * len(boxes)
        for a, first in enumerate(rectangles):
            for b in range(a + 1, len(rectangles)):
                second = rectangles[b]
                shared = iou(first, second)
                if shared:
                    nearest[a], nearest[b] = max(nearest[a], shared), max(nearest[b], shared)
                    enclosed[a] = enclosed[a] or encloses(second, first)
                    enclosed[b] = enclosed[b] or encloses(first, second)
        sums.with_neighbour += len(boxes)
        sums.nearest += sum(nearest)
        sums.enclosed += sum(enclosed)

    def _add_words(self, said: Mapping[int, Iterable[Sequence[str]]], chains: Iterable[ChainRecord]) -> None:
        """Add words. A box counts once for a word, however many of its mentions and chains use the word."""
        boxes_of = {chain.id: chain.boxes for chain in chains}
        for kind, found in ((self._nouns, self._nouns_of), (self._adjectives, self._adjectives_of)):
            meant: defaultdict[str, set[int]] = defaultdict(set)
            for chain, mentions in said.items():
                for words in mentions:
                    for word in found(words):
                        kind.mentions[word] += 1
                        meant[word].update(boxes_of.get(chain, ()))
            for word, boxes in meant.items():
                kind.boxes[word] += len(boxes)
            kind.shrink()

    def _nouns_of(self, words: Sequence[str]) -> set[str]:
        return set() if self._is_adjective(words[-1]) else {words[-1]}

    def _adjectives_of(self, words: Sequence[str]) -> set[str]:
        return {word for word in words if self._is_adjective(word)}
