"""Estimates how likely it is that finished work is wrong, from who said what [ours].

The estimate is for putting work in order, so that a researcher looks at the most doubtful first. It decides
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

USUAL, WEIGHT = 0.85, 8.0
"""The accuracy of a worker of whom nothing is known, and how many answers this expectation is worth."""
AGREED = 10.0
"""How many answers a worker's agreement with others is worth."""
MIN_PROBABILITY, MAX_PROBABILITY = 0.05, 0.98
IN_DOUBT = 0.5
"""The most that the answers of a worker in doubt are worth: no more than chance."""


def accuracy(*, right: int, asked: int, agreement: float | None, in_doubt: bool) -> float:
    """Return how often a worker is right, from answers to verification questions and from agreement."""
    agreed, compared = (0.0, 0.0) if agreement is None else (agreement * AGREED, AGREED)
    found = (right + agreed + USUAL * WEIGHT) / (asked + compared + WEIGHT)
    return min(max(found, MIN_PROBABILITY), IN_DOUBT if in_doubt else MAX_PROBABILITY)


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that was decided: who is for it and who is against it, by their accuracy."""

    what: str  # the stage
    in_favour: tuple[float, ...]
    against: tuple[float, ...] = ()
    decided: bool = False  # by a researcher

    @property
    def sure(self) -> float:
        """Return the probability that it is right, if both answers were equally likely before."""
        if self.decided:
            return 1.0
        odds = prod(a / (1 - a) for a in self.in_favour) * prod((1 - a) / a for a in self.against)
        return odds / (1 + odds)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a question rests on."""

    parts: tuple[Part, ...] = field(default_factory=tuple)

    @property
    def suspicion(self) -> float:
        """Return the probability that some part is wrong, 0 to 1; 0.5 if there is no part."""
        return 1 - prod(part.sure for part in self.parts) if self.parts else 0.5

    @property
    def weakest(self) -> Part | None:
        """Return the part that is least sure."""
        return min(self.parts, key=lambda part: part.sure, default=None)


def part_of(what: str, votes: Sequence[tuple[bool, float]]) -> Part:
    """Return the part that most votes are for. Each vote is yes or no, with its worker's accuracy."""
    yes = [value for vote, value in votes if vote]
    no = [value for vote, value in votes if not vote]
    most, others = (yes, no) if len(yes) >= len(no) else (no, yes)
    return Part(what, tuple(most), tuple(others))
