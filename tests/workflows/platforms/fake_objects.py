"""The objects that the platform in memory keeps."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from workflows.platforms.provider import Bonus, Order, Stand, Submitted


@dataclass(slots=True)
class Assignment:
    external_id: str
    worker: str
    stand: Stand = Stand.WORKING
    submitted_at: datetime | None = None
    feedback: str = ""

    def submitted(self, publication_id: str) -> Submitted:
        return Submitted(
            external_id=self.external_id,
            publication_id=publication_id,
            worker=self.worker,
            stand=self.stand,
            submitted_at=self.submitted_at,
            deadline=None,
        )


@dataclass(slots=True)
class Publication:
    external_id: str
    order: Order
    fee: int  # a place
    expires_at: datetime
    extensions: dict[str, int] = field(default_factory=dict)  # places by token
    assignments: list[Assignment] = field(default_factory=list)

    @property
    def places(self) -> int:
        return self.order.places + sum(self.extensions.values())

    @property
    def cost(self) -> int:
        """The cost of a place, with its fee."""
        return self.order.reward.amount + self.fee

    @property
    def unsettled(self) -> int:
        return len(self.standing(Stand.WORKING)) + len(self.standing(Stand.SUBMITTED))

    @property
    def decided(self) -> int:
        return len(self.standing(Stand.APPROVED)) + len(self.standing(Stand.REJECTED))

    def standing(self, stand: Stand) -> list[Assignment]:
        return [each for each in self.assignments if each.stand == stand]

    def free(self, now: datetime) -> int:
        """Return the places that somebody could take now."""
        taken = len(self.assignments) - len(self.standing(Stand.RETURNED))
        return self.places - taken if self.expires_at > now else 0

    def deadline(self, each: Assignment) -> datetime:
        """Return the time at which the platform approves by itself."""
        assert each.submitted_at is not None
        return each.submitted_at + timedelta(seconds=self.order.approval_seconds)


@dataclass(frozen=True, slots=True)
class Paid:
    publication_id: str
    bonus: Bonus
    fee: int
