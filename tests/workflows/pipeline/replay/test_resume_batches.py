"""Every sweep looks for batches that are over and ask again. It does not read the images of other batches."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Batch
from tests.factories import NOW, make_running
from tests.query_plans import plan_of
from workflows.pipeline.replay.replay import resume_batches

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_images_of_running_batches_are_not_read() -> None:
    make_running([["man"], ["man"]], images=3)
    with CaptureQueriesContext(connection) as captured:
        assert resume_batches(now=NOW) == 0
    assert not [query for query in captured if "annotation_imagework" in query["sql"]]


def test_batches_that_are_over_are_looked_up_by_an_index() -> None:
    batch = make_running([["man"], ["man"]], images=3)
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.FINISHED)
    with CaptureQueriesContext(connection) as captured:
        assert resume_batches(now=NOW) == 1
    statement = next(query["sql"] for query in captured if 'FROM "annotation_imagework"' in query["sql"])
    plan = plan_of(statement, "bitmapscan")
    # Where no image was released, `work_unfinished` has the same rows, and the planner may take either.
    assert "work_asked" in plan or "work_unfinished" in plan
