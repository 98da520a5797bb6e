"""What was spent, from the ledger where a batch has one, and from its pages elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from annotation.models import Batch, Project
from workflows.kept import Kept, kept_of_batches
from workflows.models import Budget


@dataclass(frozen=True, slots=True)
class Spending:
    """By currency, in smallest units. `ledger` says whether any of it is a ledger's."""

    spent: Mapping[str, int] = field(default_factory=dict)
    reserved: Mapping[str, int] = field(default_factory=dict)
    ledger: bool = False


def spending(kept: Kept, *, project: Project | None = None, batch: Batch | None = None) -> Spending:
    """Of the project, or of the batch, whose figures these are. Two queries at most."""
    wanted = Budget.objects.filter(batch=batch) if batch else Budget.objects.filter(batch__project=project)
    budgets = list(wanted)
    if not budgets:
        return Spending(_spent(kept))
    spent, reserved = Counter(_spent(kept)), Counter[str]()
    counted = [kept] if batch else kept_of_batches([one.batch_id for one in budgets]).values()
    for one in counted:  # its pages are in the ledger, too, with what else they cost
        spent.subtract(_spent(one))
    for budget in budgets:
        spent[budget.currency] += budget.spent
        reserved[budget.currency] += budget.reserved
    return Spending(+spent, +reserved, ledger=True)


def _spent(kept: Kept) -> dict[str, int]:
    found = kept.money.currencies if kept.money else {}
    return {currency: one.spent for currency, one in found.items() if one.spent}
