"""Pages that a worker gave back, or let run out: they come again as they were, or nothing of them does.

Verification questions never come to a worker twice. If the items beside them did, whoever takes one page
after the other without an answer would learn by and by which are which (docs/quality.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import F

from annotation.models import Assignment, Batch, Item, Judgment
from annotation.selectors import barring
from workflows.assignments.leases import lock_works

LOOKED_AT = 500
"""The newest pages of a worker in a stage that are looked at."""
UNANSWERED = (Assignment.State.RETURNED, Assignment.State.EXPIRED)


def unanswered_pages(*, worker_id: int, batch: Batch, stage: str, since: datetime | None) -> list[Assignment]:
    """Return the worker's newest pages of the stage that have no answers, the newest first.

    In a small team, nobody else may be there for their items (the setting `author_after_hours`): then pages
    whose lease was over before `since` are not among them.
    """
    pages = Assignment.objects.filter(worker_id=worker_id, batch=batch, stage=stage, state__in=UNANSWERED)
    if since is not None:
        pages = pages.filter(expires_at__gt=since)
    return list(pages.order_by("-created_at", "-pk")[:LOOKED_AT])


def take_up_again(
    pages: Sequence[Assignment], *, worker_id: int, now: datetime, lease_seconds: int
) -> Assignment | None:
    """Lease the first of these pages of which everything still waits, and return it. None: there is none.

    If others have taken some of its items, the page does not come again: those that are missing would tell
    that they are no questions. The caller has locked the worker.
    """
    for page in pages:
        if page.key or Item.objects.waiting().filter(pk__in=page.items).count() < len(page.items):
            continue
        if _answered(page.items, worker_id):
            continue
        lock_works(page.items)
        waiting = Item.objects.waiting().filter(pk__in=page.items).select_for_update(no_key=True)
        if len(list(waiting.order_by("pk").values_list("pk", flat=True))) < len(page.items):
            return None  # somebody took one just now
        Item.objects.filter(pk__in=page.items).update(leased=F("leased") + 1)
        page.state, page.expires_at = Assignment.State.LIVE, now + timedelta(seconds=lease_seconds)
        page.created_at = now  # the time that it takes begins anew
        page.save(update_fields=["state", "expires_at", "created_at"])
        return page
    return None


def _answered(items: Sequence[int], worker_id: int) -> bool:
    """Return whether the worker has answered one of the items on another page, or cannot answer it."""
    judged = Judgment.objects.filter(item__in=items, worker_id=worker_id)
    return judged.exists() or barring().filter(item__in=items, worker_id=worker_id).exists()
