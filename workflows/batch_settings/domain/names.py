"""Names for new batches."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count

LONGEST = 64


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Return the name if it is free, or else with the first number from 2 with which it is."""
    names = (wanted[:LONGEST] if n == 1 else f"{wanted[: LONGEST - len(f'-{n}')]}-{n}" for n in count(1))
    return next(name for name in names if name not in taken)
