"""The state of publications here, to compare with what a platform says. The platform is not called."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import Assignment
from workflows.crowd.domain.absence import has_left
from workflows.crowd.models import Payment, Publication
from workflows.crowd.participations.selectors import COMPLETE
from workflows.crowd.payments.owed import SETTLING
from workflows.crowd.rounds.domain.polls import LocalPublication
from workflows.platforms.provider import Life, Published
from workflows.workers.models import Participation

State = Participation.State
HANDED_IN = (State.SUBMITTED, State.APPROVED, State.REJECTED)


def local_publications(
    publications: Sequence[Publication], published: Mapping[int, Published], now: datetime
) -> dict[int, LocalPublication]:
    """Return the state of these publications by primary key; `published` has what the platform says."""
    ids = [one.pk for one in publications]
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    handed = Participation.objects.filter(publication__in=ids, state__in=HANDED_IN)
    grouped = handed.order_by().values_list("publication", "state").annotate(Count("pk"))
    for publication, state, number in grouped:
        counts[publication][state] = number
    waiting = _unfinished(ids) | _left(publications, published, now) | _unexplained(ids, published)
    return {
        one.pk: LocalPublication(
            state=one.state,
            places=one.places,
            submitted=counts[one.pk][State.SUBMITTED],
            decided=counts[one.pk][State.APPROVED] + counts[one.pk][State.REJECTED],
            waiting=one.pk in waiting,
        )
        for one in publications
    }


def _unfinished(ids: Sequence[int]) -> set[int]:
    """Return publications with a submission that was not stored to its end, or whose answers came late."""
    settling = Payment.objects.filter(participation=OuterRef("pk"), kind__in=SETTLING)
    done = Q(state=State.SUBMITTED, assignment__state=Assignment.State.SUBMITTED)
    answered = done & COMPLETE & ~Exists(settling)
    unconfirmed = Q(assignment__held__isnull=False) | Q(assignment__confirmed=False)
    earlier = Q(page_number__gt=1) & (
        Q(earlier_pages__held__isnull=False) | Q(earlier_pages__confirmed=False)
    )
    found = Participation.objects.filter(publication__in=ids, state__in=HANDED_IN)
    found = found.filter(Q(confirmed=False) | unconfirmed | earlier | answered)
    return set(found.values_list("publication", flat=True))


def _unexplained(ids: Sequence[int], published: Mapping[int, Published]) -> set[int]:
    """Return publications on which more unconfirmed workers hold a page than the platform counts at work."""
    holding = Participation.objects.filter(
        publication__in=ids, state=State.OPENED, confirmed=False, assignment__state=Assignment.State.LIVE
    )
    counted = holding.order_by().values_list("publication").annotate(Count("pk"))
    return {pk for pk, number in counted if number > published[pk].working}


def _left(publications: Sequence[Publication], published: Mapping[int, Published], now: datetime) -> set[int]:
    """Return publications with a worker who cannot be at work any more, or whose place is another's."""
    by_id = {one.pk: one for one in publications}
    opened = Participation.objects.filter(publication__in=list(by_id), state=State.OPENED)
    rows = list(opened.values_list("publication", "external_id", "opened_at"))
    handed = Participation.objects.filter(publication__in={pk for pk, _, _ in rows}, state__in=HANDED_IN)
    taken = set(handed.values_list("publication", "external_id"))
    return {
        pk
        for pk, external_id, opened_at in rows
        if (pk, external_id) in taken
        or has_left(
            opened_at=opened_at,
            work_seconds=by_id[pk].work_seconds,
            closed=published[pk].life != Life.OPEN,
            working=published[pk].working,
            now=now,
        )
    }
