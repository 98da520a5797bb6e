"""Measures what the database alone can do with the writes of a page: no web server, no rules, no queue."""

from __future__ import annotations

import threading
import time
import uuid

from django.db import connection
from django.utils import timezone

from annotation.models import Batch, Item, Worker
from annotation.transactions import write_transaction

THREADS = 4


def pages_a_second(batch: Batch, workers: list[Worker], seconds: float, items_a_page: int) -> float:
    """Return pages a second, of three committed transactions each.

    They write the rows that claim, submit and advance write for a page.
    """
    free = list(Item.objects.filter(batch=batch, judged=0, leased=0).values_list("pk", flat=True)[:200_000])
    share = len(free) // THREADS
    counts = [0] * THREADS
    end = time.perf_counter() + seconds

    def run(number: int) -> None:
        mine = free[number * share : (number + 1) * share]
        try:
            while time.perf_counter() < end and len(mine) >= items_a_page:
                page, mine = mine[:items_a_page], mine[items_a_page:]
                _write_page(batch.pk, workers[number].pk, page)
                counts[number] += 1
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.perf_counter() - begin)


def _write_page(batch: int, worker: int, page: list[int]) -> None:
    now, assignment = timezone.now(), uuid.uuid4()
    key = assignment.hex if connection.vendor == "sqlite" else str(assignment)
    marks = ", ".join(["%s"] * len(page))
    judgments = ", ".join(["(%s, %s, %s, '{\"same\": true}', '', %s, %s)"] * len(page))
    transitions = ", ".join(["(%s, NULL, %s, 'raw', 'a', 'b', %s)"] * len(page))
    done = f"UPDATE annotation_item SET state = 'done', unread = %s WHERE id IN ({marks})"
    with write_transaction(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE annotation_item SET leased = leased + 1 WHERE id IN ({marks})", page)
        cursor.execute(
            "INSERT INTO annotation_assignment"
            " (id, worker_id, batch_id, stage, key, state, items, created_at, expires_at,"
            ' checks, images, asked, "right", verdict, reward, currency)'
            " VALUES (%s, %s, %s, 'link', '', 'returned', '[]', %s, %s, '[]', '[]', 0, 0, '', 0, '')",
            [key, worker, batch, now, now],
        )
    with write_transaction(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO annotation_judgment (item_id, worker_id, assignment_id, answer, comment, chunk_flag,"
            f" created_at) VALUES {judgments}",
            [value for item in page for value in (item, worker, key, False, now)],
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
