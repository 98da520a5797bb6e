"""Who has left a place, or is not there: their page goes to others, and what they answered is kept."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Assignment
from annotation.transactions import write_transaction
from workflows.assignments.leases import release
from workflows.crowd.transitions import move
from workflows.questions.exposure import expose_no_more
from workflows.workers.enrolment import lock_worker
from workflows.workers.models import Participation


def drop_stranger(*, participation_id: int, now: datetime) -> bool:
    """Give the page of a participation to others whose worker the platform does not confirm.

    Its answers are kept, and count no more than before. Returns whether anything changed.
    """
    return _leave(participation_id, now)


def drop_returned(*, participation_id: int, now: datetime) -> bool:
    """The same for who gave the place back at the platform, or let its time run out."""
    return _leave(participation_id, now)


def _leave(participation_id: int, now: datetime) -> bool:
    with write_transaction():
        participation = Participation.objects.select_for_update(no_key=True).get(pk=participation_id)
        lock_worker(participation.worker_id, may_be_blocked=True)
        # Whose it is next, nobody has said yet: platforms give the same place out again.
        moved = move(participation, Participation.State.RETURNED, settled_at=now, confirmed=False)
        page = _live_page(participation)
        if page is not None:
            # One that was just left can be gone on with, as after a lease that ran out.
            left = Assignment.State.EXPIRED if page.held is None else Assignment.State.RETURNED
            release([page], left)
        _doubt(participation)
    return moved or page is not None


def put_down(*, participation_id: int) -> bool:
    """Let others have the items of a page whose worker is not confirmed, as if its lease had run out.

    The place stays open: the page can still be answered, and answers that are here are kept. Returns whether
    there was such a page.
    """
    with write_transaction():
        participation = Participation.objects.select_for_update(no_key=True).get(pk=participation_id)
        if participation.confirmed:
            return False
        lock_worker(participation.worker_id, may_be_blocked=True)
        page = _live_page(participation)
        if page is None:
            return False
        release([page], Assignment.State.EXPIRED)
        _doubt(participation)
    return True


def _live_page(participation: Participation) -> Assignment | None:
    live = Assignment.objects.select_for_update(no_key=True).filter(state=Assignment.State.LIVE)
    return live.filter(participation=participation).first()


def _doubt(participation: Participation) -> None:
    """What comes for the page from now on is kept until the platform confirms it; what counted stays.

    A page that was never anybody's takes no question away from the real worker. Locks questions: the last.
    """
    page = Assignment.objects.filter(participation=participation).first()
    if page is None or page.state == Assignment.State.SUBMITTED:
        return
    if page.confirmed:
        Assignment.objects.filter(pk=page.pk).update(confirmed=False)
    else:
        expose_no_more(assignment=page)
