"""What direct workers earned on each day: the sums of the ledger's entries that are kept beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime

from workflows.money.domain.ledger import Kind

PAGE = f"{Kind.EARN}:page:"
"""The beginning of the token of each entry that is a page's reward."""


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """The key of one worker's day in a batch, in one currency."""

    worker: int
    day: date  # in UTC, when the amount was earned; later payments count on this day too
    currency: str


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of a day. Amounts are in the smallest unit of the currency."""

    pages: int = 0
    milliseconds: int = 0  # at work on these pages
    earned: int = 0
    paid: int = 0  # of that

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.pages + other.pages,
            self.milliseconds + other.milliseconds,
            self.earned + other.earned,
            self.paid + other.paid,
        )

    def __str__(self) -> str:
        return f"{self.pages} pages in {self.milliseconds} ms, {self.earned} earned, {self.paid} paid"


@dataclass(frozen=True, slots=True)
class Owed:
    """An entry about money that a worker earned: the earning itself, or its payment."""

    kind: str
    token: str
    worker: int
    currency: str
    at: datetime  # when it was earned, also for a payment
    amount: int  # above 0
    seconds: float = 0.0  # the time that the page took, if this is a page's reward

    @property
    def key(self) -> Key:
        """The worker's day that the entry belongs to."""
        return Key(self.worker, self.at.astimezone(UTC).date(), self.currency)

    @property
    def sums(self) -> Sums:
        """What the entry adds to the day's sums."""
        if self.kind == Kind.PAYROLL:
            return Sums(paid=self.amount)
        if self.token.startswith(PAGE):
            return Sums(1, milliseconds(self.seconds), self.amount)
        return Sums(earned=self.amount)


def milliseconds(seconds: float) -> int:
    """Return whole milliseconds, rounded twice: sums in another order differ in their last digits."""
    return round(round(seconds * 1000, 3))


def fold(entries: Iterable[Owed], before: Mapping[Key, Sums] | None = None) -> dict[Key, Sums]:
    """Add up entries in any order, on top of the sums `before`."""
    found = dict(before or {})
    for entry in entries:
        found[entry.key] = found.get(entry.key, Sums()) + entry.sums
    return found


def differences(kept: Mapping[Key, Sums], said: Mapping[Key, Sums]) -> Iterator[str]:
    """Yield a line for each worker's day whose kept sums differ from those of the entries."""
    for key in sorted(kept.keys() | said.keys()):
        here, there = kept.get(key), said.get(key)
        if here != there:
            yield (
                f"worker {key.worker} on {key.day} in {key.currency}: kept is {here or 'nothing'}, "
                f"the entries say {there or 'nothing'}"
            )
