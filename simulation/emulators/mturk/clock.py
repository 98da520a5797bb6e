"""The emulator's own time: the machine's, ahead or behind, or standing still until it is moved."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(slots=True)
class Clock:
    """All in seconds since 1970. `skew` is how wrong the platform's clock is; nobody is told."""

    ahead: float = 0.0
    skew: float = 0.0
    standing: float | None = None

    def now(self) -> float:
        start = time.time() if self.standing is None else self.standing
        return start + self.ahead + self.skew

    def advance(self, seconds: float) -> None:
        self.ahead += seconds

    def stop_at(self, at: float | None) -> None:
        """Let it stand at a time, moved by `advance` only; None: let it go on from the machine's time."""
        self.standing, self.ahead = at, 0.0


def to_datetime(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)
