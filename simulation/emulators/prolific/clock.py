"""The emulator's clock: the real time, moved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class Clock:
    """A clock that can be moved, and runs on from there."""

    def __init__(self, offset: float = 0) -> None:
        self.offset = timedelta(seconds=offset)

    def now(self) -> datetime:
        return datetime.now(UTC) + self.offset

    def advance(self, seconds: float) -> None:
        """Move the clock, forwards or backwards."""
        self.offset += timedelta(seconds=seconds)


def text(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z") if moment else None
