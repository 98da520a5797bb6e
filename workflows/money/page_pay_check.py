"""Compare what the ledger says that pages earned with the pages themselves: part of `verify_ledger`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.db.models import F, Q, QuerySet

from annotation.models import Assignment
from workflows.core.models import AuditEntry
from workflows.money.domain.currencies import amount as money
from workflows.money.domain.earned import PAGE
from workflows.money.domain.ledger import Account, Kind
from workflows.money.models import Budget, LedgerEntry, LedgerLine

ROWS_AT_ONCE = 2000
TOP_UP = f"{Kind.EARN}:top-up:"
EXTRA_PAY = "crowd.part"
"""The action under which the audit log has pay that a researcher added for a page."""


def wrong_page_pay(project_id: int | None) -> Iterator[str]:
    """Yield a line for each earning that does not agree with its page, in one project or in all.

    A page earns its reward once, under its own token, for its own worker, in its own batch and currency. What
    a researcher added is in the audit log as well.
    """
    earned = LedgerEntry.objects.filter(kind=Kind.EARN, assignment__isnull=False)
    if project_id is not None:
        earned = earned.filter(batch__project=project_id)
    yield from _elsewhere(earned)
    rewards = LedgerLine.objects.filter(entry__in=earned, account=Account.REWARDS).order_by("entry")
    columns = ("entry__token", "amount", "entry__currency", "entry__assignment", "entry__assignment__reward")
    for token, amount, currency, page, promised in rewards.values_list(*columns).iterator(ROWS_AT_ONCE):
        if token != f"{PAGE}{page}":
            yield f"{token}: it pays the reward of page {page}, which has its own entry {PAGE}{page}"
        elif amount != promised:
            was, said = money(amount, currency), money(promised, currency)
            yield f"{token}: it pays {was}, and the page was promised {said}"
    yield from _without_a_decision(earned)


def _elsewhere(earned: QuerySet[LedgerEntry]) -> Iterator[str]:
    """Yield a line for each earning whose worker or batch is not its page's, and each unfinished paid page.

    A reward is also in the currency of its page.
    """
    same = Q(worker=F("assignment__worker"), batch=F("assignment__batch"))
    done = Q(currency=F("assignment__currency"), assignment__state=Assignment.State.SUBMITTED)
    right = same & (done | ~Q(token__startswith=PAGE))
    wrong = earned.exclude(right).order_by("pk").values_list("token", "assignment")
    for token, page in wrong.iterator(ROWS_AT_ONCE):
        yield f"{token}: page {page} has another worker, batch, currency or state"


def _without_a_decision(earned: QuerySet[LedgerEntry]) -> Iterator[str]:
    """Yield a line for each page with more extra pay than researchers gave it by the audit log."""
    lines = LedgerLine.objects.filter(entry__in=earned, account=Account.BONUSES)
    lines = lines.exclude(entry__token__startswith=TOP_UP).order_by("entry")
    paid = Counter[str]()
    for page, amount in lines.values_list("entry__assignment", "amount").iterator(ROWS_AT_ONCE):
        paid[str(page)] += amount
    given = Counter[str]()
    for detail in (
        AuditEntry.objects.filter(action=EXTRA_PAY).values_list("detail", flat=True) if paid else ()
    ):
        given[str(detail.get("page"))] += detail.get("amount", 0)
    for name in sorted(paid):
        if paid[name] > given[name]:
            yield f"page {name}: it has extra pay that nobody gave it by the audit log"


def wrong_caps(project_id: int | None) -> Iterator[str]:
    """Yield a line for each budget (in one project or in all) whose cap is not that of the settings."""
    budgets = Budget.objects.select_related("batch").order_by("batch")
    if project_id is not None:
        budgets = budgets.filter(batch__project=project_id)
    for budget in budgets:
        said = (budget.batch.settings.get("crowd") or {}).get("cap")
        if budget.cap != said:
            yield f"batch {budget.batch_id}: its budget has the cap {budget.cap}, its settings {said}"
