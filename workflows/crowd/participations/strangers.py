"""Strangers: unconfirmed workers on a publication, and how many places they may hold together.

Anybody who knows a publication's address can open sessions under any name. What unconfirmed workers answer
does not count, and they must not keep work from others: together they hold pages of no more places than the
publication has, as far as the platform says, and none for long if it says that nobody is at work. As few as
possible are sent away. A worker who loses a lease can go on, and once the platform confirms them, their
answers count if they are still needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q

from annotation.models import Assignment
from workflows.crowd.domain.absence import SLACK
from workflows.crowd.models import Publication
from workflows.crowd.participations.departures import end_lease
from workflows.crowd.participations.domain.strangers import (
    GRACE,
    MAX_SESSIONS_FACTOR,
    Guest,
    is_due,
    most_participations,
    staying,
)
from workflows.platforms.provider import Published, Stand, Submitted
from workflows.workers.models import Participation

State = Participation.State


class CrowdedError(Exception):
    """More people have opened the publication than its places explain."""


class NoRoomError(Exception):
    """More workers hold pages than there are places.

    `displaced` are the participations that have to lose their pages first; if there are none, this worker has
    to wait.
    """

    def __init__(self, displaced: Sequence[int]) -> None:
        super().__init__(displaced)
        self.displaced = displaced


def check_crowd(*, publication: Publication, origin: str, now: datetime) -> None:
    """Raise CrowdedError if one unconfirmed worker more must not come to the publication from `origin`.

    Workers do not count if they gave the place back or cannot be at work any more, or if they have no page
    although the platform should know of them by now. Call this in a transaction that has locked the
    publication.
    """
    term = timedelta(seconds=publication.work_seconds) + SLACK
    there = publication.participations.filter(state=State.OPENED, confirmed=False, opened_at__gt=now - term)
    if publication.seen_at is not None:
        new = Q(opened_at__gt=publication.seen_at - GRACE)
        there = there.filter(new | Q(assignment__state=Assignment.State.LIVE))
    most = most_participations(publication.places)
    if there.filter(origin=origin).count() >= most or there.count() >= most * MAX_SESSIONS_FACTOR:
        raise CrowdedError


def make_room(*, publication: Publication, participation: Participation) -> None:
    """Raise NoRoomError if this unconfirmed worker must not hold a page beside the others.

    Call this in a transaction that has locked the publication.
    """
    guests = [replace(one, holds=one.holds or one.id == participation.pk) for one in _guests(publication)]
    stay = staying(guests, _room(publication))
    if participation.pk not in stay:
        raise NoRoomError(())
    if displaced := [one.id for one in guests if one.holds and one.id not in stay]:
        raise NoRoomError(displaced)


def end_unexplained(
    *, publication: Publication, published: Published, submissions: Collection[Submitted], now: datetime
) -> int:
    """Take pages back from unconfirmed workers for whom the platform has no explanation; return how many.

    Those are workers for whom no place is left, and workers beyond the number that the platform counts as at
    work without naming them, if it must know of them by now. `published` and `submissions` are what it says
    just now. Call this before the submissions are stored: if a stranger took another worker's lease, that
    worker's answers then still find their items needed.
    """
    known = {(one.external_id, one.worker[:128]) for one in submissions}
    stands = Counter(one.stand for one in submissions)
    guests = [one for one in _guests(publication) if one.of not in known]
    due = [replace(one, holds=one.holds and is_due(one, now)) for one in guests]
    gone = _losing(guests, publication.places - stands[Stand.SUBMITTED] - stands[Stand.APPROVED])
    gone |= _losing(due, published.working - stands[Stand.WORKING])
    return sum(end_lease(participation_id=one) for one in sorted(gone))


def _losing(guests: Sequence[Guest], room: int) -> frozenset[int]:
    return frozenset(one.id for one in guests if one.holds) - staying(guests, room)


def _room(publication: Publication) -> int:
    """Return how many places are not done as far as the platform has said; their workers may have left."""
    done = publication.participations.filter(confirmed=True, state__in=(State.SUBMITTED, State.APPROVED))
    return publication.places - done.count()


def _guests(publication: Publication) -> list[Guest]:
    before = Participation.earlier_pages.through.objects.filter(
        participation=OuterRef("pk"), assignment__state=Assignment.State.LIVE
    )
    there = publication.participations.filter(state=State.OPENED, confirmed=False).annotate(
        holds_before=Exists(before)
    )
    return [
        Guest(
            pk,
            origin,
            opened_at,
            holds=state == Assignment.State.LIVE or holds_before,
            answered_at=answered_at,
            of=(external_id, worker),
        )
        for pk, origin, opened_at, state, holds_before, answered_at, external_id, worker in there.values_list(
            "pk",
            "origin",
            "opened_at",
            "assignment__state",
            "holds_before",
            "assignment__submitted_at",
            "external_id",
            "worker__external_id",
        )
    ]
