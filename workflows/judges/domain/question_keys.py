"""The names by which a model's client knows questions."""

from __future__ import annotations

import re
from dataclasses import dataclass

_KEY = re.compile(r"([iq])([1-9][0-9]{0,17})")


@dataclass(frozen=True, slots=True)
class Key:
    """An item, or a question whose answer is known, by its id. One of the two is given."""

    item: int | None = None
    question: int | None = None

    def __str__(self) -> str:
        return f"q{self.question}" if self.item is None else f"i{self.item}"


def read_key(text: str) -> Key | None:
    """Return the key that is written in this way, or None if none is."""
    found = _KEY.fullmatch(text)
    if found is None:
        return None
    kind, number = found[1], int(found[2])
    return Key(item=number) if kind == "i" else Key(question=number)
