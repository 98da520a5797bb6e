"""What is owed on a platform: stored with its token, its money reserved, before anything is called."""

from __future__ import annotations

from datetime import datetime

from annotation.transactions import write_transaction
from workflows.crowd.models import Payment, Problem
from workflows.crowd.problems import close_problems, raise_problem
from workflows.crowd.provider import Provider
from workflows.crowd.publications.reservations import next_own, own_reservations
from workflows.crowd.transitions import move
from workflows.money import ledger
from workflows.money.domain.currencies import amount as money
from workflows.workers.models import Participation

Kind, State = Payment.Kind, Payment.State
SETTLING = (Kind.REWARD, Kind.REFUSAL)
"""A participation has one payment of these: its reward is paid or refused."""


def owe_reward(*, participation: Participation, now: datetime, by: str = "") -> Payment:
    """The payment that settles the participation, made on the first call. Its money is the publication's."""
    with write_transaction():
        Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
        found = Payment.objects.filter(participation=participation, kind__in=SETTLING).first()
        if found is not None:
            return found
        publication = participation.publication
        return Payment.objects.create(
            participation=participation,
            kind=Kind.REWARD,
            token=f"reward-{participation.pk}",
            amount=publication.reward,
            fee=publication.fee,
            currency=publication.currency,
            by=by[:150],
            created_at=now,
        )


def owe_more(
    *,
    provider: Provider,
    participation: Participation,
    kind: Payment.Kind,
    amount: int,
    reason: str,
    token: str,
    now: datetime,
    by: str = "",
) -> Payment:
    """A bonus, top-up or part of `amount`; with the same token again, what was owed then.

    Where the batch's cap leaves no room it waits, which is a problem for a researcher.
    """
    with write_transaction():
        found = Payment.objects.filter(token=token).first()
        if found is not None:
            return found
        payment = Payment.objects.create(
            participation=participation,
            kind=kind,
            token=token,
            amount=amount,
            fee=provider.bonus_fee(amount),
            currency=participation.publication.currency,
            reason=reason,
            by=by[:150],
            state=State.WAITING,
            created_at=now,
        )
        bind(payment=payment, now=now)
    return payment


def bind(*, payment: Payment, now: datetime) -> bool:
    """Reserve a waiting payment's money, then it is due; False, and a problem, where the cap is met.

    False, too, where it does not wait any more.
    """
    publication = payment.participation.publication
    try:
        with write_transaction():
            # Before the budget, as whoever books a payment locks them.
            locked = Payment.objects.select_for_update(no_key=True)
            if locked.filter(pk=payment.pk, state=State.WAITING).first() is None:
                return False
            if not any(map(ledger.still_reserved, own_reservations(payment))):
                ledger.reserve(
                    batch_id=publication.batch_id,
                    token=next_own(payment),  # what was let go of before is bound under another
                    amount=payment.amount + payment.fee,
                    currency=payment.currency,
                    now=now,
                    publication_id=publication.pk,
                    participation_id=payment.participation_id,
                )
            move(payment, State.DUE, error="")
    except ledger.CapError as error:
        say_unpaid(payment=payment, why=f"{error}. Raise the batch's cap, and it is paid.", now=now)
        return False
    close_problems(keys=[unpaid_key(payment)], now=now)
    return True


def unpaid_key(payment: Payment) -> str:
    return f"unpaid:{payment.token}"


def say_unpaid(*, payment: Payment, why: str, now: datetime) -> bool:
    """A problem: somebody did not get what they were promised."""
    participation = payment.participation
    return raise_problem(
        key=unpaid_key(payment),
        kind=Problem.Kind.UNPAID,
        detail=f"{payment.get_kind_display()} of {money(payment.amount, payment.currency)} for "
        f"{participation.worker.external_id}, {participation.external_id}: {why}",
        now=now,
        participation=participation,
    )
