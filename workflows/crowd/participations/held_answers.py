"""Held answers: those of unconfirmed workers, which count once the platform says whose place it is."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Assignment
from annotation.transactions import write_transaction
from workflows.assignments.replies import Reply
from workflows.assignments.submit import lock_page, take_answers
from workflows.qualification.tries import count_tries
from workflows.questions.exposure import expose_again
from workflows.workers.enrolment import lock_worker
from workflows.workers.models import Participation


def confirm_page(*, participation_id: int, now: datetime) -> bool:
    """Record that the platform confirms whose place this is, and take the answers that were held.

    Returns whether the page's answers are in, now or from before. If they have not come yet, they will count
    at once. A page that others got meanwhile is treated like any late page.
    """
    with write_transaction():
        participation = Participation.objects.select_for_update(no_key=True).get(pk=participation_id)
        newly, origin = not participation.confirmed, participation.origin
        if newly:
            # Once we know who somebody is, where they came from must not be kept.
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
