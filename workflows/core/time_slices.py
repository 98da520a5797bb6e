"""How long one thing may take before others have their turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

Row = TypeVar("Row")
Clock = Callable[[], float]
"""Seconds since some moment; never goes back."""


@dataclass(slots=True)
class Turn:
    """So many seconds from now on; None: as long as it takes."""

    seconds: float | None = None
    clock: Clock = time.monotonic
    cut: bool = False  # something was left for the next turn
    _until: float | None = field(init=False, default=None, repr=False)

    def __post_init__(self) -> None:
        self._until = None if self.seconds is None else self.clock() + self.seconds

    @property
    def over(self) -> bool:
        return self._until is not None and self.clock() >= self._until

    def each(self, rows: Iterable[Row]) -> Iterator[Row]:
        """These, until the turn is over; the first one always, so that every turn comes further."""
        for number, row in enumerate(rows):
            if number and self.over:
                self.cut = True
                return
            yield row
