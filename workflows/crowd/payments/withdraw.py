"""Withdraw payments that are not to be made: a bonus with a digit too many, or one that the platform refuses.

A payment that the platform may have made is never withdrawn. The reserved money is released. If the platform
turns out to have paid nevertheless, as after a backup was restored, `reconcile` books the payment.
"""

from __future__ import annotations

from datetime import datetime

from annotation.transactions import write_transaction
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Payment
from workflows.crowd.payments.bonus_evidence import SHOWS_WITHIN, asked_for, unclear_at
from workflows.crowd.payments.book import lock_rows
from workflows.crowd.payments.owed import Kind, State, unpaid_key
from workflows.crowd.problems import close_problems
from workflows.crowd.publications.reservations import own_reservations, release_own
from workflows.crowd.transitions import move

WITHDRAWN = {
    State.WAITING: (Kind.BONUS, Kind.PART),
    State.FAILED: (Kind.BONUS, Kind.PART, Kind.TOP_UP),
}
"""The kinds that can be withdrawn in each state. A top-up was promised, so it goes on waiting, unless the
platform refuses it. A reward cannot be withdrawn: the platform approves it by itself in the end."""


def can_withdraw(payment: Payment) -> bool:
    """Return whether the payment's kind and state allow it. `withdraw` checks if it may have been paid."""
    return payment.kind in WITHDRAWN.get(State(payment.state), ())


def withdraw(*, payment_id: int, now: datetime) -> Payment:
    """Withdraw a payment and release its money. The platform is not called: the log of calls says enough.

    Raises VerbError if the payment cannot be withdrawn, or not yet.
    """
    payment = Payment.objects.select_related("participation__publication", "participation__worker").get(
        pk=payment_id
    )
    with write_transaction():
        # Paying, reserving and booking lock the same rows, so only one of them can go on.
        rows = lock_rows(payment)
        payment.state = rows.payment.state if rows else ""
        if rows is None or not can_withdraw(payment):
            raise VerbError(_why_not(payment))
        if payment.state == State.WAITING and own_reservations(payment):
            # A platform is only called for payments whose money is reserved.
            raise VerbError(
                f"Payment {payment.pk} had its money bound: the platform may have been asked for it."
            )
        if at := unclear_at(asked_for(payment)):
            raise VerbError(
                f"Payment {payment.pk}: the platform gave no clear answer at {at:%Y-%m-%d %H:%M} UTC, and "
                f"may have paid it. Ask it again after {at + SHOWS_WITHIN:%Y-%m-%d %H:%M} UTC "
                "(`crowd retry`): what is refused then can be withdrawn."
            )
        release_own(payment=payment, now=now)
        move(payment, State.WITHDRAWN, error="")
        close_problems(keys=[unpaid_key(payment)], now=now)
    return payment


def _why_not(payment: Payment) -> str:
    name = f"Payment {payment.pk}"
    match payment.state:
        case State.DUE:
            return f"{name} is due: it may be on its way to the platform. See what becomes of it."
        case State.WAITING:
            return f"{name} was promised for work: only a bonus or a part that waits can be withdrawn."
        case State.FAILED:
            return (
                f"{name} is a {payment.kind}, which settles work that was done: approve or reject it, here "
                "or on the platform, or ask the platform again (`crowd retry`)."
            )
        case "":
            return f"{name} has changed meanwhile: somebody has decided anew. Look again."
    return f"{name} is {payment.state}: only what waits for the cap, or was refused, can be withdrawn."
