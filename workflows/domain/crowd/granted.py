"""Which of our qualifications a worker should have on a platform."""

from __future__ import annotations

from collections.abc import Iterable

TRUSTED, LOST = "trusted", "lost"


def deserved(states: Iterable[str]) -> tuple[bool, bool]:
    """Whether a worker is to be offered work for trusted workers of a stage, and to be kept out of it.

    `states` are the worker's standings in the stage: one under the regime `trusted`, one a batch under
    `verification`. Trust anywhere keeps the stage open: what a batch does not want of it, dispatch refuses.
    """
    found = set(states)
    return TRUSTED in found, LOST in found and TRUSTED not in found
