"""The emulator's clock: the machine's time, or ahead or behind it, or stopped until it is moved."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(slots=True)
class Clock:
    """A clock in seconds since 1970.

    `skew` is the error of the platform's clock, which callers do not know.
    """

    ahead: float = 0.0
    skew: float = 0.0
    standing: float | None = None

    def now(self) -> float:
        start = time.time() if self.standing is None else self.standing
        return start + self.ahead + self.skew

    def advance(self, seconds: float) -> None:
        self.ahead += seconds

    def stop_at(self, at: float | None) -> None:
        """Stop the clock at a time, so that only `advance` moves it. With None, it runs again."""
        self.standing, self.ahead = at, 0.0


def to_datetime(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)
