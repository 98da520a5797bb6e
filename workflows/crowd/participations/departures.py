"""Departures: if a worker has left a place, or never had it, others get the page and its answers are kept."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Assignment
from annotation.transactions import write_transaction
from workflows.assignments.leases import release_pages
from workflows.crowd.transitions import move
from workflows.questions.exposure import expose_no_more
from workflows.workers.enrolment import lock_worker
from workflows.workers.models import Participation


def drop_stranger(*, participation_id: int, now: datetime) -> bool:
    """Give others the page of a participation whose worker the platform does not confirm.

    Its answers are kept, and do not begin to count. Returns whether anything changed.
    """
    return _leave(participation_id, now)


def drop_returned(*, participation_id: int, now: datetime) -> bool:
    """Give others the page of a worker who gave the place back, or let its time run out.

    Its answers are kept, and do not begin to count. Returns whether anything changed.
    """
    return _leave(participation_id, now)


def _leave(participation_id: int, now: datetime) -> bool:
    with write_transaction():
        participation = Participation.objects.select_for_update(no_key=True).get(pk=participation_id)
        lock_worker(participation.worker_id, may_be_blocked=True)
        # Platforms give the same place out again, and nobody has confirmed yet who has it next.
        moved = move(participation, Participation.State.RETURNED, settled_at=now, confirmed=False)
        page = _live_page(participation)
        if page is not None:
            # A page without answers can be resumed, as it can after its lease has run out.
            left = Assignment.State.EXPIRED if page.held is None else Assignment.State.RETURNED
            release_pages([page], left)
        _doubt(participation)
    return moved or page is not None


def end_lease(*, participation_id: int) -> bool:
    """End the lease of an unconfirmed worker's page, so that others get its items.

    The place stays open: the page can still be answered, and its answers are kept. Returns whether there was
    such a page.
    """
    with write_transaction():
        participation = Participation.objects.select_for_update(no_key=True).get(pk=participation_id)
        if participation.confirmed:
            return False
        lock_worker(participation.worker_id, may_be_blocked=True)
        page = _live_page(participation)
        if page is None:
            return False
        release_pages([page], Assignment.State.EXPIRED)
        _doubt(participation)
    return True


def _live_page(participation: Participation) -> Assignment | None:
    live = Assignment.objects.select_for_update(no_key=True).filter(state=Assignment.State.LIVE)
    return live.filter(participation=participation).first()


def _doubt(participation: Participation) -> None:
    """Hold what comes for the page from now on until the platform confirms it; what counted stays.

    If nobody was ever confirmed for the page, the real worker may get its verification questions again. This
    locks questions, which come last in the order of locks.
    """
    page = Assignment.objects.filter(participation=participation).first()
    if page is None or page.state == Assignment.State.SUBMITTED:
        return
    if page.confirmed:
        Assignment.objects.filter(pk=page.pk).update(confirmed=False)
    else:
        expose_no_more(assignment=page)
