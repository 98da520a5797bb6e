"""What the crowd page asks researchers to look at: submissions, payments, problems and failed calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from annotation.models import Batch
from console.common.keyset import first_rows, keyset_page
from console.common.labels import Look
from console.crowd.labels import PAYMENT_KINDS, PAYMENTS, problem_words
from console.crowd.overview import UNSETTLED
from workflows.crowd.models import Payment, Problem
from workflows.money.domain.currencies import amount
from workflows.platforms.models import ProviderCall
from workflows.workers.models import Participation

MAX_PEOPLE, MAX_PROBLEMS, MAX_FAILED = 20, 20, 8
LATEST_CALLS = 300
"""The account's latest calls that are searched for errors."""


def to_look_at(batch: Batch) -> tuple[list[Participation], bool]:
    """Return unsettled submissions, the most urgent first, and whether there are more."""
    found = Participation.objects.filter(
        publication__batch=batch,
        publication__state__in=UNSETTLED,
        state=Participation.State.SUBMITTED,
    )
    return first_rows(found.select_related("worker", "publication").order_by("deadline", "pk"), MAX_PEOPLE)


@dataclass(frozen=True, slots=True)
class Owed:
    """Payments of a kind and state that are not done."""

    kind: str
    state: Look
    number: int
    amount: str


def owed(batch: Batch, currency: str) -> list[Owed]:
    """Return the batch's payments that are not done, by kind and state. Two queries."""
    found: list[Owed] = []
    # As the indexes' own conditions are written: SQLite takes them for nothing else.
    stuck, due = Q(state__in=(Payment.State.FAILED, Payment.State.WAITING)), Q(state=Payment.State.DUE)
    for which in (stuck, due):
        rows = (
            Payment.objects.filter(which, participation__publication__batch=batch)
            .order_by("state", "kind")
            .values_list("state", "kind")
            .annotate(number=Count("pk"), sum=Sum("amount"))
        )
        found += [
            Owed(PAYMENT_KINDS[kind], PAYMENTS[state], number, amount(total, currency))
            for state, kind, number, total in rows
        ]
    return found


def stuck(batch: Batch) -> list[Payment]:
    """Return payments that the platform refused or that wait for the cap, the newest first."""
    which = Q(state__in=(Payment.State.FAILED, Payment.State.WAITING))  # as the index's condition is written
    found = Payment.objects.filter(which, participation__publication__batch=batch)
    return list(found.select_related("participation__worker").order_by("-pk")[:MAX_FAILED])


@dataclass(frozen=True, slots=True)
class Trouble:
    """An open problem: what it is, what to do, and where to look."""

    problem: Problem
    name: str
    todo: str


def troubles(batch: Batch | None, before: int = 0) -> tuple[list[Trouble], int]:
    """Return the batch's open problems, the newest first, and where the next page begins (0: nowhere).

    Without a batch, return those of the account that belong to no batch.
    """
    rows = Problem.objects.filter(batch=batch, closed_at=None)
    found = keyset_page(
        rows.select_related("publication", "participation__worker"), MAX_PROBLEMS, before=before
    )
    return [Trouble(one, *problem_words(one)) for one in found.rows], found.next


def failed_calls(provider: str, environment: str) -> Sequence[ProviderCall]:
    """Return those of the account's latest calls that failed or never ended."""
    latest = ProviderCall.objects.filter(provider=provider, environment=environment).order_by("-pk")
    bad = [call for call in latest[:LATEST_CALLS] if call.outcome != ProviderCall.Outcome.OK]
    return bad[:MAX_FAILED]
