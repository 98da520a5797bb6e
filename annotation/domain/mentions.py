"""Mentions: noun-phrase chunks that may name an entity (docs/protocol.md, "Mentions")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from annotation.domain.nonvisual import is_about_the_image, is_measure
from annotation.domain.types import BUILT_IN, ProjectTypes, dictionary, only_counts, types_counted, types_of

# After these, "no" is a part of a name: no parking sign.
_SIGNS = frozenset(("sign", "signs", "symbol", "symbols", "zone"))
# How far before a number the persons or animals can be that it counts, in tokens.
_NEARBY = 100


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention as the rules see it.

    ``id`` says which mention it is and means nothing else. ``start`` and ``end`` count tokens, half open.
    """

    id: int
    caption: int
    start: int
    end: int
    text: str
    types: tuple[str, ...]

    @property
    def head(self) -> str:
        """Return the last word in lower case. A chain that fails verification is split by it (stage 2)."""
        return head_of(self.text)


@dataclass(frozen=True, slots=True)
class Described:
    """A chunk as it is stored: tokens joined with spaces, head noun, types, and whether it is a mention."""

    text: str
    head: str
    types: tuple[str, ...]
    annotatable: bool


def head_of(text: str) -> str:
    """Return the head noun of a chunk. As in the paper, it is the last word, in lower case."""
    return text.split()[-1].lower() if text.split() else ""


def representative(mentions: Iterable[Mention]) -> Mention:
    """Return the mention that stands for a chain: most tokens, then most characters, then earliest.

    Raises ValueError for a chain without mentions.
    """
    return min(mentions, key=lambda m: (m.start - m.end, -len(m.text), m.caption, m.start, m.id))


def annotatable(tokens: Sequence[str], before: str = "", after: str = "") -> bool:
    """Return whether a chunk is a mention: not a pronoun, nor a term that names nothing visible.

    ``before`` and ``after`` are the words beside the chunk. With them, a few fixed phrases are non-visual,
    too: *at night*, *in line*, but not *a line*; and *a photograph* that begins a sentence and *shows*.

    The chunk is compared in lower case and without a leading *the*: *the background* is non-visual, *a white
    top* and *a brick wall background* are not. A chunk without a letter or digit is not a mention either.
    Chunks that are not mentions are exported as ``[/EN#0/notvisual …]``.
    """
    whole = [token.lower() for token in tokens]
    words = whole[1:] if whole[:1] == ["the"] else whole
    phrase = " ".join(words)
    if not any(character.isalnum() for character in phrase):
        return False
    if f"{before.lower()} {phrase}" in dictionary("nonvisual_phrases"):
        return False
    if is_about_the_image(whole, before, after.lower()) or is_measure(whole, before, after.lower()):
        return False
    if words[0] == "no" and words[-1] not in _SIGNS:
        return False  # there are no people
    if words[-2:-1] == ["of"] and words[-1] in dictionary("pronouns"):
        phrase = " ".join(words[:-2])  # one of them
    return phrase not in dictionary("pronouns") and phrase not in dictionary("nonvisual")


def describe(tokens: Sequence[str], start: int, end: int, project: ProjectTypes = BUILT_IN) -> Described:
    """Return the chunk ``tokens[start:end]`` of a caption, ready to be stored, typed as in the project.

    Raises ValueError when the span is empty or leaves the caption.
    """
    if not 0 <= start < end <= len(tokens):
        raise ValueError(f"span {start}:{end} is empty or outside a caption of {len(tokens)} tokens")
    chunk = tokens[start:end]
    text = " ".join(chunk)
    if only_counts(chunk):
        types = types_counted(tokens[max(0, start - _NEARBY) : start], project)
    else:
        types = types_of(chunk, project)
    before, after = (tokens[start - 1] if start else ""), (tokens[end] if end < len(tokens) else "")
    return Described(text, head_of(text), types, annotatable(chunk, before, after))


def admissible(a: Mention, b: Mention) -> bool:
    """Return whether workers may be asked if two mentions refer to the same thing.

    They must come from different captions and have a type in common.
    """
    return a.caption != b.caption and not set(a.types).isdisjoint(b.types)


def of_one_caption(mentions: Sequence[Mention]) -> list[tuple[int, int]]:
    """Return the pairs (ids) of mentions of one caption, in the order of `mentions`.

    Two mentions of one caption are not coreferent (section 3.1.1), so that a chain with such a pair is wrong.
    """
    return [(a.id, b.id) for a, b in combinations(mentions, 2) if a.caption == b.caption]


def reading_order(mentions: Iterable[Mention]) -> list[Mention]:
    """Return the mentions sorted by caption, then by their place in it."""
    return sorted(mentions, key=lambda m: (m.caption, m.start))
