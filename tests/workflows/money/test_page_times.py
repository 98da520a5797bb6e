"""Times of pages are read from the newest pages of a stage, however many there are."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import NOW, claim_page, make_running, make_worker, replies, submit_page
from tests.query_plans import plan_of
from workflows.assignments.page_view import shown_page
from workflows.assignments.submit import submit
from workflows.batch_settings.selectors import settings_of
from workflows.money.domain.wage_floor import ENOUGH_PAGES
from workflows.money.page_times import keep_page_times, page_times, usual_times

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_the_newest_pages_are_read_by_an_index_without_sorting_all() -> None:
    batch = make_running([["man"], ["man"]], images=3)
    submit_page(claim_page(make_worker(batch.project), stage="link"))
    with CaptureQueriesContext(connection) as captured:
        times = page_times(batch.pk, settings_of(batch), ["link"])
    assert set(times) == {"link"}
    statement = next(query["sql"] for query in captured if "ORDER BY" in query["sql"])
    plan = plan_of(statement, "sort")
    assert "assignment_submitted" in plan
    assert "Sort" not in plan and "TEMP B-TREE" not in plan


def test_the_usual_time_of_a_stage_is_kept_once_there_are_enough_pages() -> None:
    batch = make_running([["man"], ["man"]], images=ENOUGH_PAGES + 1, items_a_page={"link": 1})
    assert usual_times(batch)["link"].milliseconds == 7500, "the paper's, for one item"
    for n in range(ENOUGH_PAGES):
        if n == ENOUGH_PAGES - 1:
            assert keep_page_times(now=NOW) == 0
        page = claim_page(make_worker(batch.project), stage="link")
        answers = [replace(reply, seconds=4.0) for reply in replies(page)]
        submit(worker_id=page.worker_id, assignment_id=page.pk, replies=answers, now=NOW + timedelta(hours=1))
    assert keep_page_times(now=NOW + timedelta(hours=1)) == 1
    assert usual_times(batch)["link"].milliseconds == 4000
    page = claim_page(make_worker(batch.project))
    assert shown_page(page, now=NOW)["usual_seconds"] > 0


def test_a_page_that_is_not_full_says_what_it_pays_and_how_long_it_takes() -> None:
    batch = make_running([["man"], ["man"]], reward={"link": 5}, pay_by="item")
    page = claim_page(make_worker(batch.project), stage="link")
    assert (page.reward, len(page.items)) == (1, 1)
    shown = shown_page(page, now=NOW)
    assert (shown["reward"], shown["usual_seconds"]) == ({"amount": 1, "currency": "USD"}, 7.5)
