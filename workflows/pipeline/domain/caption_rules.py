"""The rules that flag a caption that a worker wrote: a researcher has to look at it before it is accepted."""

from __future__ import annotations

from collections.abc import Sequence

REPEATS_OWN, REPEATS_OTHER = "repeats-own", "repeats-other"


def flags_of(text: str, *, own: Sequence[str], others: Sequence[str], language: str) -> tuple[str, ...]:
    """Return the names of the rules that find something in the caption, or () if it is fine [ours].

    `own` are earlier captions of its worker, the newest first, and `others` are earlier ones about the same
    image. `language` is a BCP 47 tag.
    """
    plain = _plain(text)
    found = {
        REPEATS_OWN: any(_plain(one) == plain for one in own),
        REPEATS_OTHER: any(_plain(one) == plain for one in others),
    }
    return tuple(name for name, holds in found.items() if holds)


def _plain(text: str) -> str:
    """Return the words of the text in lower case: marks and spaces do not make another caption."""
    return " ".join("".join(letter if letter.isalnum() else " " for letter in text.lower()).split())
