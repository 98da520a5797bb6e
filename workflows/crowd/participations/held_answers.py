"""Held answers: those of unconfirmed workers, which count once the platform says whose place it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from annotation.models import Assignment, Item, VerificationQuestion
from annotation.transactions import write_transaction
from workflows.assignments.leases import lock_works
from workflows.assignments.replies import Reply
from workflows.assignments.submit import lock_page, take_answers
from workflows.crowd.participations.selectors import is_complete, pages_of
from workflows.qualification.tries import count_tries
from workflows.questions.exposure import expose_again
from workflows.workers.enrolment import lock_worker
from workflows.workers.models import Participation


def confirm_pages(*, participation_id: int, now: datetime) -> bool:
    """Record that the platform confirms whose place this is, and take the answers that were held.

    Returns whether the answers of all its pages are in, now or from before. If they have not come yet, they
    will count at once. A page that others got meanwhile is treated like any late page.
    """
    with write_transaction():
        participation = (
            Participation.objects.select_for_update(no_key=True, of=("self",))
            .select_related("publication", "assignment")
            .get(pk=participation_id)
        )
        newly, origin = not participation.confirmed, participation.origin
        if newly:
            # Once we know who somebody is, where they came from must not be kept.
            participation.confirmed, participation.origin = True, ""
            participation.save(update_fields=["confirmed", "origin"])
        elif participation.assignment_id is None:
            return False
        project_id = lock_worker(participation.worker_id, may_be_blocked=True)
        answered = is_complete(participation)
        ids = list(pages_of(participation).values_list("pk", flat=True))
        pages = [lock_page(participation.worker_id, page_id) for page_id in ids]
        _lock_all(pages)
        for page in pages:
            answered &= _confirm(page, project_id, now)
        if newly:
            count_tries(worker_id=participation.worker_id, place=participation.pk, origin=origin, now=now)
        return answered


def _lock_all(pages: Sequence[Assignment]) -> None:
    """Lock what the pages ask about, in the order of all writers: works, items, questions.

    Otherwise the works of the second page would be locked after the questions of the first.
    """
    if len(pages) < 2:
        return
    items = [item for page in pages if page.held is not None for item in page.items]
    lock_works(items)
    questions = [question for page in pages for _, question in page.checks]
    for rows in (Item.objects.filter(pk__in=items), VerificationQuestion.objects.filter(pk__in=questions)):
        list(rows.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))


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
