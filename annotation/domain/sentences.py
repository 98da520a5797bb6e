"""Sentences of a caption. They are cut one by one, so that a word of a long caption costs no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_ENDS = frozenset((".", "!", "?", "…"))
_CLOSES = frozenset(('"', "”", "''", ")", "»"))
MAX_TOKENS = 120
"""The longest sentence in tokens. A longer one is cut after its last comma before that, if it has one."""
_SHORTEST_PART = 40


def sentences(tokens: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the sentences as half-open token spans, in order. Together they are all tokens."""
    start = 0
    while start < len(tokens):
        end = _end(tokens, start)
        yield start, end
        start = end


def _end(tokens: Sequence[str], start: int) -> int:
    limit = min(len(tokens), start + MAX_TOKENS)
    for place in range(start, limit):
        if tokens[place] in _ENDS and not _goes_on(tokens, place):
            closes = place + 1 < limit and tokens[place + 1] in _CLOSES
            return place + 2 if closes else place + 1
    if limit < len(tokens):
        for place in range(limit - 1, start + _SHORTEST_PART, -1):
            if tokens[place] == ",":
                return place + 1
    return limit


def _goes_on(tokens: Sequence[str], place: int) -> bool:
    """Return whether a mark ends no sentence, since a word in lower case or a number follows: *No . 5*."""
    following = tokens[place + 1][:1] if place + 1 < len(tokens) else ""
    return following.islower() or following.isdecimal() or tokens[place + 1 : place + 2] == [tokens[place]]
