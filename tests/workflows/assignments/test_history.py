"""docs/quality.md, "What workers cannot recognise": which images a worker has seen, over all stages."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Assignment, Worker
from tests.factories import NOW, make_controlled, make_worker
from tests.workflows.assignments.test_entrance import with_second
from workflows.assignments import page_composition
from workflows.assignments.domain import Sighting
from workflows.assignments.page_composition import history_of

pytestmark = pytest.mark.django_db


def make_page(worker: Worker, number: int, stage: str, images: list[int], checks: list[list[int]]) -> None:
    """Make a page that is over. The batches of the project get the pages in turns."""
    batches = worker.project.batches.order_by("pk")
    Assignment.objects.create(
        worker=worker,
        batch=batches[number % len(batches)],
        stage=stage,
        state=(Assignment.State.SUBMITTED, Assignment.State.RETURNED, Assignment.State.EXPIRED)[number % 3],
        items=list(range(len(images) - len(checks))),
        checks=checks,
        images=images,
        created_at=NOW + timedelta(minutes=number),
        expires_at=NOW,
    )


@pytest.mark.both_databases
def test_pages_of_all_stages_batches_and_ends_count(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = make_controlled("link", "verification", images=1)
    with_second(batch, images=1)
    worker, other = make_worker(batch.project), make_worker(batch.project)
    make_page(worker, 1, "coverage", [1, 2, 3], [])
    make_page(worker, 2, "link", [1, 4, 1], [[1, 77]])
    make_page(other, 3, "link", [9, 9, 9], [[1, 77]])
    make_page(worker, 4, "drawing", [2, 5], [[0, 78], [1, 79]])
    make_page(worker, 6, "link", [5, 6], [])
    found = history_of(worker.pk)
    assert found.sightings("drawing", among=range(1, 10)) == {
        1: Sighting(earlier=2, later=1, ago=3),
        2: Sighting(here=1, later=1, ago=2),
        3: Sighting(later=1, ago=4),
        4: Sighting(earlier=1, ago=3),
        5: Sighting(earlier=1, here=1, ago=1),
        6: Sighting(earlier=1, ago=1),
    }
    assert found.asked == {4: 1, 2: 1, 5: 1}
    monkeypatch.setattr(page_composition, "HISTORY_PAGES", 2)
    assert set(history_of(worker.pk).sightings("link", among=range(1, 10))) == {2, 5, 6}, "only the latest"


def test_a_worker_without_pages_saw_nothing() -> None:
    found = history_of(make_worker(make_controlled("link", "open").project).pk)
    assert not found.sightings("link", among=[1]) and not found.asked


@pytest.mark.both_databases
def test_one_statement_reads_the_latest_pages_by_an_index() -> None:
    """However many pages a worker did, a claim reads no more than the latest ones."""
    worker = make_worker(make_controlled("link", "verification", images=1).project)
    for number in range(3):
        make_page(worker, number, "link", [1], [])
    with CaptureQueriesContext(connection) as captured:
        history_of(worker.pk)
    (statement,) = captured
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_sort = off")
        explain = "EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN "
        cursor.execute(explain + statement["sql"])
        plan = str(cursor.fetchall())
    assert "assignment_of_worker" in plan and "Sort" not in plan and "TEMP B-TREE" not in plan
