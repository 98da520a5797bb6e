"""Leases of pages: renew one, return a page early, and take pages back whose lease has run out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection
from django.db.models import F, Max

from annotation.models import Assignment, Batch, Item
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of

SWEEP_AT_ONCE = 50
"""How many expired pages one transaction releases: few enough for claims to get in between."""
CLOCKS_APART = timedelta(minutes=1)
"""By how much the clocks of several machines may differ, without one shortening the other's leases."""

OVER = {
    Assignment.State.SUBMITTED: "This page was submitted already.",
    Assignment.State.RETURNED: "This page was returned already.",
    Assignment.State.EXPIRED: "The lease of this page is over. Submit it: what is still needed counts.",
}
"""Why a page is no longer held, for clients of the API. Our pages say it in their own words."""

# By hand: it is sent for every page that is submitted, and building it takes longer than running it. SQLite
# has no row locks and needs none: a write transaction has it to itself.
_WORKS = """
SELECT id FROM annotation_imagework
WHERE id IN (SELECT work_id FROM annotation_item WHERE id IN ({ids}))
ORDER BY id FOR NO KEY UPDATE
"""


class LeaseOverError(Exception):
    """The lease cannot be renewed. The message says whether the page was submitted, returned or expired."""


def renew_lease(*, worker_id: int, assignment_id: UUID, now: datetime) -> datetime | None:
    """Extend the lease to a full term from `now`; return its new end, or None for an unknown page.

    A lease that has run out is extended too, as long as nobody took the page back. Raise LeaseOverError if
    the page is no longer held.
    """
    with write_transaction():
        held = _locked(worker_id, assignment_id)
        if held is None:
            return None
        if held.state != Assignment.State.LIVE or held.held is not None:
            over = Assignment.State.SUBMITTED if held.held is not None else Assignment.State(held.state)
            raise LeaseOverError(OVER[over])
        term = settings_of(held.batch).lease_seconds
        held.expires_at = now + timedelta(seconds=term)
        held.save(update_fields=["expires_at"])
        return held.expires_at


def return_page(*, worker_id: int, assignment_id: UUID) -> bool:
    """Give a page back unanswered, so that others get its items at once; return False for an unknown page.

    Nothing changes if the page is over already, or if its answers are held until a platform confirms the
    worker.
    """
    with write_transaction():
        held = _locked(worker_id, assignment_id)
        if held is None:
            return False
        if held.state == Assignment.State.LIVE and held.held is None:
            release_pages([held], Assignment.State.RETURNED)
        return True


def _locked(worker_id: int, assignment_id: UUID) -> Assignment | None:
    pages = Assignment.objects.select_for_update(no_key=True)
    return pages.filter(pk=assignment_id, worker_id=worker_id).first()


def expire_leases(*, now: datetime) -> int:
    """Take back every page whose lease has run out; return how many pages that were.

    If the clock was set back, leases from before would hold their items for much longer than a term. They
    end a full term from `now`.
    """
    _shorten_leases(now)
    total = 0
    while True:
        with write_transaction():
            over = list(
                Assignment.objects.select_for_update(no_key=True, skip_locked=True)
                .filter(state=Assignment.State.LIVE, expires_at__lt=now)
                .order_by("expires_at")[:SWEEP_AT_ONCE]
            )
            release_pages(over, Assignment.State.EXPIRED)
        total += len(over)
        if len(over) < SWEEP_AT_ONCE:
            return total


def _shorten_leases(now: datetime) -> None:
    """Give leases that end after more than a full term a full term. Pages with held answers have another."""
    live = Assignment.objects.filter(state=Assignment.State.LIVE, held__isnull=True).order_by()
    latest = live.values_list("batch").annotate(Max("expires_at"))
    for batch, end in latest.filter(expires_at__gt=now + CLOCKS_APART):
        term = now + timedelta(seconds=settings_of(Batch.objects.get(pk=batch)).lease_seconds)
        if end > term + CLOCKS_APART:
            live.filter(batch=batch, expires_at__gt=term + CLOCKS_APART).update(expires_at=term)


def lock_works(ids: Sequence[int]) -> None:
    """Lock the image works of these items in the order of their ids, as every writer except a claim does."""
    if ids and connection.features.has_select_for_update:
        with connection.cursor() as cursor:
            cursor.execute(_WORKS.format(ids=", ".join(str(int(pk)) for pk in ids)))


def release_pages(assignments: Sequence[Assignment], state: Assignment.State) -> None:
    """Release the items of these live pages and set the pages to `state`. The pages must be locked."""
    items = [item for assignment in assignments for item in assignment.items]
    lock_works(items)
    for assignment in assignments:
        # One statement a page: two pages may hold the same item, which is then released twice.
        Item.objects.filter(pk__in=assignment.items).update(leased=F("leased") - 1)
    Assignment.objects.filter(pk__in=[a.pk for a in assignments]).update(state=state)
