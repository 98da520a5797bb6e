"""Departures: if a worker has left a place, or never had it, others get its pages. The answers are kept."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Assignment
from annotation.transactions import write_transaction
from workflows.assignments.leases import release_pages
from workflows.crowd.participations.selectors import pages_of
from workflows.crowd.transitions import move
from workflows.questions.exposure import expose_no_more
from workflows.workers.enrolment import lock_worker
from workflows.workers.models import Participation


def drop_stranger(*, participation_id: int, now: datetime) -> bool:
    """Give others the pages of a participation whose worker the platform does not confirm.

    Their answers are kept, and do not begin to count. Returns whether anything changed.
    """
    return _leave(participation_id, now)


def drop_returned(*, participation_id: int, now: datetime) -> bool:
    """Give others the pages of a worker who gave the place back, or let its time run out.

    The answers are kept, and do not begin to count. Returns whether anything changed.
    """
    return _leave(participation_id, now)


def _leave(participation_id: int, now: datetime) -> bool:
    with write_transaction():
        participation = Participation.objects.select_for_update(no_key=True).get(pk=participation_id)
        lock_worker(participation.worker_id, may_be_blocked=True)
        # Platforms give the same place out again, and nobody has confirmed yet who has it next.
        moved = move(participation, Participation.State.RETURNED, settled_at=now, confirmed=False)
        live = _live_pages(participation)
        # A page without answers can be resumed, as it can after its lease has run out.
        release_pages(live, Assignment.State.EXPIRED)
        held = [page.pk for page in live if page.held is not None]
        Assignment.objects.filter(pk__in=held).update(state=Assignment.State.RETURNED)
        _doubt(participation)
    return moved or bool(live)


def end_lease(*, participation_id: int) -> bool:
    """End the leases of an unconfirmed worker's pages, so that others get their items.

    The place stays open: the page in hand can still be answered, and all answers are kept. Returns whether
    there was such a page.
    """
    with write_transaction():
        participation = Participation.objects.select_for_update(no_key=True).get(pk=participation_id)
        if participation.confirmed:
            return False
        lock_worker(participation.worker_id, may_be_blocked=True)
        live = _live_pages(participation)
        if not live:
            return False
        release_pages(live, Assignment.State.EXPIRED)
        _doubt(participation)
    return True


def _live_pages(participation: Participation) -> list[Assignment]:
    """Return the page in hand, and those whose answers are held, locked."""
    live = pages_of(participation).filter(state=Assignment.State.LIVE).values("pk")
    locked = Assignment.objects.select_for_update(no_key=True).filter(pk__in=live)
    return list(locked.filter(state=Assignment.State.LIVE).order_by("created_at", "pk"))


def _doubt(participation: Participation) -> None:
    """Hold what comes for a page from now on until the platform confirms it; what counted stays.

    If nobody was ever confirmed for a page, the real worker may get its verification questions again. This
    locks questions, which come last in the order of locks.
    """
    for page in pages_of(participation).exclude(state=Assignment.State.SUBMITTED):
        if page.confirmed:
            Assignment.objects.filter(pk=page.pk).update(confirmed=False)
        else:
            expose_no_more(assignment=page)
