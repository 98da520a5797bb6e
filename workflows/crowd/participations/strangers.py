"""Strangers at a publication's door: who knows its address can open sessions under any name.

Nothing they say is believed. They are kept from holding work, too: unconfirmed workers hold no more pages of
a publication than it has places, as far as the platform says, and none for long where it says that nobody is
at work. Nobody is sent away for it while that can be avoided: who loses a lease goes on, and what they answer
counts, where it is still needed, once the platform confirms them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Q

from annotation.models import Assignment
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.domain.absence import SLACK
from workflows.crowd.models import Publication
from workflows.crowd.participations.departures import put_down
from workflows.crowd.participations.domain.strangers import (
    GRACE,
    MOST_TOGETHER,
    Guest,
    is_due,
    most_participations,
    staying,
)
from workflows.crowd.provider import Published, Stand, Submitted
from workflows.crowd.publications.orders import work_seconds
from workflows.workers.models import Participation

State = Participation.State


class CrowdedError(Exception):
    """More people opened it than its places explain."""


class NoRoomError(Exception):
    """More hold pages than there are places: these have to lose theirs first, or, if none, this one waits."""

    def __init__(self, displaced: Sequence[int]) -> None:
        super().__init__(displaced)
        self.displaced = displaced


def check_crowd(*, publication: Publication, origin: str, now: datetime) -> None:
    """Whether one more unconfirmed worker may come to the publication from there. Raises CrowdedError.

    Inside a transaction that holds the publication's row. Whoever gave the place back, can be at work no
    more, or has no page by the time the platform would know of them, keeps nobody out.
    """
    term = timedelta(seconds=work_seconds(settings_of(publication.batch))) + SLACK
    there = publication.participations.filter(state=State.OPENED, confirmed=False, opened_at__gt=now - term)
    if publication.seen_at is not None:
        new = Q(opened_at__gt=publication.seen_at - GRACE)
        there = there.filter(new | Q(assignment__state=Assignment.State.LIVE))
    most = most_participations(publication.places)
    if there.filter(origin=origin).count() >= most or there.count() >= most * MOST_TOGETHER:
        raise CrowdedError


def make_room(*, publication: Publication, participation: Participation) -> None:
    """Whether this unconfirmed worker may hold a page beside the others. Raises NoRoomError.

    Inside a transaction that holds the publication's row.
    """
    guests = [replace(one, holds=one.holds or one.id == participation.pk) for one in _guests(publication)]
    stay = staying(guests, _room(publication))
    if participation.pk not in stay:
        raise NoRoomError(())
    if displaced := [one.id for one in guests if one.holds and one.id not in stay]:
        raise NoRoomError(displaced)


def end_unexplained(
    *, publication: Publication, published: Published, told: Collection[Submitted], now: datetime
) -> int:
    """Take pages back from unconfirmed workers whom what the platform says just now does not explain.

    That are those for whom no place is left; and those beyond the ones it counts at work and does not name,
    if it must know of them by now. Returns how many. Before what is `told` is taken: answers of somebody who
    lost a lease to a stranger still find their items needed.
    """
    known = {(one.external_id, one.worker[:128]) for one in told}
    stands = Counter(one.stand for one in told)
    guests = [one for one in _guests(publication) if one.of not in known]
    due = [replace(one, holds=one.holds and is_due(one, now)) for one in guests]
    gone = _losing(guests, publication.places - stands[Stand.SUBMITTED] - stands[Stand.APPROVED])
    gone |= _losing(due, published.working - stands[Stand.WORKING])
    return sum(put_down(participation_id=one) for one in sorted(gone))


def _losing(guests: Sequence[Guest], room: int) -> frozenset[int]:
    return frozenset(one.id for one in guests if one.holds) - staying(guests, room)


def _room(publication: Publication) -> int:
    """Places that the platform has not said to be done. Who works in one may have left since it was asked."""
    done = publication.participations.filter(confirmed=True, state__in=(State.SUBMITTED, State.APPROVED))
    return publication.places - done.count()


def _guests(publication: Publication) -> list[Guest]:
    there = publication.participations.filter(state=State.OPENED, confirmed=False)
    return [
        Guest(
            pk,
            origin,
            opened_at,
            holds=state == Assignment.State.LIVE,
            answered_at=answered_at,
            of=(external_id, worker),
        )
        for pk, origin, opened_at, state, answered_at, external_id, worker in there.values_list(
            "pk",
            "origin",
            "opened_at",
            "assignment__state",
            "assignment__submitted_at",
            "external_id",
            "worker__external_id",
        )
    ]
