"""Stores what a platform paid or refused: payment, participation and ledger in one transaction, once."""

from __future__ import annotations

from datetime import datetime

from annotation.transactions import write_transaction
from workflows.models import Participation, Payment, Publication
from workflows.services import ledger
from workflows.services.crowd.moving import move
from workflows.services.crowd.owing import SETTLING, Kind, State, owe_reward, say_unpaid, unpaid_key
from workflows.services.crowd.problems import close_problems
from workflows.services.crowd.releasing import reservations


def book(*, payment: Payment, now: datetime) -> bool:
    """The platform did what was asked: whether it is stored now; False where it was stored before.

    Where the batch's cap leaves no room for what the platform paid, the payment waits for a higher one.
    """
    participation = payment.participation
    try:
        with write_transaction():
            # The order of locks: publication, participation, payment, budget.
            publication = Publication.objects.select_for_update(no_key=True).get(
                pk=participation.publication_id
            )
            if not move(payment, State.DONE, done_at=now, error=""):
                return False
            if payment.kind == Kind.REFUSAL:
                move(participation, Participation.State.REJECTED, settled_at=now)
            else:
                _spend(payment, publication, now)
            if payment.kind == Kind.REWARD:
                move(participation, Participation.State.APPROVED, settled_at=now)
    except ledger.CapError as error:
        _wait(
            payment, f"the platform has paid it, but {error}. Raise the batch's cap, and it is booked.", now
        )
        return False
    close_problems(keys=[unpaid_key(payment)], now=now)
    return True


def secure(*, payment: Payment, now: datetime) -> bool:
    """Whether a reward's money is bound before it is paid; else it is bound now, or waits for a higher cap."""
    try:
        with write_transaction():
            publication = Publication.objects.select_for_update(no_key=True).get(
                pk=payment.participation.publication_id
            )
            _bound_under(payment, publication, now)
    except ledger.CapError as error:
        _wait(payment, f"{error}. Raise the batch's cap, and it is paid.", now)
        return False
    return True


def _wait(payment: Payment, why: str, now: datetime) -> None:
    payment.refresh_from_db()
    move(payment, State.WAITING, error=why)
    say_unpaid(payment=payment, why=why, now=now)


def _bound_under(payment: Payment, publication: Publication, now: datetime) -> str:
    """The token that the payment's money is reserved under: for a reward one of the publication's, if any has
    enough left, else its own, which is made. Raises CapError. The publication's row is locked."""
    whole = payment.amount + payment.fee
    enough = (one for one in reservations(publication) if ledger.still_reserved(one) >= whole)
    if payment.kind == Kind.REWARD and (found := next(enough, None)):
        return found
    if whole:
        ledger.reserve(
            batch_id=publication.batch_id,
            token=payment.token,
            amount=whole,
            currency=payment.currency,
            now=now,
            publication_id=publication.pk,
            participation_id=payment.participation_id,
        )
    return payment.token


def _spend(payment: Payment, publication: Publication, now: datetime) -> None:
    """Out of the publication's reservation, or the payment's own, which is made where there is none left."""
    if not payment.amount + payment.fee:
        return
    under = _bound_under(payment, publication, now)
    reward = payment.kind == Kind.REWARD
    ledger.commit(
        token=payment.token,
        reserved_under=under,
        rewards=payment.amount if reward else 0,
        bonuses=0 if reward else payment.amount,
        fees=payment.fee,
        now=now,
        publication_id=publication.pk,
        participation_id=payment.participation_id,
        worker_id=payment.participation.worker_id,
    )


def platform_paid(*, participation: Participation, now: datetime) -> bool:
    """The platform says that it is approved, by us or by itself; False where we knew."""
    if participation.state == Participation.State.APPROVED:
        return False
    payment = override(participation=participation, now=now)
    return book(payment=payment, now=now)


def override(*, participation: Participation, now: datetime, by: str = "") -> Payment:
    """The participation's reward, due; what was to be refused, or was, is owed from now on."""
    payment = owe_reward(participation=participation, now=now, by=by)
    if payment.kind == Kind.REFUSAL:
        refusal = Payment.objects.filter(pk=payment.pk, kind=Kind.REFUSAL)
        refusal.update(kind=Kind.REWARD, state=State.DUE, done_at=None, error="", by=by[:150])
    payment.refresh_from_db()
    return payment


def platform_refused(*, participation: Participation, now: datetime) -> bool:
    """The platform says that it is rejected, by us or by somebody there; False where we knew."""
    if participation.state == Participation.State.REJECTED:
        return False
    with write_transaction():
        Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
        payment = Payment.objects.filter(participation=participation, kind__in=SETTLING).first()
        if payment is None:
            payment = owe_reward(participation=participation, now=now)
            payment.kind = Kind.REFUSAL
            payment.save(update_fields=["kind"])
        elif payment.kind == Kind.REWARD:
            # Owed by us, and somebody rejected it there: approving overrides that.
            return False
    return book(payment=payment, now=now)
