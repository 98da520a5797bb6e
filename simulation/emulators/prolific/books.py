"""The emulator's own books: what was paid, entry by entry, in whole cents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Entry:
    kind: str  # top-up, reward, bonus
    amount: int
    fee: int
    study: str
    submission: str
    at: datetime


@dataclass(slots=True)
class Books:
    fee_per_mille: int = 428
    currency: str = "GBP"
    entries: list[Entry] = field(default_factory=list)

    def fee(self, amount: int) -> int:
        """Of a reward or bonus; a started cent is a cent."""
        return -(-amount * self.fee_per_mille // 1000)

    def cost(self, amount: int) -> int:
        return amount + self.fee(amount)

    def top_up(self, amount: int, at: datetime) -> None:
        self.entries.append(Entry("top-up", amount, 0, "", "", at))

    def pay(self, kind: str, amount: int, *, study: str, submission: str, at: datetime) -> None:
        self.entries.append(Entry(kind, amount, self.fee(amount), study, submission, at))

    @property
    def total(self) -> int:
        """Return what is left, what is set aside for studies included."""
        return sum(one.amount if one.kind == "top-up" else -one.amount - one.fee for one in self.entries)

    def paid(self, kind: str, studies: Iterable[str] = ()) -> int:
        """Without fees."""
        wanted = set(studies)
        return sum(
            one.amount for one in self.entries if one.kind == kind and (not wanted or one.study in wanted)
        )
