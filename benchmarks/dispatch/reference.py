"""Measures what the database alone can do with the writes of a page: no web server, no rules, no queue."""

from __future__ import annotations

import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from django.db import connection
from django.utils import timezone

from annotation.models import Assignment, Batch, Item, Worker
from annotation.transactions import write_transaction

THREADS = 4


def pages_a_second(batch: Batch, workers: list[Worker], seconds: float, items_a_page: int) -> float:
    """Return how many pages a second THREADS threads write: three committed transactions a page.

    They write the rows that claim, submit and advance write for it. Raises what a thread raises, and
    RuntimeError if there are too few waiting items for a single page.
    """
    free = list(Item.objects.filter(batch=batch, judged=0, leased=0).values_list("pk", flat=True)[:200_000])
    share = len(free) // THREADS
    if share < items_a_page:
        raise RuntimeError(f"{len(free)} waiting items are too few for {THREADS} pages of {items_a_page}")
    end = time.perf_counter() + seconds

    def run(number: int) -> int:
        mine = free[number * share : (number + 1) * share]
        written = 0
        try:
            while time.perf_counter() < end and len(mine) >= items_a_page:
                page, mine = mine[:items_a_page], mine[items_a_page:]
                _write_page(batch.pk, workers[number].pk, page)
                written += 1
        finally:
            connection.close()
        return written

    begin = time.perf_counter()
    with ThreadPoolExecutor(THREADS) as pool:
        written = sum(pool.map(run, range(THREADS)))
    return written / (time.perf_counter() - begin)


@cache
def _assignment_columns() -> dict[str, Any]:
    """Return column -> value of an assignment's row, from the model: a new column is here by itself."""
    blank = Assignment(stage="link", state=Assignment.State.RETURNED, items=[], checks=[])
    fields = Assignment._meta.concrete_fields
    return {
        field.column: field.get_db_prep_save(getattr(blank, field.attname), connection)
        for field in fields
        if field.column
    }


def _write_page(batch: int, worker: int, page: list[int]) -> None:
    now, assignment = timezone.now(), uuid.uuid4()
    key = assignment.hex if connection.vendor == "sqlite" else str(assignment)
    marks = ", ".join(["%s"] * len(page))
    judgments = ", ".join(["(%s, %s, %s, '{\"same\": true}', '', %s, '', %s, %s)"] * len(page))
    transitions = ", ".join(["(%s, NULL, %s, 'raw', 'a', 'b', %s)"] * len(page))
    done = f"UPDATE annotation_item SET state = 'done', unread = %s WHERE id IN ({marks})"
    with write_transaction(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE annotation_item SET leased = leased + 1 WHERE id IN ({marks})", page)
        row = _assignment_columns() | {
            "id": key,
            "worker_id": worker,
            "batch_id": batch,
            "created_at": now,
            "expires_at": now,
        }
        quoted, places = ", ".join(f'"{column}"' for column in row), ", ".join(["%s"] * len(row))
        cursor.execute(f"INSERT INTO annotation_assignment ({quoted}) VALUES ({places})", list(row.values()))
    with write_transaction(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO annotation_judgment (item_id, worker_id, assignment_id, answer, drawn_by, further,"
            f" comment, chunk_flag, created_at) VALUES {judgments}",
            [value for item in page for value in (item, worker, key, False, False, now)],
        )
        cursor.execute(
            "UPDATE annotation_item SET judged = judged + 1, leased = leased - 1, unread = %s"
            f" WHERE id IN ({marks})",
            [True, *page],
        )
        cursor.execute("UPDATE annotation_assignment SET submitted_at = %s WHERE id = %s", [now, key])
    with write_transaction(), connection.cursor() as cursor:
        cursor.execute(done, [False, *page])
        cursor.execute(f"SELECT id, work_id FROM annotation_item WHERE id IN ({marks})", page)
        works = dict(cursor.fetchall())
        cursor.execute(
            "INSERT INTO workflows_transition (work_id, chain_id, item_id, rule, source, target, created_at)"
            f" VALUES {transitions}",
            [value for item in page for value in (works[item], item, now)],
        )
