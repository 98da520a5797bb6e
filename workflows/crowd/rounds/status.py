"""The status of our accounts, publications, payments and problems on platforms, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Sum

from workflows.crowd.models import Payment, Problem, Publication
from workflows.crowd.rounds.collect import OVER
from workflows.money.domain.currencies import amount
from workflows.money.models import Budget
from workflows.platforms.registry import environments

SHOWN = 50
"""How many payments, and how many problems, are listed."""


def status_lines() -> Iterator[str]:
    """Yield accounts, publications by stage and state, budgets, payments not made yet, and open problems."""
    there = environments()
    yield "accounts: " + (", ".join(f"{name} ({where})" for name, where in there.items()) or "none")
    yield from _publications()
    for budget in Budget.objects.select_related("batch").order_by("pk"):
        cap = "no cap" if budget.cap is None else f"cap {amount(budget.cap, budget.currency)}"
        reserved, spent = (amount(units, budget.currency) for units in (budget.reserved, budget.spent))
        yield f"{budget.batch.name}: {cap}, reserved {reserved}, spent {spent}"
    unpaid = Payment.objects.exclude(state__in=OVER).select_related("participation__worker")
    for payment in unpaid.order_by("pk")[:SHOWN]:
        money = amount(payment.amount, payment.currency)
        yield (
            f"payment {payment.pk}: {payment.state}, {payment.kind} of {money} "
            f"for {payment.participation.worker.external_id} ({payment.participation}) {payment.error}"
        ).rstrip()
    for problem in Problem.objects.filter(closed_at=None).order_by("pk")[:SHOWN]:
        yield f"problem {problem.pk}: {problem.kind}: {problem.detail}"


def _publications() -> Iterator[str]:
    """Yield a line for each batch, stage and state, with the platform's ids of the latest three."""
    order = ("provider", "environment", "batch__name", "stage", "state")
    for row in (
        Publication.objects.values(*order).annotate(n=Count("pk"), total=Sum("places")).order_by(*order)
    ):
        same = {name: row[name] for name in order}
        ids = Publication.objects.filter(**same).exclude(external_id="").order_by("-pk")
        few = ", ".join(ids.values_list("external_id", flat=True)[:3])
        more = ", …" if row["n"] > 3 else ""
        where = f"{row['provider']} ({row['environment']}) {row['batch__name']} {row['stage']}"
        named = f" ({few}{more})" if few else ""
        yield f"{where}: {row['n']} {row['state']}, {row['total']} places{named}"
