"""What the migration fills is what is kept as entries are written, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotation.models import Assignment, Judgment
from tests.factories import NOW, claim_page, make_running, make_worker, submit_page
from workflows.ledger_books import verify_books
from workflows.models import Earned
from workflows.services.crowd.direct_pay import pay_more
from workflows.services.crowd.earning import post_earnings
from workflows.services.earnings import pay_out

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE = [("workflows", "0014_payment_withdrawn")]


@pytest.fixture
def latest() -> Iterator[list[Any]]:
    """Afterwards the tables are of today again, whatever happened."""
    nodes = MigrationExecutor(connection).loader.graph.leaf_nodes()
    yield nodes
    MigrationExecutor(connection).migrate(nodes)


def _rows() -> list[tuple[Any, ...]]:
    columns = ("batch", "worker", "day", "currency", "pages", "milliseconds", "earned", "paid")
    return sorted(Earned.objects.values_list(*columns))


def test_entries_of_before_are_added_up(latest: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    words = [["man", "dog"], ["man", "dog"]]
    batch = make_running(words, images=8, reward={"link": 125}, items_a_page={"link": 1})
    workers = [make_worker(batch.project) for _ in range(2)]
    pages = []
    for n in range(5):
        page = claim_page(workers[n % 2], now=NOW)
        submit_page(page, now=NOW + timedelta(seconds=90.25 + n))
        pages.append(page)
    # One says less than the clock, one more, one has answers that came too late.
    Judgment.objects.filter(assignment=pages[0]).update(seconds=12.345)
    Judgment.objects.filter(assignment=pages[1]).update(seconds=5000)
    Assignment.objects.filter(pk=pages[0].pk).update(late=[{"seconds": 2.5}, {}])
    for page in pages[:3]:
        Assignment.objects.filter(pk=page.pk).update(owed=False)
    post_earnings(clock=lambda: NOW)
    Assignment.objects.filter(pk__in=[page.pk for page in pages[:3]]).update(owed=True)
    post_earnings(clock=lambda: NOW + timedelta(days=1))
    pay_more(page=pages[0], amount=7, reason="broken", by="ann", now=NOW + timedelta(days=2))
    later = NOW + timedelta(days=40)
    tokens = [f"page:{pages[0].pk}", f"page:{pages[3].pk}", f"part:{pages[0].pk}"]
    pay_out(batch_id=batch.pk, tokens=tokens, now=later)
    assert verify_books() == []
    kept = _rows()
    assert len(kept) == 5
    assert sum(row[4] for row in kept) == 5 and sum(row[7] for row in kept) == 125 + 125 + 7
    monkeypatch.setattr(import_module("workflows.migrations.0015_earned"), "AT_ONCE", 2)
    MigrationExecutor(connection).migrate(BEFORE)
    MigrationExecutor(connection).migrate(latest)
    assert _rows() == kept
