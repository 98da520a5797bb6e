"""Rounds that go on while something long has the lock that they need."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TypeVar

from workflows.core.time_slices import Clock, Turn
from workflows.crowd.base import Provider
from workflows.services.crowd.stepping import round_of

SECONDS = 20.0
"""So long it goes on before a round has its turn: less than lies between two rounds [ours]."""
Row = TypeVar("Row")


class Yielding:
    """Calls `do` every so many seconds of the loops that go through `between`; without it, never."""

    def __init__(
        self,
        do: Callable[[], object] | None = None,
        *,
        seconds: float = SECONDS,
        clock: Clock = time.monotonic,
    ) -> None:
        self._do, self._seconds, self._clock = do, seconds, clock
        self._turn = Turn(seconds, clock)

    def between(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows."""
        for row in rows:
            yield row
            if self._do is not None and self._turn.over:
                self._do()
                self._turn = Turn(self._seconds, self._clock)


def rounds_of(provider: Provider, *, clock: Callable[[], datetime]) -> Yielding:
    """Rounds with a platform, whose lock the caller has; `clock` says what time each begins."""
    return Yielding(lambda: round_of(provider=provider, now=clock()))
