"""What the log of calls tells of a bonus that a platform was asked for: it is written before every call."""

from __future__ import annotations

from workflows.crowd.mturk_errors import SAME_REQUEST
from workflows.crowd.mturk_paying import BONUS
from workflows.crowd.prolific_bonuses import PAY, subject_of
from workflows.crowd.prolific_http import NOT_DONE
from workflows.domain.crowd.unclear import Asked
from workflows.models import Payment, ProviderCall


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
