"""Caption templates that name the chain of every phrase, so that the truth is known.

    "[man] throws [ball:a ball] to [dog] in [-:the air] ."

`[key]` becomes one of the chain's names, and `[key:words]` exactly these words. The key `-` marks a phrase
that is not annotated. A name may have its own types after a bar: "a man 's hair|bodyparts/people". Words and
marks are separated by spaces, in Penn style as in Flickr30k.
"""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from annotation.domain.records import CaptionRecord, ImageRecord, MentionRecord
from annotation.domain.types import NOTVISUAL

_NO_CHAIN = 0
OPENINGS = (("Here", ","), ("Now", ","), ("Clearly", ","), ("Once", "again", ","), ("Right", "here", ","))
"""What a caption can begin with and mean the same. None of it is a phrase."""
_PHRASE = re.compile(r"\[([^\]:]+)(?::([^\]]+))?\]")


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that captions may name, and a chain then. Its boxes are the extents of its owners."""

    id: int
    types: tuple[str, ...]
    names: tuple[str, ...]
    owners: tuple[str, ...] = ()
    scene: bool = False

    @property
    def nobndbox(self) -> bool:
        return not self.owners and not self.scene


def write_caption(
    index: int, template: str, topics: Mapping[str, Topic], rng: random.Random
) -> CaptionRecord:
    """Return a caption made from a template.

    Raises ValueError when it names one chain twice (the protocol never asks about two mentions of one
    caption) or a chain that is not there.
    """
    tokens: list[str] = []
    mentions: list[MentionRecord] = []
    place = 0
    for found in _PHRASE.finditer(template):
        tokens += template[place : found.start()].split()
        place = found.end()
        key, words = found.group(1), found.group(2)
        if key != "-" and key not in topics:
            raise ValueError(f"{template!r} speaks of {key!r}, which is not in the scene")
        topic = topics.get(key)
        phrase, _, own_types = (words or rng.choice(topic.names if topic else ())).partition("|")
        types = tuple(own_types.split("/")) if own_types else topic.types if topic else (NOTVISUAL,)
        chain = topic.id if topic else _NO_CHAIN
        if topic and any(mention.chain == chain for mention in mentions):
            raise ValueError(f"{template!r} names {key!r} twice")
        start = len(tokens)
        tokens += phrase.split()
        mentions.append(MentionRecord(start, len(tokens), types, chain))
    tokens += template[place:].split()
    tokens[0] = tokens[0][0].upper() + tokens[0][1:]
    return CaptionRecord(index, " ".join(tokens), tuple(tokens), tuple(mentions))


def reword(record: ImageRecord) -> ImageRecord:
    """Return the image with as many more captions, which say the same after each of `OPENINGS`.

    So there are enough of them that two simulated writers seldom write the same.
    """
    captions, number = list(record.captions), len(record.captions)
    for turn, opening in enumerate(OPENINGS, start=1):
        captions += [_opened(one, opening, one.index + turn * number) for one in record.captions]
    moved = [(turn * number, len(opening)) for turn, opening in enumerate(((), *OPENINGS))]
    chains = tuple(
        replace(
            chain,
            mentions=tuple(
                (index + more, start + words, end + words)
                for more, words in moved
                for index, start, end in chain.mentions
            ),
        )
        for chain in record.chains
    )
    return replace(record, captions=tuple(captions), chains=chains)


def _opened(caption: CaptionRecord, opening: tuple[str, ...], index: int) -> CaptionRecord:
    first = caption.tokens[0]
    tokens = (*opening, first[0].lower() + first[1:], *caption.tokens[1:])
    mentions = tuple(
        replace(one, start=one.start + len(opening), end=one.end + len(opening))
        for one in caption.mentions or ()
    )
    return CaptionRecord(index, " ".join(tokens), tokens, mentions)


def article(words: str) -> str:
    """Return the words with "a" or "an" before them."""
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
