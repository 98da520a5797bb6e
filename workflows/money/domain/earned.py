"""What workers whom we pay ourselves earned a day, as it is kept beside the ledger: its entries, added up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime

from workflows.money.domain.ledger import Kind

PAGE = f"{Kind.EARN}:page:"
"""How the token of an entry begins that is a page's reward."""


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """One worker's day in a batch."""

    worker: int
    day: date  # UTC, on which it was owed: also of what was paid of it later
    currency: str


@dataclass(frozen=True, slots=True)
class Sums:
    """What a day came to; amounts in the smallest unit of the currency."""

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
    """An entry on what is owed to a worker: an earning, or that one was paid."""

    kind: str
    token: str
    worker: int
    currency: str
    at: datetime  # when it was earned, also of a payment
    amount: int  # above 0
    seconds: float = 0.0  # that its page took, of a page's reward

    @property
    def key(self) -> Key:
        """Where it belongs."""
        return Key(self.worker, self.at.astimezone(UTC).date(), self.currency)

    @property
    def sums(self) -> Sums:
        """What it adds."""
        if self.kind == Kind.PAYROLL:
            return Sums(paid=self.amount)
        if self.token.startswith(PAGE):
            return Sums(1, milliseconds(self.seconds), self.amount)
        return Sums(earned=self.amount)


def milliseconds(seconds: float) -> int:
    """Rounded twice: a sum of times in another order differs in its last digits, and must not differ here."""
    return round(round(seconds * 1000, 3))


def fold(entries: Iterable[Owed], before: Mapping[Key, Sums] | None = None) -> dict[Key, Sums]:
    """What the entries come to, in any order, on top of what was there before."""
    found = dict(before or {})
    for entry in entries:
        found[entry.key] = found.get(entry.key, Sums()) + entry.sums
    return found


def differences(kept: Mapping[Key, Sums], said: Mapping[Key, Sums]) -> Iterator[str]:
    """Where what is kept is not what the entries say, one line a worker's day."""
    for key in sorted(kept.keys() | said.keys()):
        here, there = kept.get(key), said.get(key)
        if here != there:
            yield (
                f"worker {key.worker} on {key.day} in {key.currency}: kept is {here or 'nothing'}, "
                f"the entries say {there or 'nothing'}"
            )
