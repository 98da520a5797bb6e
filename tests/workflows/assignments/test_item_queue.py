"""The handwritten statements agree with `Item.objects.waiting()` and `barring()`, and use its index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Abstention, Batch, Decision, Item, Worker
from annotation.selectors import BARS_SQL, barring
from tests.annotation.models.test_work import make_every_item
from tests.factories import NOW, claim_page, make_questions, make_running, make_worker
from tests.query_plans import plan_of
from workflows.assignments.item_queue import Queue, count_waiting, lease_chosen, lease_head, queue_head
from workflows.quality.selectors import batches_with_work

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ALL = 1000


def waiting() -> set[int]:
    return set(Item.objects.waiting().values_list("pk", flat=True))


def found_by_window(batch: Batch, worker: int) -> set[int]:
    found = queue_head(Queue(batch.pk, "link", worker), ALL)
    return {pk for pk, _ in found}


def found_by_head(batch: Batch, worker: int) -> set[int]:
    found = lease_head(Queue(batch.pk, "link", worker), ALL)
    return {pk for pk, _ in found}


def found_by_choice(batch: Batch, worker: int) -> set[int]:
    everything = [(pk, 0) for pk in Item.objects.values_list("pk", flat=True)]
    return {pk for pk, _ in lease_chosen(everything, ALL)}


@pytest.mark.parametrize("found", [found_by_window, found_by_head, found_by_choice])
def test_the_queue_holds_the_items_that_wait(found: Callable[[Batch, int], set[int]]) -> None:
    make_every_item()
    batch = Batch.objects.get()
    expected = waiting()
    assert expected
    assert found(batch, make_worker(batch.project).pk) == expected


USABLE_HOURS: Sequence[Sequence[int]] = ((), (-1,), (0,), (1,), (-1, 0), (-1, 1), (0, 1), (-1, 0, 1))
"""When researchers let an image go on, in hours after an abstention. From 0 on, it bars nobody any more."""


def make_every_abstention() -> tuple[Worker, set[int]]:
    """Let a worker abstain in every way from an item of each image, and researchers decide before and after.

    Return the worker, and the items that are still not asked of the worker again.
    """
    cases = list(product(Abstention.Kind, USABLE_HOURS, (None, Decision.Kind.WITHDRAW, Decision.Kind.CHAIN)))
    batch = make_running([["man"], ["man"]], images=len(cases))
    worker = make_worker(batch.project)
    page = claim_page(worker)
    Item.objects.update(leased=0)
    given: dict[str, Any] = {"worker": worker, "assignment": page, "after": 0, "created_at": NOW}
    abstentions = [
        Abstention(kind=kind, question=question, **given)
        for kind, question in zip(
            Abstention.Kind, make_questions(batch.project, "link", each=len(Abstention.Kind)), strict=True
        )
    ]
    decisions, barred = [], set()
    for item, (kind, hours, other) in zip(Item.objects.order_by("pk"), cases, strict=True):
        abstentions.append(Abstention(kind=kind, item=item, work_id=item.work_id, **given))
        decided = [(Decision.Kind.USABLE, hour) for hour in hours] + ([(other, 1)] if other else [])
        decisions += [
            Decision(
                project=batch.project,
                kind=decision,
                by="ann",
                work_id=item.work_id,
                created_at=NOW + timedelta(hours=hour),
            )
            for decision, hour in decided
        ]
        if all(hour < 0 for hour in hours):
            barred.add(item.pk)
    Abstention.objects.bulk_create(abstentions)
    Decision.objects.bulk_create(decisions)
    return worker, barred


def test_the_handwritten_condition_bars_what_barring_bars() -> None:
    _, barred = make_every_abstention()
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT item_id FROM annotation_abstention AS said WHERE item_id IS NOT NULL AND {BARS_SQL}"  # noqa: S608
        )
        by_hand = {item for (item,) in cursor.fetchall()}
    assert set(barring().values_list("item_id", flat=True)) == by_hand == barred
    assert 0 < len(barred) < Item.objects.count()


@pytest.mark.parametrize("found", [found_by_window, found_by_head])
def test_the_queue_holds_what_a_worker_is_not_barred_from(found: Callable[[Batch, int], set[int]]) -> None:
    worker, barred = make_every_abstention()
    batch, expected = Batch.objects.get(), waiting() - barred
    assert expected
    assert found(batch, worker.pk) == expected


def test_heads_are_counted_up_to_a_limit() -> None:
    make_every_item()
    batch = Batch.objects.get()
    assert count_waiting(batch_id=batch.pk, most={"link": ALL, "coverage": 5}) == {
        "link": len(waiting()),
        "coverage": 0,
    }
    assert count_waiting(batch_id=batch.pk, most={"link": 2}) == {"link": 2}


@pytest.mark.parametrize("name", ["window", "take_head", "count_waiting", "batches_with_work"])
def test_the_queue_is_read_by_its_partial_index(name: str) -> None:
    batch = make_running([["man"], ["man"]], images=3)
    worker = make_worker(batch.project).pk
    reads: dict[str, Callable[[], object]] = {
        "window": lambda: found_by_window(batch, worker),
        "take_head": lambda: found_by_head(batch, worker),
        "count_waiting": lambda: count_waiting(batch_id=batch.pk, most={"link": 10, "drawing": 5}),
        "batches_with_work": lambda: batches_with_work(worker_id=worker),
    }
    with CaptureQueriesContext(connection) as captured:
        reads[name]()
    (statement,) = [query["sql"] for query in captured if "annotation_item" in query["sql"]]
    assert "item_queue" in plan_of(statement)
