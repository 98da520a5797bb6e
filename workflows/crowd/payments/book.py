"""Book what a platform paid or refused: payment, participation and ledger change in one transaction, once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from annotation.transactions import write_transaction
from workflows.crowd.models import Payment, Publication
from workflows.crowd.payments.owed import (
    SETTLING,
    Kind,
    State,
    owe_reward,
    owe_screen_out,
    say_unpaid,
    unpaid_key,
)
from workflows.crowd.problems import close_problems
from workflows.crowd.publications.reservations import next_own, own_reservations, release_own, reservations
from workflows.crowd.transitions import move
from workflows.money import ledger
from workflows.workers.models import Participation

_PLANNED = (Kind.REWARD, Kind.SCREENED)
"""The kinds for which money was reserved when the publication was planned."""


def book(*, payment: Payment, now: datetime) -> bool:
    """Record that the platform did what was asked, and return whether this changed anything.

    Returns False if it was stored before, or if something else is owed by now: a researcher has approved what
    was to be refused, and the next round pays it. Also returns False if the batch's cap leaves no room for
    what the platform paid. Then the payment waits for a higher cap.
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
    """Return whether the payment is still due and its money is reserved: only then is the platform called.

    If a reward's money has been released, it is reserved again. If the cap leaves no room for that, the
    payment waits for a higher one.
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
    """Record that the platform refuses the payment; return False if something else is owed by now."""
    with write_transaction():
        return lock_rows(payment) is not None and move(payment, State.FAILED, error=error)


def drop_moot(*, payment: Payment, now: datetime) -> bool:
    """Delete the reward or refusal of a place that was given back, and release its own money.

    Platforms neither pay nor refuse such a place. Whoever takes it again and submits is owed anew. Returns
    False if the payment was made, or if the place is not given back any more.
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
    """The locked rows of a payment."""

    publication: Publication
    participation: Participation
    payment: Payment


def lock_rows(payment: Payment) -> Rows | None:
    """Lock and return a payment's rows; None if its kind has changed, as when a refusal became a reward.

    The order of locks is publication, participation, payment, then budget.
    """
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
    """Return a token under which enough money is reserved for the payment; reserve it if there is none.

    Its own reservations come first, since nothing else releases them; the publication's follow if its place
    was planned with this payment.
    Call this with the publication locked. Raises CapError if the cap leaves no room.
    """
    whole = payment.amount + payment.fee
    bound = own_reservations(payment)
    if payment.kind in _PLANNED:
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
    """Spend the payment's money out of what is reserved for it. Raises CapError if there is no room."""
    if not payment.amount + payment.fee:
        return
    under = _bound_under(payment, publication, now)
    reward = payment.kind in _PLANNED
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
    """Book a participation that is approved on the platform; return False if we knew, or there is no room."""
    if participation.state == Participation.State.APPROVED:
        return False
    payment = override(participation=participation, now=now)
    return book(payment=payment, now=now)


def override(*, participation: Participation, now: datetime, by: str = "") -> Payment:
    """Return the participation's reward, owing it if need be; a refusal becomes a reward that is due."""
    payment = owe_reward(participation=participation, now=now, by=by)
    if payment.kind == Kind.REFUSAL:
        refusal = Payment.objects.filter(pk=payment.pk, kind=Kind.REFUSAL)
        refusal.update(
            kind=Kind.REWARD, state=State.DUE, done_at=None, taken_out_at=None, error="", by=by[:150]
        )
    payment.refresh_from_db()
    return payment


def platform_screened_out(*, participation: Participation, now: datetime) -> bool:
    """Book what the platform paid a worker who failed the test in this place.

    Returns False if we knew, or if the cap leaves no room.
    """
    return book(payment=owe_screen_out(participation=participation, now=now), now=now)


def platform_refused(*, participation: Participation, now: datetime, final: bool = False) -> bool:
    """Record that the platform says a participation is rejected; return False if nothing changes.

    That is if we knew, or if we owe the reward: then approving it overrides the rejection. If the rejection
    is `final`, since nobody asks the platform to approve, only a researcher's own approval stands.
    """
    if participation.state == Participation.State.REJECTED:
        return False
    with write_transaction():
        Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
        payment = Payment.objects.filter(participation=participation, kind__in=SETTLING).first()
        if payment is None:
            payment = owe_reward(participation=participation, now=now)
            payment.kind = Kind.REFUSAL
            payment.save(update_fields=["kind"])
        elif payment.kind == Kind.REWARD and final and payment.state == State.DUE and not payment.by:
            payment.kind = Kind.REFUSAL
            payment.save(update_fields=["kind"])
        elif payment.kind == Kind.REWARD:
            # We owe it, and somebody rejected it on the platform. Approving it overrides that.
            return False
    return book(payment=payment, now=now)
