"""The answers to a page as they came in, each with the entry of the page that it is to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson

from annotation.domain.answers import AbstentionKind, Answer, abstention_of


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one item as it came in. `item` is its place on the page, from 1."""

    item: int
    answer: Mapping[str, Any]
    seconds: float | None = None
    comment: str = ""
    chunk_flag: bool = False
    unrelated: Sequence[int] = ()  # indexes of captions that are about another photograph
    drawn_by: str | None = None  # how the boxes were drawn: one of DrawnBy, or None if that is not known
    suggestions_shown: bool = False  # the client showed the boxes of a model that the question has
    broken: bool = False  # the worker calls the photograph unusable, and the server finds that it is broken

    @property
    def abstention(self) -> AbstentionKind | None:
        """Which abstention the answer is, if it is one."""
        return abstention_of(self.answer)


Entry = tuple[str, int]
"""What an answer is to: (ITEM, id) or (QUESTION, id)."""
One = tuple[Entry, Answer | AbstentionKind, Reply]
"""An entry, what is answered to it, and the reply that says so."""
Given = list[One]
"""All of a page, or some, in the order of the page."""


def digest_of(replies: Sequence[Reply]) -> str:
    """Return a word that differs if an answer, a comment or a flag does. Times and order do not matter."""
    # If no caption is about another photograph, the word is the same as before there were such flags.
    given = [
        (one.item, one.answer, one.comment, one.chunk_flag, *((sorted(one.unrelated),) * bool(one.unrelated)))
        for one in sorted(replies, key=lambda r: r.item)
    ]
    return sha256(orjson.dumps(given, option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]
