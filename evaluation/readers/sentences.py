"""Sentences as in Flickr30k Entities: `[/EN#<chain>/<type>… <word>…]` (docs/protocol.md, "Export format")."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluation.errors import Place
from evaluation.readers.records import MAX_ID, NOTVISUAL, wrong_type

_OPENING = re.compile(r"\[/EN#([0-9]{1,19})((?:/[^/\[\]]+)+)$", re.ASCII)
_EXPECTED = "expected [/EN#<chain>/<type> words]"


@dataclass(frozen=True, slots=True)
class Bracket:
    """The tokens `start` to `end` of a sentence, half open, in a bracket. The chain 0 is not visual."""

    start: int
    end: int
    types: tuple[str, ...]
    chain: int


def parse_sentence(line: str, place: Place, *, strict: bool) -> tuple[list[str], list[Bracket]]:
    """Return the tokens of a sentence, and its brackets.

    Raise InputError if a bracket is nested, never closed or empty, or has a wrong label. Measures read a
    label of any types and id. With `strict`, as an import reads it, a type stands there once, an id can be
    stored, and the id 0 and the type notvisual go together.
    """
    tokens: list[str] = []
    brackets: list[Bracket] = []
    opened: tuple[int, tuple[str, ...], int] | None = None  # chain, types, first token
    for word in line.split():
        if word.startswith("["):
            if opened:
                message = f"{word[:80]!r} opens inside another bracket; brackets cannot overlap or nest"
                raise place.error("", message)
            opened = (*_parse_label(word, place, strict), len(tokens))
            continue
        closes = opened is not None and word.endswith("]")
        plain = word[:-1] if closes else word
        if "[" in plain or "]" in plain:
            message = f"the bracket in {word[:80]!r} belongs to no mention; write -LSB- or -RSB- for a mark"
            raise place.error("", message)
        if plain:
            tokens.append(plain)
        if opened and closes:
            chain, types, start = opened
            if start == len(tokens):
                raise place.error("", f"the bracket of chain {chain} is empty")
            brackets.append(Bracket(start, len(tokens), types, chain))
            opened = None
    if opened:
        raise place.error("", f"the bracket of chain {opened[0]} is never closed")
    return tokens, brackets


def _parse_label(word: str, place: Place, strict: bool) -> tuple[int, tuple[str, ...]]:
    if word.endswith("]"):
        raise place.error("", f"the bracket {word[:80]!r} is empty; {_EXPECTED}")
    match = _OPENING.match(word)
    if not match:
        what = "has no type" if re.fullmatch(r"\[/EN#[0-9]+/?", word) else "is no chain id and type"
        raise place.error("", f"{word[:80]!r} {what}; {_EXPECTED}")
    chain, types = int(match[1]), tuple(match[2][1:].split("/"))
    if wrong := next(filter(None, map(wrong_type, types)), None):
        raise place.error("", f"{word[:80]!r}: {wrong}")
    if strict and chain > MAX_ID:
        raise place.error("", f"chain id {chain} is too large")
    if strict and len(set(types)) != len(types):
        raise place.error("", f"{word[:80]!r} names a type twice")
    if strict and (chain == 0) != (types == (NOTVISUAL,)):
        raise place.error("", f"{word[:80]!r}: id 0 and the type {NOTVISUAL} go together")
    return chain, types
