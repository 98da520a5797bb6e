"""What was spent: from a batch's ledger if it has one, else from its pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workflows.analysis.counts.selectors import Kept, kept_of_batches
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.selectors import settings_of
from workflows.money.models import Budget


@dataclass(frozen=True, slots=True)
class Spending:
    """Amounts by currency, in smallest units.

    `ledger` is whether any of them comes from a ledger, and `fees` whether a platform takes fees of those.
    """

    spent: Mapping[str, int] = field(default_factory=dict)
    reserved: Mapping[str, int] = field(default_factory=dict)
    ledger: bool = False
    fees: bool = False


def spending_of_projects(kept: Mapping[int, Kept]) -> dict[int, Spending]:
    """Return the spending of the projects with these figures, by id. At most two queries."""
    ledgers: dict[int, list[Budget]] = defaultdict(list)
    for budget in Budget.objects.filter(batch__project__in=kept).select_related("batch"):
        ledgers[budget.batch.project_id].append(budget)
    batches = [budget.batch_id for budgets in ledgers.values() for budget in budgets]
    pages = kept_of_batches(batches, kinds=("money",)) if batches else {}
    return {
        pk: _spending(one, [(budget, pages[budget.batch_id]) for budget in ledgers[pk]])
        for pk, one in kept.items()
    }


def spending_of_batches(kept: Mapping[int, Kept]) -> dict[int, Spending]:
    """Return the spending of the batches with these figures, by id. One query."""
    ledgers = {
        budget.batch_id: budget for budget in Budget.objects.filter(batch__in=kept).select_related("batch")
    }
    return {pk: _spending(one, [(ledgers[pk], one)] if pk in ledgers else []) for pk, one in kept.items()}


def _spending(kept: Kept, ledgers: Sequence[tuple[Budget, Kept]]) -> Spending:
    """`kept` has the pages of all batches; with each ledger come the figures of its own."""
    spent, reserved = Counter(_spent(kept)), Counter[str]()
    for budget, one in ledgers:
        spent.subtract(_spent(one))  # its pages are in the ledger, too, with what else they cost
        spent[budget.currency] += budget.spent
        reserved[budget.currency] += budget.reserved
    fees = any(settings_of(budget.batch).crowd.provider != DIRECT for budget, _ in ledgers)
    return Spending(+spent, +reserved, ledger=bool(ledgers), fees=fees)


def _spent(kept: Kept) -> dict[str, int]:
    found = kept.money.currencies if kept.money else {}
    return {currency: one.spent for currency, one in found.items() if one.spent}
