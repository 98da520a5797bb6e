"""The moves that publications, participations and payments may make. Anything else is a fault of ours.

What a platform says is the truth about its own objects, so that some moves lead back: a place that was given
back is taken again, a rejection is overridden. What was paid stays paid.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Moves = Mapping[str, frozenset[str]]
"""Of each state, those it may turn into."""


def _moves(**targets: str) -> Moves:
    return MappingProxyType({state: frozenset(words.split()) for state, words in targets.items()})


PUBLICATION = _moves(
    planned="open closed failed",
    open="closed settled",  # settled at once where it was finished between two looks
    closed="open settled",  # open: somebody gave a place back, or it was extended
    settled="open closed",  # the platform says otherwise
    failed="open closed",  # a call that was given up did reach the platform
)
PARTICIPATION = _moves(
    opened="submitted approved rejected returned",
    submitted="approved rejected returned",
    approved="",
    rejected="approved",  # overridden
    returned="opened submitted approved rejected",  # taken again, or it came after all
)
PAYMENT = _moves(
    due="done failed waiting",
    waiting="due done withdrawn",
    failed="due done withdrawn",  # tried again, or given up; or the platform turns out to have paid
    done="",
    withdrawn="done",  # the platform turns out to have paid
)


def may(moves: Moves, source: str, target: str) -> bool:
    """Whether this is a legal move; staying is none. Raises KeyError for a state that there is not."""
    return target in moves[source]


def sources(moves: Moves, target: str) -> list[str]:
    """The states from which `target` can be reached at once."""
    return [state for state, targets in moves.items() if target in targets]
