"""Withdraw payments that are not to be made: a bonus with a digit too many, or one that the platform refuses.

A payment that the platform may have made is never withdrawn. The reserved money is released. If the platform
turns out to have paid nevertheless, as after a backup was restored, `reconcile` books the payment. The log of
calls is the evidence on whether it may have paid.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from annotation.transactions import write_transaction
from workflows.batch_settings.domain.crowd_settings import LINK
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Payment
from workflows.crowd.payments.book import lock_rows
from workflows.crowd.payments.owed import Kind, State, unpaid_key
from workflows.crowd.problems import close_problems
from workflows.crowd.publications.reservations import own_reservations, release_own
from workflows.crowd.transitions import move
from workflows.platforms.models import ProviderCall
from workflows.platforms.mturk.errors import SAME_REQUEST
from workflows.platforms.mturk.payments import BONUS
from workflows.platforms.prolific.bonuses import PAY, subject_of
from workflows.platforms.prolific.http import NOT_DONE

WITHDRAWN = {
    State.WAITING: (Kind.BONUS, Kind.PART),
    State.FAILED: (Kind.BONUS, Kind.PART, Kind.TOP_UP),
}
"""The kinds that can be withdrawn in each state. A top-up was promised, so it goes on waiting, unless the
platform refuses it. A reward cannot be withdrawn: the platform approves it by itself in the end."""


def can_withdraw(payment: Payment) -> bool:
    """Return whether the payment's kind and state allow it. `withdraw` checks if it may have been paid.

    What is due may be on its way to the platform. Where lists are carried, it is not before it is taken out.
    """
    by_list = payment.participation.publication.provider == LINK
    if payment.state == State.DUE:
        return by_list and payment.kind in (Kind.BONUS, Kind.PART)
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


SHOWS_WITHIN = timedelta(hours=1)
"""A platform shows what it has paid within this time [ours]."""


class Asked(NamedTuple):
    """A call that asked for the payment."""

    at: datetime
    refused: bool  # it was clearly refused; else it was done, or nobody knows


def asked_for(payment: Payment) -> list[Asked]:
    """Return all calls that asked a platform for this bonus, top-up or part, with two indexed queries."""
    participation = payment.participation
    publication = participation.publication
    subjects = (
        (BONUS, payment.token),
        (PAY, subject_of(publication.external_id, participation.external_id, payment.amount, payment.token)),
    )
    calls = ProviderCall.objects.filter(provider=publication.provider, environment=publication.environment)
    return [
        Asked(at, _is_refused(outcome, code))
        for operation, subject in subjects
        for at, outcome, code in calls.filter(operation=operation, subject=subject).values_list(
            "created_at", "outcome", "code"
        )
    ]


def unclear_at(calls: Iterable[Asked]) -> datetime | None:
    """Return when the latest call was made that may have paid; None if surely nothing was paid.

    Before each call that was refused, we have looked for the payment. So a refusal settles what was asked at
    least SHOWS_WITHIN earlier.
    """
    asked = list(calls)
    unclear = max((one.at for one in asked if not one.refused), default=None)
    if unclear is None or any(one.refused and one.at >= unclear + SHOWS_WITHIN for one in asked):
        return None
    return unclear


def _is_refused(outcome: str, code: str) -> bool:
    """Return whether a call was clearly refused.

    To refuse a token that was used before is no clear refusal: the earlier request may have been done.
    """
    if outcome == ProviderCall.Outcome.REFUSED:
        return code != SAME_REQUEST
    return outcome == ProviderCall.Outcome.UNAVAILABLE and code in NOT_DONE
