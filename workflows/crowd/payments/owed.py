"""What we owe on a platform. It is stored with its token, and its money reserved, before any call."""

from __future__ import annotations

from datetime import datetime

from annotation.transactions import write_transaction
from workflows.crowd.models import Payment, Problem
from workflows.crowd.problems import close_problems, raise_problem
from workflows.crowd.publications.reservations import next_own, own_reservations
from workflows.crowd.transitions import move
from workflows.money import ledger
from workflows.money.domain.currencies import amount as money
from workflows.platforms.provider import Provider
from workflows.workers.models import Participation

Kind, State = Payment.Kind, Payment.State
SETTLING = (Kind.REWARD, Kind.REFUSAL)
"""The kinds that settle a participation, which has one payment of them: its reward is paid or refused."""
OF_PLACES = (*SETTLING, Kind.SCREENED)
"""The kinds that a platform tells by the state of a place. All others are bonuses there."""


def owe_reward(*, participation: Participation, now: datetime, by: str = "") -> Payment:
    """Return the payment that settles the participation; make it on the first call.

    Its money is what the publication has reserved.
    """
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


def owe_screen_out(*, participation: Participation, now: datetime) -> Payment:
    """Return what the worker of a place is paid for a failed test; make it on the first call."""
    publication = participation.publication
    with write_transaction():
        Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
        payment, _ = Payment.objects.get_or_create(
            participation=participation,
            kind=Kind.SCREENED,
            defaults={
                "token": f"screened-{participation.pk}",
                "amount": publication.screen_out,
                "fee": publication.screen_out_fee,
                "currency": publication.currency,
                "created_at": now,
            },
        )
    return payment


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
    """Owe a bonus, top-up or part of `amount` smallest units; return it, or what has this token already.

    If the batch's cap leaves no room, the payment waits and a problem is raised.
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
    """Reserve a waiting payment's money, so that it is due.

    Returns False if it does not wait any more, or if the cap leaves no room; then a problem is raised.
    """
    publication = payment.participation.publication
    try:
        with write_transaction():
            # Lock the payment before the budget, in the order in which `book` locks them.
            locked = Payment.objects.select_for_update(no_key=True)
            if locked.filter(pk=payment.pk, state=State.WAITING).first() is None:
                return False
            if not any(map(ledger.still_reserved, own_reservations(payment))):
                ledger.reserve(
                    batch_id=publication.batch_id,
                    token=next_own(payment),  # money that was released before needs another token
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
    """Return the key of the problem that somebody did not get this payment."""
    return f"unpaid:{payment.token}"


def say_unpaid(*, payment: Payment, why: str, now: datetime) -> bool:
    """Raise the problem that somebody did not get what they were promised; return whether it is new."""
    participation = payment.participation
    return raise_problem(
        key=unpaid_key(payment),
        kind=Problem.Kind.UNPAID,
        detail=f"{payment.get_kind_display()} of {money(payment.amount, payment.currency)} for "
        f"{participation.worker.external_id}, {participation.external_id}: {why}",
        now=now,
        participation=participation,
    )
