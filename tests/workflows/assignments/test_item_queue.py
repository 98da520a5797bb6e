"""The handwritten statements agree with `Item.objects.waiting()`, and use its partial index."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Batch, Item
from tests.annotation.models.test_work import make_every_item
from tests.factories import make_running, make_worker
from tests.query_plans import plan_of
from workflows.assignments.item_queue import count_heads, lease_chosen, lease_head, queue_head
from workflows.quality.selectors import batches_with_work

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ALL = 1000


def waiting() -> set[int]:
    return set(Item.objects.waiting().values_list("pk", flat=True))


def found_by_window(batch: Batch, worker: int) -> set[int]:
    found = queue_head(batch_id=batch.pk, stage="link", worker_id=worker, size=ALL, own=())
    return {pk for pk, _ in found}


def found_by_head(batch: Batch, worker: int) -> set[int]:
    found = lease_head(batch_id=batch.pk, stage="link", worker_id=worker, size=ALL, own=())
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


def test_heads_are_counted_up_to_a_limit() -> None:
    make_every_item()
    batch = Batch.objects.get()
    assert count_heads(batch_id=batch.pk, most={"link": ALL, "coverage": 5}) == {
        "link": len(waiting()),
        "coverage": 0,
    }
    assert count_heads(batch_id=batch.pk, most={"link": 2}) == {"link": 2}


@pytest.mark.parametrize("name", ["window", "take_head", "count_heads", "batches_with_work"])
def test_the_queue_is_read_by_its_partial_index(name: str) -> None:
    batch = make_running([["man"], ["man"]], images=3)
    worker = make_worker(batch.project).pk
    reads: dict[str, Callable[[], object]] = {
        "window": lambda: found_by_window(batch, worker),
        "take_head": lambda: found_by_head(batch, worker),
        "count_heads": lambda: count_heads(batch_id=batch.pk, most={"link": 10, "drawing": 5}),
        "batches_with_work": lambda: batches_with_work(worker_id=worker),
    }
    with CaptureQueriesContext(connection) as captured:
        reads[name]()
    (statement,) = [query["sql"] for query in captured if "annotation_item" in query["sql"]]
    assert "item_queue" in plan_of(statement)
