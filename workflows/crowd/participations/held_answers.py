"""Answers of workers whom nobody had confirmed: taken once the platform says who it was."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Assignment
from annotation.transactions import write_transaction
from workflows.assignments.submit import Reply, lock_page, take_answers
from workflows.qualification.tries import count_tries
from workflows.questions.exposure import expose_again
from workflows.workers.enrolment import lock_worker
from workflows.workers.models import Participation


def confirm_page(*, participation_id: int, now: datetime) -> bool:
    """The platform says that this place is this worker's: what they answered counts from now on.

    Returns whether their answers are in, now or from before; False where there are none yet: these will
    count at once. A page that others got meanwhile is treated as any that comes late.
    """
    with write_transaction():
        participation = Participation.objects.select_for_update(no_key=True).get(pk=participation_id)
        newly, origin = not participation.confirmed, participation.origin
        if newly:
            # Where somebody came from is nobody's business once it is known who they are.
            participation.confirmed, participation.origin = True, ""
            participation.save(update_fields=["confirmed", "origin"])
        elif participation.assignment_id is None:
            return False
        project_id = lock_worker(participation.worker_id, may_be_blocked=True)
        answered = False
        if participation.assignment_id is not None:
            page = lock_page(participation.worker_id, participation.assignment_id)
            answered = _confirm(page, project_id, now)
        if newly:
            count_tries(worker_id=participation.worker_id, place=participation.pk, origin=origin, now=now)
        return answered


def _confirm(page: Assignment, project_id: int, now: datetime) -> bool:
    newly = not page.confirmed
    if newly:
        page.confirmed = True
        page.save(update_fields=["confirmed"])
    if page.held is not None:
        replies = [Reply(**reply) for reply in page.held]
        take_answers(page, replies, project_id=project_id, now=now, checked=True)
    if newly and page.checks:
        expose_again(assignment=page, now=now)
    return page.state == Assignment.State.SUBMITTED
