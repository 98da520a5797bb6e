"""The bare transactions beside which `make bench-dispatch` puts our figures."""

from __future__ import annotations

import pytest

from annotation.models import Assignment, Item, Judgment
from benchmarks.dispatch.reference import THREADS, pages_a_second
from tests.factories import make_at_stage, make_worker
from workflows.pipeline.models import Transition

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


def test_pages_are_written_with_all_their_rows() -> None:
    batch = make_at_stage("link", images=2 * THREADS)
    before = Transition.objects.count()
    workers = [make_worker(batch.project) for _ in range(THREADS)]
    assert pages_a_second(batch, workers, seconds=30, items_a_page=2) > 0
    assert Assignment.objects.count() == THREADS
    assert Judgment.objects.count() == Transition.objects.count() - before == 2 * THREADS
    assert not Item.objects.filter(batch=batch, unread=True).exists()
    assert set(Item.objects.filter(batch=batch).values_list("judged", "leased")) == {(1, 0)}


def test_a_batch_with_too_little_to_write_is_refused() -> None:
    batch = make_at_stage("link", images=1)
    with pytest.raises(RuntimeError, match="too few"):
        pages_a_second(batch, [make_worker(batch.project)], seconds=1, items_a_page=2)
