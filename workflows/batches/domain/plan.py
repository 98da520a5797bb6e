"""The forecast of a batch as it was at its launch, which its days are compared with.

A forecast that is worked out later knows the batch's own judgments, so it says nothing about the plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from workflows.batches.domain.forecast import Forecast, Range


@dataclass(frozen=True, slots=True)
class Plan:
    """What a batch of `images` was forecast to take in all, with so many workers."""

    images: int
    workers: int
    judgments: Range
    hours: Range  # of all workers together
    rewards: Range  # in the currency's smallest unit
    currency: str  # ISO 4217

    @classmethod
    def of(cls, seen: Forecast, currency: str) -> Self:
        """Return what to keep of a forecast."""
        total = seen.total
        return cls(seen.images, seen.workers, total.judgments, total.hours, total.money, currency)

    def to_json(self) -> dict[str, Any]:
        """Return plain values. `read_plan` reads them back."""
        ranges = {name: getattr(self, name) for name in _RANGES}
        return {
            "images": self.images,
            "workers": self.workers,
            "currency": self.currency,
            **{name: [one.low, one.middle, one.high] for name, one in ranges.items()},
        }


_RANGES = ("judgments", "hours", "rewards")


def read_plan(data: Mapping[str, Any]) -> Plan | None:
    """Return the plan that `to_json` wrote, or None if the batch was launched before any was kept."""
    if not data:
        return None
    ranges = {name: Range(*data[name]) for name in _RANGES}
    return Plan(images=data["images"], workers=data["workers"], currency=data["currency"], **ranges)
