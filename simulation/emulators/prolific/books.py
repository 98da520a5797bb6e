"""The emulator's own books: every payment, in whole cents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Entry:
    kind: str  # top-up, reward, bonus, screen-out
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
        """Return the fee on a reward or bonus, rounded up to a cent."""
        return -(-amount * self.fee_per_mille // 1000)

    def cost(self, amount: int) -> int:
        return amount + self.fee(amount)

    def top_up(self, amount: int, at: datetime) -> None:
        self.entries.append(Entry("top-up", amount, 0, "", "", at))

    def pay(self, kind: str, amount: int, *, study: str, submission: str, at: datetime) -> None:
        self.entries.append(Entry(kind, amount, self.fee(amount), study, submission, at))

    @property
    def total(self) -> int:
        """Return the cents that are left, with those that are set aside for studies."""
        return sum(one.amount if one.kind == "top-up" else -one.amount - one.fee for one in self.entries)

    def paid(self, kind: str, studies: Iterable[str] = ()) -> int:
        """Return the cents that were paid, without fees."""
        wanted = set(studies)
        return sum(
            one.amount for one in self.entries if one.kind == kind and (not wanted or one.study in wanted)
        )
