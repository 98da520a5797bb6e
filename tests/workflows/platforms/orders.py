"""Orders to publish."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from workflows.platforms.provider import Money, Order, Requirements

TOKEN = "5f0c7d1e-0000-4000-8000-000000000001"
BONUS = "5f0c7d1e-0000-4000-8000-00000000b0b0"


def make_order(currency: str = "USD", **fields: Any) -> Order:
    """Return an order of two places at 50 smallest units, open for an hour; `fields` replace its values."""
    usual = Order(
        token=TOKEN,
        annotation="Scenes: first batch, links",
        url="https://groundcrew.example/work/crowd/links/5f0c7d1e/?a=1&b=2",
        title="Do two phrases name the same thing?",
        description="Ten questions about phrases of captions.",
        keywords=("image", "caption"),
        reward=Money(50, currency),
        places=2,
        work_seconds=1800,
        typical_seconds=75,
        lifetime_seconds=3600,
        approval_seconds=3 * 24 * 3600,
        requirements=Requirements(),
    )
    return replace(usual, **fields)
