"""Sentences as in Flickr30k Entities: `[/EN#<chain>/<type>… <word>…]` (docs/protocol.md, "Export format")."""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotation.domain.records import CaptionRecord, MentionRecord
from annotation.domain.types import NOTVISUAL, TYPES
from annotation.formats.base import MAX_ID, check_text

_OPENING = re.compile(r"\[/EN#([0-9]{1,19})((?:/[^/\[\]]+)+)$", re.ASCII)
_KNOWN = {*TYPES, NOTVISUAL}
_EXPECTED = "expected [/EN#<chain>/<type> words]"


class BracketError(ValueError):
    """The brackets of a sentence are wrong."""


def parse_sentence(index: int, line: str) -> CaptionRecord:
    """Return the caption with number `index`, on line `index` + 1. Its text is the tokenised sentence.

    Raise BracketError when a bracket is nested, never closed or empty, or has a wrong label.
    """
    tokens: list[str] = []
    mentions: list[MentionRecord] = []
    opened: tuple[int, tuple[str, ...], int] | None = None  # chain, types, first token
    for word in line.split():
        if word.startswith("["):
            if opened:
                raise BracketError(
                    f"{word[:80]!r} opens inside another bracket; brackets cannot overlap or nest"
                )
            opened = (*_parse_label(word), len(tokens))
            continue
        closes = opened is not None and word.endswith("]")
        plain = word[:-1] if closes else word
        if "[" in plain or "]" in plain:
            raise BracketError(
                f"the bracket in {word[:80]!r} belongs to no mention; write -LSB- or -RSB- for a mark"
            )
        if plain:
            tokens.append(plain)
        if opened and closes:
            chain, types, start = opened
            if start == len(tokens):
                raise BracketError(f"the bracket of chain {chain} is empty")
            mentions.append(MentionRecord(start, len(tokens), types, chain))
            opened = None
    if opened:
        raise BracketError(f"the bracket of chain {opened[0]} is never closed")
    text = " ".join(tokens)
    if wrong := check_text(text):
        raise BracketError(wrong)
    return CaptionRecord(index, text, tuple(tokens), tuple(mentions), line=index + 1)


def _parse_label(word: str) -> tuple[int, tuple[str, ...]]:
    if word.endswith("]"):
        raise BracketError(f"the bracket {word[:80]!r} is empty; {_EXPECTED}")
    match = _OPENING.match(word)
    if not match:
        what = "has no type" if re.fullmatch(r"\[/EN#[0-9]+/?", word) else "is no chain id and type"
        raise BracketError(f"{word[:80]!r} {what}; {_EXPECTED}")
    chain, types = int(match[1]), tuple(match[2][1:].split("/"))
    if chain > MAX_ID:
        raise BracketError(f"chain id {chain} is too large")
    if unknown := [name for name in types if name not in _KNOWN]:
        raise BracketError(f"unknown type {unknown[0][:40]!r}; the types are {', '.join(TYPES)}")
    if len(set(types)) != len(types):
        raise BracketError(f"{word[:80]!r} names a type twice")
    if (chain == 0) != (types == (NOTVISUAL,)):
        raise BracketError(f"{word[:80]!r}: id 0 and the type {NOTVISUAL} go together")
    return chain, types


def format_sentence(tokens: Sequence[str], mentions: Sequence[MentionRecord]) -> str:
    """Return a caption's line, without its end.

    Brackets in the caption become -LSB- and -RSB-, as in Penn's files.

    A mention without a chain is written as notvisual. Raise ValueError when mentions overlap.
    """
    words = [escape(token) if "[" in token or "]" in token else token for token in tokens]
    reached = 0
    for mention in sorted(mentions, key=lambda mention: mention.start):
        if not reached <= mention.start < mention.end <= len(words):
            raise ValueError(f"mention {mention.start}:{mention.end} overlaps another or leaves its caption")
        reached = mention.end
        types = "/".join(mention.types or ("other",)) if mention.chain else NOTVISUAL
        words[mention.start] = f"[/EN#{mention.chain or 0}/{types} {words[mention.start]}"
        words[mention.end - 1] += "]"
    return " ".join(words)


def escape(token: str) -> str:
    """Return the token with brackets spelt as in Penn's files."""
    return token.replace("[", "-LSB-").replace("]", "-RSB-")
