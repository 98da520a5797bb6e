"""Times of pages are read from the newest pages of a stage, however many there are."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import claim_page, make_running, make_worker, submit_page
from tests.query_plans import plan_of
from workflows.batch_settings.selectors import settings_of
from workflows.money.page_times import page_times

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_the_newest_pages_are_read_by_an_index_without_sorting_all() -> None:
    batch = make_running([["man"], ["man"]], images=3)
    submit_page(claim_page(make_worker(batch.project), stage="link"))
    with CaptureQueriesContext(connection) as captured:
        times = page_times(batch.pk, settings_of(batch), ["link"])
    assert set(times) == {"link"}
    statement = next(query["sql"] for query in captured if "ORDER BY" in query["sql"])
    plan = plan_of(statement)
    assert "assignment_submitted" in plan
    assert "Sort" not in plan and "TEMP B-TREE" not in plan
