"""Patterns of chunks that workers call cut wrongly: the kinds of the words at both edges of a chunk.

A single flag may be a mistake, or mean the other phrase of a link. Patterns show what the chunker gets wrong:
if many mentions of a pattern are flagged, it is suspicious, whatever the single words are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

NOTHING = "nothing"
"""What stands before the first word of a caption, and after the last one."""
_AROUND = 2  # words of the caption that an example shows on each side


@dataclass(frozen=True, slots=True)
class Cut:
    """A chunk in its caption: tokens `start` to `end`, half open."""

    tokens: Sequence[str]
    start: int
    end: int

    def patterns(self, kind_of: Callable[[str], str]) -> tuple[str, str]:
        """Return the pattern of its beginning and that of its end, such as *noun + verb ] article*.

        `kind_of` says which kind of word a word is.
        """
        kinds = [kind_of(token) for token in self.tokens[self.start : self.end]]
        before = kind_of(self.tokens[self.start - 1]) if self.start else NOTHING
        after = kind_of(self.tokens[self.end]) if self.end < len(self.tokens) else NOTHING
        return f"{before} [ {' + '.join(kinds[:2])}", f"{' + '.join(kinds[-2:])} ] {after}"

    @property
    def example(self) -> str:
        """Return the chunk in brackets with a few words around it."""
        before = self.tokens[max(0, self.start - _AROUND) : self.start]
        after = self.tokens[self.end : self.end + _AROUND]
        return " ".join([*before, f"[{' '.join(self.tokens[self.start : self.end])}]", *after])


@dataclass(frozen=True, slots=True)
class CutPattern:
    """How many mentions of a pattern there are, how many of them somebody flagged, and one of these."""

    pattern: str
    flagged: int
    mentions: int
    example: str

    @property
    def share(self) -> float:
        """The share of its mentions that were flagged, from 0 to 1."""
        return self.flagged / self.mentions

    def to_json(self) -> dict[str, Any]:
        """Return it for a JSON column."""
        return asdict(self)


def cut_patterns(
    flagged: Iterable[Cut], others: Iterable[Cut], kind_of: Callable[[str], str], *, most: int
) -> list[CutPattern]:
    """Return the patterns of flagged chunks, at most so many, with the most suspicious ones first.

    `others` are the mentions that nobody flagged. First come the patterns with the most flags beyond those
    that they would have if all mentions were flagged equally often.
    """
    counts: Counter[str] = Counter()
    examples: dict[str, str] = {}
    flags = 0
    for cut in flagged:
        flags += 1
        for pattern in cut.patterns(kind_of):
            counts[pattern] += 1
            examples.setdefault(pattern, cut.example)
    everywhere = counts.copy()
    number = flags
    for cut in others if counts else ():
        number += 1
        for pattern in cut.patterns(kind_of):
            if pattern in counts:
                everywhere[pattern] += 1
    found = [CutPattern(name, count, everywhere[name], examples[name]) for name, count in counts.items()]
    found.sort(key=lambda one: (one.mentions * flags / number - one.flagged, one.pattern))
    return found[:most]
