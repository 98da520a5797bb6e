"""The moves that publications, participations and payments may make from state to state.

What a platform says about its own objects is true, so some moves lead back: a place that was given back is
taken again, or a rejection is overridden. What was paid stays paid.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Moves = Mapping[str, frozenset[str]]
"""The states that may follow each state."""


def _moves(**targets: str) -> Moves:
    return MappingProxyType({state: frozenset(words.split()) for state, words in targets.items()})


PUBLICATION = _moves(
    planned="open closed failed",
    open="closed settled",  # settled at once if it was finished between two looks
    closed="open settled",  # open again if somebody gave a place back, or it was extended
    settled="open closed",  # if the platform says otherwise
    failed="open closed",  # if a call that was given up did reach the platform
)
PARTICIPATION = _moves(
    opened="submitted approved rejected returned",
    submitted="approved rejected returned",
    approved="",
    rejected="approved",  # the rejection was overridden
    returned="opened submitted approved rejected",  # the place was taken again, or submitted after all
)
PAYMENT = _moves(
    due="done failed waiting withdrawn",  # withdrawn where nothing can be on its way yet
    waiting="due done withdrawn",
    failed="due done withdrawn",  # it is tried again or given up, or the platform turns out to have paid
    done="",
    withdrawn="done",  # the platform turns out to have paid it
)


def may(moves: Moves, source: str, target: str) -> bool:
    """Return whether this move is allowed; staying is not a move. Raises KeyError for an unknown state."""
    return target in moves[source]


def sources(moves: Moves, target: str) -> list[str]:
    """Return the states from which one move leads to `target`."""
    return [state for state, targets in moves.items() if target in targets]
