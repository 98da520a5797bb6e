"""The queries about items that several parts of the project use, and the indexes that serve them."""

from __future__ import annotations

import pytest
from django.db import connection

from annotation.models import Abstention, Item
from tests.factories import NOW, answer_page, make_running, make_worker
from tests.query_plans import plan_of
from workflows.pipeline.advance import advance_pending

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_items_are_unread_from_the_first_judgment_until_advance_has_read_it() -> None:
    batch = make_running([["man"], ["man"]], images=2, items_a_page={"link": 1})
    assert not Item.objects.unread().exists()
    answer_page(make_worker(batch.project))
    assert [item.judged for item in Item.objects.unread()] == [1]
    assert batch.items.unread().count() == 1
    assert Item.objects.count() == 2
    advance_pending(now=NOW)
    assert not Item.objects.unread().exists()


def test_unread_items_are_found_by_their_partial_index() -> None:
    make_running([["man"], ["man"]])
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Otherwise PostgreSQL would read a table this small as a whole.
            cursor.execute("SET LOCAL enable_seqscan = off")
    assert "item_unread" in Item.objects.unread().order_by("pk").explain()


def test_abstentions_of_items_are_found_by_their_index() -> None:
    """A submission reads them while it holds its page and works."""
    of_items = Abstention.objects.filter(item__in=[1, 2])
    for found in (of_items, of_items | Abstention.objects.filter(work__in=[1, 2])):
        plan = plan_of(str(found.values("pk").query))
        assert "abstention_of_item" in plan, plan
