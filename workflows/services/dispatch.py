"""Claim a page of items for a worker, under a lease."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection

from annotation.domain.answers import Stage
from annotation.models import Assignment, Batch
from annotation.transactions import write_transaction
from workflows.domain.policy import BatchSettings, most_needed
from workflows.services.batches import settings_of
from workflows.services.workers import lock_worker

PAGES_AT_ONCE = len(Stage)
"""Pages one worker may hold: one of every stage. Keys are the client's to choose and must not hoard work."""


class ClaimError(Exception):
    """The worker may not claim this now; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A page and whether it was leased just now; a page already held comes back as it is."""

    assignment: Assignment
    created: bool


def claim(*, worker_id: int, stage: str | None, now: datetime, key: str = "") -> Claim | None:
    """Lease a page of `stage`, or of whatever needs work most; None when there is no work for the worker.

    A worker holds one page a stage (and provider's `key`); claiming again returns it, so a lost reply or a
    second tab never costs a second page. A held page of any stage is returned where `stage` is None.
    Raises WorkerBlockedError; ClaimError for a key that was used before, or too many pages in hand.
    """
    with write_transaction():
        project_id = lock_worker(worker_id)
        pages = Assignment.objects.filter(worker_id=worker_id).select_related("batch")
        held = list(pages.filter(state=Assignment.State.LIVE))
        for assignment in held:
            if assignment.key == key and stage in (None, assignment.stage) and _still_held(assignment, now):
                return Claim(assignment, created=False)
        if key and (before := pages.filter(key=key).first()):
            if before.state == Assignment.State.EXPIRED:
                return Claim(before, created=False)  # it can still be submitted
            raise ClaimError(f"You had a page under the key {key!r} already. Claim with a new key.")
        if len(held) >= PAGES_AT_ONCE:
            raise ClaimError(f"You hold {len(held)} pages. Submit or return one first.")
        own = {item for assignment in held for item in assignment.items}
        for batch in Batch.objects.filter(project_id=project_id, state=Batch.State.RUNNING).order_by("id"):
            settings = settings_of(batch)
            for candidate in [stage] if stage else most_needed(_waiting(batch.pk, settings), settings):
                size = settings.items_a_page[candidate]
                items = _take(batch.pk, candidate, worker_id, size, own)
                if items:
                    assignment = Assignment.objects.create(
                        worker_id=worker_id,
                        batch=batch,
                        stage=candidate,
                        key=key,
                        items=items,
                        reward=settings.reward[candidate],
                        currency=settings.currency,
                        created_at=now,
                        expires_at=now + timedelta(seconds=settings.lease_seconds),
                    )
                    return Claim(assignment, created=True)
    return None


def _still_held(assignment: Assignment, now: datetime) -> bool:
    """Whether the page is the worker's. One that ran out but was not taken back is, for a full new term."""
    if assignment.expires_at > now:
        return True
    assignment.expires_at = now + timedelta(seconds=settings_of(assignment.batch).lease_seconds)
    # The sweep may be taking it back at this moment; then it is gone.
    live = Assignment.objects.filter(pk=assignment.pk, state=Assignment.State.LIVE)
    return live.update(expires_at=assignment.expires_at) == 1


# One statement picks, locks and leases, by the index `item_queue`. In SQL of its own: building it anew from
# querysets costs as much as running it, and it runs for every page. SQLite has no row locks and needs none
# here: its write transaction has the database to itself. MATERIALIZED: a plan that looked at the head again
# for every row would find the next free items each time, and lease more than a page.
_TAKE = """
WITH head AS MATERIALIZED (
    SELECT id FROM annotation_item AS item
    WHERE batch_id = %(batch)s AND stage = %(stage)s AND state = 'open' AND needed > (judged + leased)
    AND (author_id IS NULL OR author_id <> %(worker)s)
    AND NOT EXISTS (SELECT 1 FROM annotation_judgment WHERE item_id = item.id AND worker_id = %(worker)s)
    {own}
    ORDER BY queued_at, id LIMIT %(size)s {lock}
)
UPDATE annotation_item SET leased = leased + 1 WHERE id IN (SELECT id FROM head)
RETURNING id, queued_at
"""


def _take(batch_id: int, stage: str, worker_id: int, size: int, own: Collection[int]) -> list[int]:
    """Lease up to `size` items at the head of the queue, none of them the worker's already."""
    sql = _TAKE.format(
        own=f"AND id NOT IN ({', '.join(str(int(item)) for item in own)})" if own else "",
        lock="FOR NO KEY UPDATE SKIP LOCKED" if connection.features.has_select_for_update else "",
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, {"batch": batch_id, "stage": stage, "worker": worker_id, "size": size})
        return [pk for pk, _ in sorted(cursor.fetchall(), key=lambda row: (row[1], row[0]))]


_WAITING = """
SELECT count(*) FROM (
    SELECT 1 FROM annotation_item
    WHERE batch_id = %s AND stage = %s AND state = 'open' AND needed > (judged + leased)
    LIMIT %s
) AS head
"""


def _waiting(batch_id: int, settings: BatchSettings) -> dict[str, int]:
    """How many items each stage has waiting, counted up to one page: six looks at the heads of queues."""
    stages = [str(stage) for stage in Stage]
    parameters = [value for stage in stages for value in (batch_id, stage, settings.items_a_page[stage])]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(f'({_WAITING})' for _ in stages)}", parameters)
        row = cursor.fetchone()
    return dict(zip(stages, row, strict=True))
