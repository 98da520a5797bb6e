"""What a batch has cost, from its ledger or budget, and what its results cost."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from django.db.models import Sum
from django.db.models.functions import Coalesce

from annotation.models import Batch
from workflows.analysis.counts.results import count_results
from workflows.analysis.counts.selectors import kept
from workflows.analysis.counts.targets import Target
from workflows.analysis.counts.work import count_items
from workflows.analysis.domain.costs import Costs, ResultCost, costs_of_results, outcome_of
from workflows.batch_settings.selectors import settings_of
from workflows.money.domain.ledger import COSTS, Account
from workflows.money.models import Budget, LedgerLine


def costs_now(batch: Batch, *, now: datetime) -> Costs:
    """Return the costs of the batch, with its results counted now.

    Reads every ledger line of the batch and counts its items, which is too slow for a page.
    """
    lines = LedgerLine.objects.filter(entry__batch=batch).order_by()
    accounts = Counter(dict(lines.values_list("account").annotate(Sum("amount"))))
    stage = Coalesce(
        "entry__publication__stage", "entry__participation__publication__stage", "entry__assignment__stage"
    )
    spent = lines.filter(account__in=COSTS).annotate(of=stage).values_list("of").annotate(Sum("amount"))
    budget = Budget.objects.filter(batch=batch).first()
    settings = settings_of(batch)
    target = Target(batch.project_id, batch.pk, (batch.pk,))
    return Costs(
        currency=budget.currency if budget else settings.currency,
        rewards=accounts[Account.REWARDS],
        bonuses=accounts[Account.BONUSES],
        fees=accounts[Account.FEES],
        models=accounts[Account.MODELS],
        reserved=accounts[Account.RESERVED],
        payable=-accounts[Account.PAYABLE],
        cap=budget.cap if budget else settings.crowd.cap,
        outcome=outcome_of(count_results(target, now), count_items(target, now)),
        stages={name: amount for name, amount in spent if name and amount},
    )


def kept_costs_of_results(batch: Batch, *, spent: int) -> tuple[ResultCost, ...]:
    """Return the cost of one result of each kind, by the counts that are kept for pages. One query.

    `spent` is what the batch's budget says, in smallest units.
    """
    figures = kept(batch=batch)
    return costs_of_results(spent, outcome_of(figures.results, figures.items))
