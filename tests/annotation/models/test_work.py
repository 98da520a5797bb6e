from __future__ import annotations

from itertools import product

import pytest
from django.db import IntegrityError, connection
from django.db.models import F

from annotation.models import Batch, Item
from tests.annotation.models.raw_rows import insert_again
from tests.factories import make_running

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def make_every_item() -> None:
    """Give items every state, and every mixture of small numbers that the check constraint allows."""
    numbers = [(n, j, held) for n, j, held in product(range(3), repeat=3) if n >= j + held]
    kinds = [(state, *rest) for state in Item.State for rest in numbers]
    make_running([["man"], ["man"]], images=len(kinds))
    for item, (state, needed, judged, leased) in zip(Item.objects.order_by("pk"), kinds, strict=True):
        item.state, item.needed, item.judged, item.leased = state, needed, judged, leased
        item.save()


def test_an_item_waits_while_it_is_open_and_short_of_judgments() -> None:
    make_every_item()
    expected = {
        item.pk
        for item in Item.objects.all()
        if item.state == Item.State.OPEN and item.needed > item.judged + item.leased
    }
    assert expected
    assert set(Item.objects.waiting().values_list("pk", flat=True)) == expected


def test_waiting_items_are_found_by_their_partial_index() -> None:
    batch = make_running([["man"], ["man"]], images=3)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # otherwise so few rows are read without any index, or sorted
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_sort = off")
    waiting = Item.objects.waiting().filter(batch=batch, stage="link").order_by("queued_at", "pk")
    plan = waiting.values_list("pk")[:10].explain()
    assert "item_queue" in plan
    assert "SCAN annotation_item" not in plan and "Sort" not in plan and "TEMP" not in plan


def test_a_pair_of_mentions_is_one_item() -> None:
    make_running([["man"], ["man"]])
    with pytest.raises(IntegrityError):
        insert_again(Item.objects.get())


def test_an_image_is_annotated_by_one_batch_at_a_time() -> None:
    work = make_running([["man"], ["man"]]).works.get()
    other, third = (Batch.objects.create(project=work.batch.project, name=name) for name in ("b", "c"))
    insert_again(work, batch_id=other.pk, active=False)
    with pytest.raises(IntegrityError):
        insert_again(work, batch_id=third.pk)


def test_no_more_workers_lease_an_item_than_it_needs_judgments() -> None:
    make_running([["man"], ["man"]])
    Item.objects.update(leased=F("needed"))
    with pytest.raises(IntegrityError):
        Item.objects.update(leased=F("needed") + 1)
