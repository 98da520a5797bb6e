"""What one researcher says about a whole image: phrases, types, chains, boxes and flags.

`parse_annotation` reads it from JSON. Its errors name the part that is wrong, as in `captions[1].phrases[0]`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

from annotation.domain.answers import MAX_COORDINATE
from annotation.domain.chain_states import DONE, NONVISUAL
from annotation.domain.geometry import Box
from annotation.domain.types import in_order
from workflows.pipeline.replay.domain.decisions import (
    FLAGS,
    MAX_BOXES,
    MAX_CHAINS,
    Chunk,
    Cut,
    DecisionError,
    NewGroup,
)

MAX_NOTE_LENGTH = 2000
MAX_NAME_LENGTH = 8
"""The most characters of a chain's name, which is a letter or a few."""
MAX_KEY_LENGTH = 64


class Purpose(StrEnum):
    """What an annotation is for."""

    FINAL = "final"  # everything about the image is settled, and nobody is asked any more
    GOLD = "gold"  # the same, and verification questions are made from it
    CORRECTION = "correction"  # only what the researcher changed; what is left open is asked on


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a caption, from token `start` up to but without `end`. It is not visual without a chain."""

    start: int
    end: int
    types: tuple[str, ...]
    chain: str = ""


@dataclass(frozen=True, slots=True)
class AnnotatedChain:
    """A chain's boxes, or the flag that says why it has none. A correction may leave both open."""

    name: str
    boxes: tuple[Box, ...] = ()
    flag: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """The set of suggestions that was shown. `taken` are boxes, each with the suggestion that it is from.

    A suggestion is named by its place among those of the image, from 0.
    """

    set: int
    taken: tuple[tuple[Box, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Annotation:
    """Everything that a researcher says about an image: the phrases of each of its captions, and its chains.

    `indexes` are those of the captions. One is missing if a caption was withdrawn.

    `key` is the client's name for this annotation: sent again, it is the same one. `version` is the state of
    the image that the researcher saw.
    """

    purpose: Purpose
    key: str
    version: str
    indexes: tuple[int, ...]
    captions: tuple[tuple[Phrase, ...], ...]
    chains: tuple[AnnotatedChain, ...]
    note: str = ""
    seen: Seen | None = None  # None: no boxes of a model were shown

    def cuts(self) -> list[Cut]:
        """Return how the captions are cut into phrases."""
        return [
            Cut(index, tuple(Chunk(one.start, one.end, bool(one.chain), one.types) for one in phrases))
            for index, phrases in zip(self.indexes, self.captions, strict=True)
        ]

    def groups(self, standing: Mapping[tuple[tuple[int, int, int], ...], Standing]) -> list[NewGroup]:
        """Return the chains as a decision takes them. `standing` are the image's chains, by their spans.

        A correction names a chain that has not changed by its mentions alone, so that it goes on as it was.
        """
        spans: dict[str, list[tuple[int, int, int]]] = {}
        for index, phrases in zip(self.indexes, self.captions, strict=True):
            for phrase in phrases:
                if phrase.chain:
                    spans.setdefault(phrase.chain, []).append((index, phrase.start, phrase.end))
        groups = []
        for chain in self.chains:
            mentions = tuple(sorted(spans[chain.name]))
            there = standing.get(mentions)
            same = there == Standing(frozenset(chain.boxes), chain.flag)
            if self.purpose == Purpose.CORRECTION and (same or not (chain.boxes or chain.flag)):
                groups.append(NewGroup(mentions))
            else:
                state = DONE if chain.boxes else NONVISUAL
                groups.append(NewGroup(mentions, state, chain.flag, chain.boxes))
        return groups


@dataclass(frozen=True, slots=True)
class Standing:
    """The accepted boxes and the flag of a chain as it is."""

    boxes: frozenset[Box]
    flag: str


def parse_annotation(data: Any, captions: Mapping[int, int], types: Sequence[str]) -> Annotation:
    """Read an annotation of an image whose captions have so many tokens each, by caption index, in order.

    `types` are those that its phrases may have. Boxes are compared with the photograph when
    the annotation is stored. Raises DecisionError.
    """
    if not isinstance(data, Mapping):
        raise DecisionError("annotation", "must be an object of JSON")
    purpose = data.get("purpose")
    if purpose not in set(Purpose):
        raise DecisionError("purpose", f"must be one of {', '.join(Purpose)}")
    found = _list(data, "captions", len(captions))
    if len(found) != len(captions):
        raise DecisionError("captions", f"must have the image's {len(captions)} captions, not {len(found)}")
    phrases = tuple(
        _parse_caption(caption, f"captions[{index}]", tokens, types)
        for index, (caption, tokens) in enumerate(zip(found, captions.values(), strict=True))
    )
    chains = tuple(
        _parse_chain(chain, f"chains[{place}]")
        for place, chain in enumerate(_list(data, "chains", MAX_CHAINS))
    )
    _check_names(phrases, chains)
    if purpose != Purpose.CORRECTION:
        for place, chain in enumerate(chains):
            if not (chain.boxes or chain.flag):
                raise DecisionError(
                    f"chains[{place}]",
                    f"{chain.name} has neither a box nor a reason why it has none: give one",
                )
    return Annotation(
        Purpose(purpose),
        _text(data, "key", MAX_KEY_LENGTH, required=True),
        _text(data, "version", MAX_KEY_LENGTH, required=True),
        tuple(captions),
        phrases,
        chains,
        _text(data, "note", MAX_NOTE_LENGTH),
        _parse_seen(data.get("suggestions")),
    )


def _parse_seen(data: Any) -> Seen | None:
    if data is None:
        return None
    if not isinstance(data, Mapping):
        raise DecisionError("suggestions", "must be an object with set and boxes")
    number = _whole(data, "set", "suggestions")
    taken = []
    for place, one in enumerate(_list(data, "boxes", MAX_BOXES * MAX_CHAINS, "suggestions.")):
        field = f"suggestions.boxes[{place}]"
        if not isinstance(one, Mapping):
            raise DecisionError(field, "must be an object with box and suggestion")
        taken.append((_parse_box(one.get("box"), f"{field}.box"), _whole(one, "suggestion", field)))
    return Seen(number, tuple(taken))


def _parse_caption(data: Any, field: str, tokens: int, known: Sequence[str]) -> tuple[Phrase, ...]:
    if not isinstance(data, Mapping):
        raise DecisionError(field, "must be an object with its phrases")
    found = [
        _parse_phrase(phrase, f"{field}.phrases[{place}]", tokens, known)
        for place, phrase in enumerate(_list(data, "phrases", tokens, f"{field}."))
    ]
    for place, (one, other) in enumerate(pairwise(found)):
        if other.start < one.end:
            raise DecisionError(
                f"{field}.phrases[{place + 1}]",
                "begins before the one before it ends: a word belongs to one phrase, and they come in order",
            )
    return tuple(found)


def _parse_phrase(data: Any, field: str, tokens: int, known: Sequence[str]) -> Phrase:
    if not isinstance(data, Mapping):
        raise DecisionError(field, "must be an object with start, end, types and chain")
    start, end = _whole(data, "start", field), _whole(data, "end", field)
    if not 0 <= start < end <= tokens:
        raise DecisionError(field, f"{start}:{end} is not a span of the caption's {tokens} tokens")
    types = _list(data, "types", len(known), f"{field}.")
    if strange := [name for name in types if name not in known]:
        raise DecisionError(
            f"{field}.types", f"{str(strange[0])[:40]!r} is not a type: use {', '.join(known)}"
        )
    if not types:
        raise DecisionError(f"{field}.types", f"must have at least one of {', '.join(known)}")
    chain = data.get("chain") or ""
    if not isinstance(chain, str) or len(chain) > MAX_NAME_LENGTH:
        raise DecisionError(f"{field}.chain", f"must be a chain's name of up to {MAX_NAME_LENGTH} characters")
    return Phrase(start, end, in_order(types), chain)


def _parse_chain(data: Any, field: str) -> AnnotatedChain:
    if not isinstance(data, Mapping):
        raise DecisionError(field, "must be an object with name, boxes and flag")
    name = _text(data, "name", MAX_NAME_LENGTH, field, required=True)
    flag = data.get("flag") or ""
    if flag and flag not in FLAGS:
        raise DecisionError(f"{field}.flag", f"must be one of {', '.join(FLAGS)}, or empty")
    boxes = tuple(
        _parse_box(box, f"{field}.boxes[{place}]")
        for place, box in enumerate(_list(data, "boxes", MAX_BOXES, f"{field}."))
    )
    if boxes and flag:
        raise DecisionError(
            f"{field}.flag", "is only for a chain without boxes: take the boxes or the flag away"
        )
    return AnnotatedChain(name, boxes, flag)


def _parse_box(data: Any, field: str) -> Box:
    edges = data if isinstance(data, Sequence) and not isinstance(data, str) else ()
    whole = [edge for edge in edges if type(edge) is int and 0 <= edge <= MAX_COORDINATE]
    if len(edges) != 4 or len(whole) != 4:
        raise DecisionError(field, "must be [left, top, right, bottom] in whole pixels of the photograph")
    try:
        return Box(*whole)
    except ValueError:
        raise DecisionError(
            field, "is empty: left must be less than right, and top less than bottom"
        ) from None


def _check_names(captions: Sequence[Sequence[Phrase]], chains: Sequence[AnnotatedChain]) -> None:
    """Check that phrases and chains name each other."""
    named: set[str] = set()
    for place, chain in enumerate(chains):
        if chain.name in named:
            raise DecisionError(f"chains[{place}].name", f"there are two chains {chain.name}: rename one")
        named.add(chain.name)
    used = {phrase.chain for phrases in captions for phrase in phrases if phrase.chain}
    for index, phrases in enumerate(captions):
        for place, phrase in enumerate(phrases):
            if phrase.chain and phrase.chain not in named:
                raise DecisionError(
                    f"captions[{index}].phrases[{place}].chain",
                    f"there is no chain {phrase.chain}: add it to chains",
                )
    for place, chain in enumerate(chains):
        if chain.name not in used:
            raise DecisionError(f"chains[{place}]", f"{chain.name} has no phrase: leave this chain out")


def _list(data: Mapping[str, Any], name: str, most: int, within: str = "") -> list[Any]:
    found = data.get(name)
    if not isinstance(found, list):
        raise DecisionError(f"{within}{name}", "must be a list")
    if len(found) > most:
        raise DecisionError(f"{within}{name}", f"may have at most {most} entries, not {len(found)}")
    return found


def _whole(data: Mapping[str, Any], name: str, within: str) -> int:
    found = data.get(name)
    if type(found) is not int:
        raise DecisionError(f"{within}.{name}", "must be a whole number")
    return found


def _text(data: Mapping[str, Any], name: str, most: int, within: str = "", *, required: bool = False) -> str:
    found = data.get(name, "")
    if not isinstance(found, str) or len(found) > most or "\0" in found or (required and not found.strip()):
        least = 1 if required else 0
        raise DecisionError(
            f"{within}.{name}" if within else name, f"must be text of {least} to {most} characters"
        )
    return found.strip()
