"""What a batch has cost, from its ledger, and what came of it."""

from __future__ import annotations

from collections import Counter

from django.db.models import Sum
from django.db.models.functions import Coalesce

from annotation.models import Batch, Box, Chain, ImageWork
from workflows.domain.crowd.costs import Costs
from workflows.domain.crowd.ledger import COSTS, Account
from workflows.domain.pipeline import DONE, NONVISUAL, SPLIT, WITHDRAWN
from workflows.models import Budget, LedgerLine
from workflows.services.batches import settings_of


def costs(batch: Batch) -> Costs:
    """Five queries, two of which go through the batch's lines."""
    lines = LedgerLine.objects.filter(entry__batch=batch).order_by()
    accounts = Counter(dict(lines.values_list("account").annotate(Sum("amount"))))
    stage = Coalesce(
        "entry__publication__stage", "entry__participation__publication__stage", "entry__assignment__stage"
    )
    spent = lines.filter(account__in=COSTS).annotate(of=stage).values_list("of").annotate(Sum("amount"))
    budget = Budget.objects.filter(batch=batch).first()
    settings = settings_of(batch)
    # As `count_results` counts them: not of images that were let go.
    chains = Chain.objects.filter(work__batch=batch, work__active=True)
    boxes = Box.objects.filter(chain__in=chains.exclude(state__in=(SPLIT, WITHDRAWN)))
    return Costs(
        currency=budget.currency if budget else settings.currency,
        rewards=accounts[Account.REWARDS],
        bonuses=accounts[Account.BONUSES],
        fees=accounts[Account.FEES],
        reserved=accounts[Account.RESERVED],
        payable=-accounts[Account.PAYABLE],
        cap=budget.cap if budget else settings.crowd.cap,
        boxes=boxes.filter(state=Box.State.ACCEPTED).count(),
        chains=chains.filter(state__in=(DONE, NONVISUAL)).count(),
        images=batch.works.filter(active=True, state=ImageWork.State.DONE).count(),
        stages={name: amount for name, amount in spent if name and amount},
    )
