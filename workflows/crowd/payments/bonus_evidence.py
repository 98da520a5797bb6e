"""Evidence from the log of calls on whether a platform may have paid a bonus, and the rule that weighs it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from workflows.crowd.models import Payment
from workflows.platforms.models import ProviderCall
from workflows.platforms.mturk.errors import SAME_REQUEST
from workflows.platforms.mturk.payments import BONUS
from workflows.platforms.prolific.bonuses import PAY, subject_of
from workflows.platforms.prolific.http import NOT_DONE

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
