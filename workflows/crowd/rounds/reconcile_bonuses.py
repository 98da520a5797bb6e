"""Compare the bonuses that a platform paid with those that we owe."""

from __future__ import annotations

from datetime import datetime

from workflows.crowd.domain.absence import SLACK
from workflows.crowd.models import Payment, Problem, Publication
from workflows.crowd.payments.book import book
from workflows.crowd.payments.owed import SETTLING, State
from workflows.crowd.problems import close_problems
from workflows.crowd.rounds.domain.comparison import Owed, compare_bonuses
from workflows.crowd.rounds.findings import Report
from workflows.money.domain.currencies import amount
from workflows.platforms.provider import Provider


def compare_paid(*, provider: Provider, publication: Publication, report: Report, now: datetime) -> None:
    """Book a publication's bonuses that the platform paid and we had not heard of.

    What was paid twice, unasked, or not at all is reported. Raises ProviderError.
    """
    payments = {
        one.token: one
        for one in Payment.objects.filter(participation__publication=publication)
        .exclude(kind__in=SETTLING)
        .select_related("participation__publication", "participation__worker")
    }
    if not payments and not publication.participations.filter(confirmed=True).exists():
        return
    theirs = list(provider.bonuses(publication.external_id))
    found = compare_bonuses([Owed(one.token, one.state == State.DONE) for one in payments.values()], theirs)
    for token in found.paid:
        if book(payment=payments[token], now=now):
            report.repaired.append(f"{publication}: a bonus was paid, and we had not heard")
    for token in found.doubles:
        report.problem(
            key=f"double:bonus:{token}",
            kind=Problem.Kind.DOUBLE,
            detail=f"A bonus for {payments[token].participation.worker.external_id} was paid more than once.",
            now=now,
            participation=payments[token].participation,
        )
    for bonus in found.orphans:
        report.problem(
            key=f"orphan:bonus:{publication.pk}:{bonus.submission_id}:{bonus.token or bonus.amount.amount}",
            kind=Problem.Kind.ORPHAN,
            detail=f"The platform paid {bonus.worker} a bonus of "
            f"{amount(bonus.amount.amount, bonus.amount.currency)} for {bonus.submission_id} that "
            "nobody asked for here.",
            now=now,
            publication=publication,
        )
    fresh = {token for token, one in payments.items() if one.done_at and one.done_at + SLACK > now}
    there = payments.keys() - set(found.missing)
    report.gone += close_problems(keys=[_missing_key(token) for token in there], now=now)
    for token in found.missing:
        if token in fresh:  # platforms tell of a bonus a little later
            continue
        report.problem(
            key=_missing_key(token),
            kind=Problem.Kind.UNPAID,
            detail=f"A bonus for {payments[token].participation.worker.external_id} is booked here, and the "
            "platform does not tell of it. Look there before paying again.",
            now=now,
            participation=payments[token].participation,
        )


def _missing_key(token: str) -> str:
    return f"unpaid:{token}:missing"
