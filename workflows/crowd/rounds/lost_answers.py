"""Lost answers: places that were submitted on the platform, and of which no answers came here."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Q

from annotation.models import Assignment
from workflows.crowd.domain.absence import has_lost_answers
from workflows.crowd.models import Payment, Problem
from workflows.crowd.participations.selectors import COMPLETE, pages_of
from workflows.crowd.problems import raise_problem
from workflows.platforms.provider import Provider
from workflows.workers.models import Participation

_State = Participation.State


def without_answers(provider: Provider, now: datetime) -> Iterator[tuple[Participation, str]]:
    """Yield each place whose answers should have come by now, and what to tell a person.

    A platform that is reached by lists may have paid such a place before anybody could look at it.
    """
    open_ones = Q(state=_State.SUBMITTED, payments=None)
    if provider.by_list:
        paid = Payment.objects.filter(kind=Payment.Kind.REWARD, by="").values("participation")
        open_ones |= Q(state=_State.APPROVED, pk__in=paid)
    waiting = Participation.objects.filter(
        open_ones,
        publication__provider=provider.name,
        publication__environment=provider.environment,
    ).exclude(COMPLETE, assignment__state=Assignment.State.SUBMITTED)
    for one in waiting.select_related("publication", "worker"):
        if has_lost_answers(submitted_at=one.submitted_at or one.opened_at, now=now):
            yield one, _what_to_do(one)


def lost_key(participation: Participation) -> str:
    """Return the key of the problem that the answers of a place are lost."""
    return f"lost:{participation.pk}"


def say_lost_answers(*, provider: Provider, now: datetime) -> int:
    """Raise a problem for each place without answers, and return how many are new."""
    return sum(
        raise_problem(
            key=lost_key(one),
            kind=Problem.Kind.LOST,
            detail=detail,
            now=now,
            participation=one,
            once=True,
        )
        for one, detail in without_answers(provider, now)
    )


def _what_to_do(one: Participation) -> str:
    name, pages = one.worker.external_id, _what_came(one)
    if one.state == _State.APPROVED:
        return f"The platform has paid {name} for {one.external_id}, and {pages} came here. It is booked."
    by_itself = "the platform approves by itself "
    by_itself += f"on {one.deadline:%d %B at %H:%M} UTC." if one.deadline else "in its time."
    return (
        f"{name} has submitted {one.external_id} on the platform, and {pages} came here. Approve it, reject "
        f"it with a reason, or pay a part; {by_itself}"
    )


def _what_came(participation: Participation) -> str:
    pages = pages_of(participation).filter(state=Assignment.State.SUBMITTED).count()
    return f"only {pages} of {participation.publication.pages} pages" if pages else "no answers"
