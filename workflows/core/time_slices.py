"""Limit how long one piece of work takes, so that others get their turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

Row = TypeVar("Row")
Clock = Callable[[], float]
"""Returns seconds since some fixed moment, and never goes back."""


@dataclass(slots=True)
class Turn:
    """A time limit of `seconds` from its creation; None: no limit."""

    seconds: float | None = None
    clock: Clock = time.monotonic
    cut: bool = False  # whether `each` left rows for the next turn
    _until: float | None = field(init=False, default=None, repr=False)

    def __post_init__(self) -> None:
        self._until = None if self.seconds is None else self.clock() + self.seconds

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return self._until is not None and self.clock() >= self._until

    def each(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield the rows until the time is up. The first always comes, so every turn makes progress."""
        for number, row in enumerate(rows):
            if number and self.over:
                self.cut = True
                return
            yield row
