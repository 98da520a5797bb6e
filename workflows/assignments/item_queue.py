"""The queue of waiting items: look at its head, and lease items from it without waiting for other workers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any, NamedTuple

from django.db import connection

from annotation.domain.answers import JUDGES_BOXES
from annotation.domain.page_entries import Candidate
from annotation.models.work import WAITING_SQL
from annotation.selectors import BARS_SQL

# These statements are written by hand: they run for every page, and building them from querysets takes as
# long as running them. SQLite has no row locks and needs none: a write transaction has it to itself.
_WAITS = f"""
    batch_id = %(batch)s AND stage = %(stage)s AND {WAITING_SQL}
    AND (author_id IS NULL OR author_id <> %(worker)s {{own_boxes}})
    AND NOT EXISTS (SELECT 1 FROM annotation_judgment WHERE item_id = item.id AND worker_id = %(worker)s)
    AND (counted_id IS NULL {{own_votes}} OR NOT EXISTS (
        SELECT 1 FROM annotation_judgment AS vote JOIN annotation_item AS earlier ON earlier.id = vote.item_id
        WHERE earlier.chain_id = item.chain_id AND earlier.stage = item.stage AND vote.worker_id = %(worker)s
    ))
    AND NOT EXISTS (
        SELECT 1 FROM annotation_abstention AS said
        WHERE said.worker_id = %(worker)s AND said.work_id = item.work_id
        AND (said.item_id = item.id OR (said.kind = 'unusable' AND EXISTS (
            SELECT 1 FROM annotation_item AS asked WHERE asked.id = said.item_id AND asked.state = 'open'
        )))
        AND {BARS_SQL}
    )
"""  # noqa: S608  # a constant of ours
# Where a chain came back to a stage, the votes that were given there before may count, too: none of their
# workers votes again. Whoever could not see a photograph is asked nothing about it until somebody else has
# answered that item, and whoever could not tell an answer is not asked that item; unless a researcher has let
# the image go on.

_OWN_BOXES = "OR (stage IN (%(one)s, %(other)s) AND queued_at <= %(own_until)s)"
"""Boxes that the worker drew, and that have waited long enough."""

_OWN_VOTES = "OR queued_at <= %(own_until)s"
"""Chains about which the worker has voted before, and that have waited long enough."""

_WINDOW = """
SELECT id, (SELECT image_id FROM annotation_imagework WHERE id = head.work_id) FROM (
    SELECT id, work_id FROM annotation_item AS item WHERE {waits} {own}
    ORDER BY queued_at, id LIMIT %(size)s
) AS head
"""

# One statement picks, locks and leases, by the index `item_queue`. MATERIALIZED: a plan that looked at the
# head again for every row would find the next free items each time, and lease more than a page.
_TAKE = """
WITH head AS MATERIALIZED (
    SELECT id FROM annotation_item AS item WHERE {waits} {own}
    ORDER BY queued_at, id LIMIT %(size)s {lock}
)
UPDATE annotation_item SET leased = leased + 1 WHERE id IN (SELECT id FROM head)
RETURNING id, queued_at, (SELECT image_id FROM annotation_imagework WHERE id = annotation_item.work_id)
"""

# The same for items that were chosen, in the order of choice. Items that others took are passed over.
_TAKE_CHOSEN = """
WITH chosen (id, place) AS (VALUES {rows}), free AS MATERIALIZED (
    SELECT item.id FROM chosen JOIN annotation_item AS item ON item.id = chosen.id
    WHERE {waiting}
    ORDER BY place LIMIT %(size)s {lock}
)
UPDATE annotation_item SET leased = leased + 1 WHERE id IN (SELECT id FROM free)
RETURNING id
"""

# For visits: the images of the items at the head of the queue, the one that waits longest first.
_IMAGES = """
SELECT head.work_id, (SELECT image_id FROM annotation_imagework WHERE id = head.work_id), count(*) FROM (
    SELECT id, work_id, queued_at FROM annotation_item AS item WHERE {waits} {own} {again}
    ORDER BY queued_at, id LIMIT %(size)s
) AS head
GROUP BY head.work_id {unvisited}
ORDER BY min(head.queued_at), min(head.id)
"""
_UNVISITED = """
HAVING NOT EXISTS (
    SELECT 1 FROM annotation_item AS other
    WHERE other.work_id = head.work_id AND other.stage = %(stage)s AND (
        other.id IN ({own})
        OR other.judged > 0 AND EXISTS (
            SELECT 1 FROM annotation_judgment WHERE item_id = other.id AND worker_id = %(worker)s
        )
    )
) AND NOT EXISTS (
    SELECT 1 FROM annotation_abstention AS said JOIN annotation_item AS other ON other.id = said.item_id
    WHERE said.worker_id = %(worker)s AND said.work_id = head.work_id AND other.stage = %(stage)s
)
"""
"""Images about which the worker has answered nothing in the stage, and holds nothing."""
_AGAIN = "AND queued_at <= %(again_until)s"

# Everything about these images that waits for the worker. It must be found by its image. So that it waits is
# said in other words than in the index `item_queue`, by which the whole queue might be read.
_WAITS_OF_IMAGE = _WAITS.replace(WAITING_SQL, "state = 'open' AND needed - judged > leased")
_TAKE_VISITS = """
WITH chosen (work, place) AS (VALUES {rows}), free AS MATERIALIZED (
    SELECT item.id FROM chosen JOIN annotation_item AS item ON item.work_id = chosen.work
    WHERE {waits} {own} {again}
    ORDER BY place, (item.id * %(stride)s) %% {prime} LIMIT %(size)s {lock}
)
UPDATE annotation_item SET leased = leased + 1 WHERE id IN (SELECT id FROM free)
RETURNING work_id, id
"""
_PRIME = 1_000_003
"""With a random factor and this modulus, ids are in an order without a meaning."""

_HEAD = f"""
SELECT count(*) FROM (
    SELECT 1 FROM annotation_item WHERE batch_id = %s AND stage = %s AND {WAITING_SQL} LIMIT %s
) AS head
"""  # noqa: S608  # a constant of ours


class Visit(NamedTuple):
    """An image, and how many items about it wait for a worker in a stage."""

    work: int
    image: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Queue:
    """What waits in a stage of a batch for one worker.

    Left out are the items in `own`, which the worker holds or has left unanswered, and:

    - boxes that the worker drew, and chains on which the worker has voted in this stage, if they came into
      the queue after `own_until`;
    - images about which the worker was asked in this stage, unless an item has waited since `again_until`.
    """

    batch_id: int
    stage: str
    worker_id: int
    own: Collection[int] = ()
    own_until: datetime | None = None
    again_until: datetime | None = None

    def parameters(self, size: int) -> dict[str, Any]:
        """Return the parameters of a statement about `size` items."""
        found = {"batch": self.batch_id, "stage": self.stage, "worker": self.worker_id, "size": size}
        if self.own_until is not None:
            found |= zip(("one", "other"), map(str, sorted(JUDGES_BOXES)), strict=True)
            found["own_until"] = connection.ops.adapt_datetimefield_value(self.own_until)
        if self.again_until is not None:
            found["again_until"] = connection.ops.adapt_datetimefield_value(self.again_until)
        return found

    def waits(self, condition: str = _WAITS) -> str:
        """Return the condition of an item that waits for the worker."""
        if self.own_until is None:
            return condition.format(own_boxes="", own_votes="")
        return condition.format(own_boxes=_OWN_BOXES, own_votes=_OWN_VOTES)

    @property
    def but_own(self) -> str:
        """The condition that the worker does not hold an item."""
        return f"AND id NOT IN ({_ids(self.own)})" if self.own else ""

    @property
    def again(self) -> str:
        """The condition of an item for which an image is visited."""
        return "" if self.again_until is None else _AGAIN


def count_waiting(*, batch_id: int, most: Mapping[str, int]) -> dict[str, int]:
    """Count the waiting items of each stage in `most`, up to the number given there. One statement."""
    parameters = [value for stage, limit in most.items() for value in (batch_id, stage, limit)]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(f'({_HEAD})' for _ in most)}", parameters)
        row = cursor.fetchone()
    return dict(zip(map(str, most), row, strict=True))


def queue_head(queue: Queue, size: int) -> list[Candidate]:
    """Return up to `size` items, with their images, from the head of the queue.

    Others may take the items at any moment.
    """
    with connection.cursor() as cursor:
        cursor.execute(_WINDOW.format(waits=queue.waits(), own=queue.but_own), queue.parameters(size))
        return [(int(pk), int(image)) for pk, image in cursor.fetchall()]


def lease_head(queue: Queue, size: int) -> list[Candidate]:
    """Lease up to `size` items at the head of the queue, oldest first, and return them with their images."""
    sql = _TAKE.format(waits=queue.waits(), own=queue.but_own, lock=_lock(""))
    with connection.cursor() as cursor:
        cursor.execute(sql, queue.parameters(size))
        rows = sorted(cursor.fetchall(), key=lambda row: (row[1], row[0]))
    return [(int(pk), int(image)) for pk, _, image in rows]


def lease_chosen(chosen: Sequence[Candidate], size: int) -> list[Candidate]:
    """Lease the first `size` chosen items that are still free and that nobody else is leasing right now."""
    if not chosen:
        return []
    rows = ", ".join(f"({int(pk)}, {place})" for place, (pk, _) in enumerate(chosen))
    with connection.cursor() as cursor:
        cursor.execute(
            _TAKE_CHOSEN.format(rows=rows, waiting=WAITING_SQL, lock=_lock("OF item")), {"size": size}
        )
        taken = {pk for (pk,) in cursor.fetchall()}
    return [candidate for candidate in chosen if candidate[0] in taken]


def visits(queue: Queue, size: int) -> list[Visit]:
    """Return the images of the first `size` items that wait for this worker, the oldest first."""
    unvisited = "" if queue.again_until else _UNVISITED.format(own=_ids(queue.own or [0]))
    sql = _IMAGES.format(waits=queue.waits(), own=queue.but_own, again=queue.again, unvisited=unvisited)
    with connection.cursor() as cursor:
        cursor.execute(sql, queue.parameters(size))
        return [Visit(int(work), int(image), int(number)) for work, image, number in cursor.fetchall()]


def lease_visits(queue: Queue, chosen: Sequence[Visit], size: int, rng: Random) -> list[Candidate]:
    """Lease what waits for this worker about the chosen images, up to `size` items, and return them by image.

    If there is not room for everything about the last image, any of it is taken. Items that others are
    leasing right now are passed over.
    """
    if not chosen or size < 1:
        return []
    sql = _TAKE_VISITS.format(
        rows=", ".join(f"({int(one.work)}, {place})" for place, one in enumerate(chosen)),
        prime=_PRIME,
        waits=queue.waits(_WAITS_OF_IMAGE),
        own=queue.but_own,
        again=queue.again,
        lock=_lock("OF item"),
    )
    places = {one.work: (place, one.image) for place, one in enumerate(chosen)}
    with connection.cursor() as cursor:
        cursor.execute(sql, queue.parameters(size) | {"stride": rng.randrange(1, _PRIME)})
        taken = sorted((*places[work], pk) for work, pk in cursor.fetchall())
    return [(int(pk), image) for _, image, pk in taken]


def _ids(items: Collection[int]) -> str:
    return ", ".join(str(int(item)) for item in items)


def _lock(of: str) -> str:
    return f"FOR NO KEY UPDATE {of} SKIP LOCKED" if connection.features.has_select_for_update else ""
