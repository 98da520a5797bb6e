"""What an accepted box, a finished chain and a finished image cost so far."""

from __future__ import annotations

from annotation.models import Batch
from console.crowd.overview import Money
from workflows.analysis.counts.selectors import kept
from workflows.analysis.domain.costs import each, outcome
from workflows.money.domain.currencies import amount


def costs_of(batch: Batch, money: Money) -> list[tuple[str, str, str]]:
    """Name, amount, and of how many: the ledger's costs over what was counted last. One query.

    All that was spent is shared out over each kind of result, so the three are not to be added up.
    """
    figures = kept(batch=batch)
    found = outcome(figures.results, figures.items)
    return [
        (name, "–" if one is None else amount(float(one), money.currency), f"of {number:,}")
        for name, number, one in (
            (name, number, each(money.spent, number))
            for name, number in (
                ("An accepted box", found.boxes),
                ("A finished chain", found.chains),
                ("A finished image", found.images),
            )
        )
    ]
