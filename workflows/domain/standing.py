"""Whether a worker may take work of a stage."""

from __future__ import annotations

from enum import StrEnum


class Standing(StrEnum):
    """A worker's standing in a stage."""

    OPEN = "open"
    BLOCKED = "blocked"  # by a researcher


def standing(*, blocked: bool) -> Standing:
    """The standing of a worker in any stage."""
    return Standing.BLOCKED if blocked else Standing.OPEN
