"""What an accepted box, a finished chain and a finished image cost so far."""

from __future__ import annotations

from annotation.models import Batch
from console.crowd.standing import Money
from console.money import amount
from workflows.domain.pipeline import DONE, NONVISUAL
from workflows.kept import kept


def costs_of(batch: Batch, money: Money) -> list[tuple[str, str, str]]:
    """Name, amount, and of how many: the ledger's costs over what was counted last. One query.

    All that was spent is shared out over each kind of result, so the three are not to be added up.
    """
    figures = kept(batch=batch)
    boxes = figures.results.boxes.get("accepted", 0) if figures.results else 0
    states = figures.results.chains_by_state if figures.results else {}
    chains = sum(states.get(state, 0) for state in (DONE, NONVISUAL))
    images = figures.items.images_done if figures.items else 0
    return [
        (name, amount(money.spent / number, money.currency) if number else "–", f"of {number:,}")
        for name, number in (
            ("An accepted box", boxes),
            ("A finished chain", chains),
            ("A finished image", images),
        )
    ]
