"""Stores what a platform paid or refused: payment, participation and ledger in one transaction, once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from annotation.transactions import write_transaction
from workflows.crowd.models import Payment, Publication
from workflows.crowd.payments.owed import SETTLING, Kind, State, owe_reward, say_unpaid, unpaid_key
from workflows.crowd.problems import close_problems
from workflows.crowd.publications.reservations import next_own, own_reservations, release_own, reservations
from workflows.crowd.transitions import move
from workflows.money import ledger
from workflows.workers.models import Participation


def book(*, payment: Payment, now: datetime) -> bool:
    """The platform did what was asked: whether it is stored now; False where it was stored before, or where
    something else is owed by now: a reward that was to be refused is paid by the next round.

    Where the batch's cap leaves no room for what the platform paid, the payment waits for a higher one.
    """
    try:
        with write_transaction():
            rows = lock_rows(payment)
            if rows is None or not move(payment, State.DONE, done_at=now, error=""):
                return False
            if payment.kind == Kind.REFUSAL:
                move(rows.participation, Participation.State.REJECTED, settled_at=now)
            elif payment.kind == Kind.REWARD:
                move(rows.participation, Participation.State.APPROVED, settled_at=now)
            if payment.kind != Kind.REFUSAL:
                _spend(payment, rows.publication, now)
    except ledger.CapError as error:
        _wait(
            payment, f"the platform has paid it, but {error}. Raise the batch's cap, and it is booked.", now
        )
        return False
    close_problems(keys=[unpaid_key(payment)], now=now)
    return True


def secure(*, payment: Payment, now: datetime) -> bool:
    """Whether it is due, still as it is in hand, and its money bound: only then is the platform asked.

    A reward's money is bound now where it was let go of, or the reward waits for a higher cap.
    """
    try:
        with write_transaction():
            rows = lock_rows(payment)
            if rows is None or rows.payment.state != State.DUE:
                return False
            if payment.kind == Kind.REWARD:
                _bound_under(payment, rows.publication, now)
    except ledger.CapError as error:
        _wait(payment, f"{error}. Raise the batch's cap, and it is paid.", now)
        return False
    return True


def put_aside(*, payment: Payment, error: str) -> bool:
    """The platform refuses what was asked; False where something else is owed by now."""
    with write_transaction():
        return lock_rows(payment) is not None and move(payment, State.FAILED, error=error)


def drop_moot(*, payment: Payment, now: datetime) -> bool:
    """Take back a reward or refusal of a place that was given back: no platform does either.

    Whoever takes the place again and submits is owed anew. Money that it has bound for itself is let go of.
    """
    with write_transaction():
        rows = lock_rows(payment)
        if (
            rows is None
            or rows.payment.state == State.DONE
            or rows.participation.state != Participation.State.RETURNED
        ):
            return False
        release_own(payment=rows.payment, now=now)
        rows.payment.delete()
    close_problems(keys=[unpaid_key(payment)], now=now)
    return True


@dataclass(frozen=True, slots=True)
class Rows:
    """Of a payment, as they are while they are locked."""

    publication: Publication
    participation: Participation
    payment: Payment


def lock_rows(payment: Payment) -> Rows | None:
    """In the order of locks (publication, participation, payment, then budget); None where the payment is
    not of the kind in hand any more: somebody approved what was to be refused."""
    publication = Publication.objects.select_for_update(no_key=True).get(
        pk=payment.participation.publication_id
    )
    participation = Participation.objects.select_for_update(no_key=True).get(pk=payment.participation_id)
    same = Payment.objects.select_for_update(no_key=True).filter(pk=payment.pk, kind=payment.kind)
    current = same.first()
    return Rows(publication, participation, current) if current else None


def _wait(payment: Payment, why: str, now: datetime) -> None:
    payment.refresh_from_db()
    move(payment, State.WAITING, error=why)
    say_unpaid(payment=payment, why=why, now=now)


def _bound_under(payment: Payment, publication: Publication, now: datetime) -> str:
    """The token that the payment's money is reserved under: its own, which nobody else lets go of, or for a
    reward one of the publication's, if any has enough left; else its own is made, also where it was let go
    of. Raises CapError. The publication's row is locked."""
    whole = payment.amount + payment.fee
    bound = own_reservations(payment)
    if payment.kind == Kind.REWARD:
        bound += reservations(publication)
    if found := next((one for one in bound if ledger.still_reserved(one) >= whole), None):
        return found
    token = next_own(payment)
    if whole:
        ledger.reserve(
            batch_id=publication.batch_id,
            token=token,
            amount=whole,
            currency=payment.currency,
            now=now,
            publication_id=publication.pk,
            participation_id=payment.participation_id,
        )
    return token


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
