"""What the log of calls tells of a bonus that a platform was asked for: it is written before every call."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from workflows.crowd.models import Payment, ProviderCall
from workflows.crowd.mturk.errors import SAME_REQUEST
from workflows.crowd.mturk.payments import BONUS
from workflows.crowd.prolific.bonuses import PAY, subject_of
from workflows.crowd.prolific.http import NOT_DONE


def asked_for(payment: Payment) -> list[Asked]:
    """Every call that asked for this bonus, top-up or part. Two queries at most, each of an index."""
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


def _is_refused(outcome: str, code: str) -> bool:
    """A no to a token that was used before says that something was asked then: it is none."""
    if outcome == ProviderCall.Outcome.REFUSED:
        return code != SAME_REQUEST
    return outcome == ProviderCall.Outcome.UNAVAILABLE and code in NOT_DONE


SHOWS_WITHIN = timedelta(hours=1)
"""By then a platform shows what it has paid [ours]."""


class Asked(NamedTuple):
    """A call that asked for the payment."""

    at: datetime
    refused: bool  # a clear no; else it was done, or nobody knows


def unclear_at(calls: Iterable[Asked]) -> datetime | None:
    """When it was asked last without a no that can be relied on; None: surely nothing was paid.

    Before every no somebody has looked for the payment. So a no settles what was asked SHOWS_WITHIN before.
    """
    told = list(calls)
    unclear = max((one.at for one in told if not one.refused), default=None)
    if unclear is None or any(one.refused and one.at >= unclear + SHOWS_WITHIN for one in told):
        return None
    return unclear
