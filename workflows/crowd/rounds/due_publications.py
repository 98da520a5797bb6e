"""Which publications are due for a look, and for which of them the platform's list is enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce

from workflows.core.time_slices import Turn
from workflows.crowd.models import Publication
from workflows.crowd.publications.publish import publications_of
from workflows.crowd.publications.reservations import UNSETTLED
from workflows.crowd.rounds.domain.polls import is_as_known, list_back_to
from workflows.crowd.rounds.local_state import local_publications
from workflows.platforms.failure_budget import Attempts
from workflows.platforms.provider import Provider, Published
from workflows.workers.models import Participation

AT_ONCE = 2000
"""The most publications that are due in a round."""
MAX_CALLS = 20
"""Calls for the list [ours]. At five a second they take about half of the time to look, so that publications
too old for it have their turn, too."""
QUIET, BUSY = timedelta(minutes=1), timedelta(seconds=10)
"""How long after a look the next one is due: if nothing seems to happen, and if somebody is at work."""


def due_publications(provider: Provider, now: datetime, patient: bool) -> list[Publication]:
    """Return the publications whose turn it is: hinted ones first, and among them those seen longest ago.

    One that was never seen counts from when it was made: if each new one came first, a round that has no time
    for all would never come to those before. If `patient` is False, it is the turn of all that are not over.
    If the clock was set back, so it is of all that were seen before.
    """
    due = publications_of(provider).filter(state__in=(Publication.State.OPEN, Publication.State.CLOSED))
    ordered = due.order_by("-hinted", Coalesce("seen_at", "created_at"), "pk")
    if not patient:
        return list(ordered)
    at_work = Participation.objects.filter(publication=OuterRef("pk"), state__in=UNSETTLED)
    busy = Q(Exists(at_work), seen_at__lte=now - BUSY)
    is_due = Q(hinted=True) | Q(seen_at=None) | Q(seen_at__lte=now - QUIET) | Q(seen_at__gt=now) | busy
    return list(ordered.filter(is_due)[:AT_ONCE])


def published_list(
    provider: Provider, due: Sequence[Publication], attempts: Attempts, turn: Turn
) -> dict[int, Published]:
    """Return the entries of due publications in the platform's list, by primary key.

    The list is read if that takes fewer calls than looking at each, and as far as MAX_CALLS and the turn
    allow. Publications that are not found in it have to be looked at.
    """
    if not due or not provider.lists_at_once:
        return {}
    newest = publications_of(provider).order_by("-pk").values_list("pk", flat=True)[0]
    page = provider.lists_at_once
    oldest = list_back_to([one.pk for one in due], newest=newest, at_once=page, most=MAX_CALLS)
    if oldest is None:
        return {}
    wanted = {one.external_id: one.pk for one in due if one.pk >= oldest}
    most = -(-(newest - oldest + 1) // page) * page
    on_list: dict[int, Published] = {}
    with attempts.one():
        for one in turn.each(islice(provider.published(), most)):
            if one.external_id in wanted:
                on_list[wanted.pop(one.external_id)] = one
            if not wanted:
                break
    return on_list


def see_known(due: Sequence[Publication], on_list: Mapping[int, Published], now: datetime) -> set[int]:
    """Store the free places of publications of which the list tells nothing else; return their keys.

    If a notification named a publication and the list shows no change, it is not among them: the list may be
    late, so the publication is looked at.
    """
    listed = [one for one in due if one.pk in on_list]
    here = local_publications(listed, on_list, now)
    known: dict[int, list[int]] = {}
    for one in listed:
        late = one.hinted and on_list[one.pk].free == one.free
        if not late and is_as_known(on_list[one.pk], here[one.pk]):
            known.setdefault(on_list[one.pk].free, []).append(one.pk)
    for free, several in known.items():
        Publication.objects.filter(pk__in=several).update(free=free, seen_at=now, hinted=False)
    return {pk for several in known.values() for pk in several}
