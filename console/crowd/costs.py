"""What an accepted box, a finished chain and a finished image cost so far."""

from __future__ import annotations

from annotation.models import Batch
from console.crowd.overview import Money
from workflows.analysis.costs import kept_costs_of_results
from workflows.money.domain.currencies import amount

NAMES = {
    "accepted box": "An accepted box",
    "finished chain": "A finished chain",
    "finished image": "A finished image",
}


def costs_of(batch: Batch, money: Money) -> list[tuple[str, str, str]]:
    """Return the name of each kind of result, what one costs, and of how many. One query."""
    return [
        (
            NAMES[one.result],
            "–" if one.cost is None else amount(float(one.cost), money.currency),
            f"of {one.number:,}",
        )
        for one in kept_costs_of_results(batch, spent=money.spent)
    ]
