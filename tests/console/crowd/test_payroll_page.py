"""The payroll of direct workers: a table, a file, and marking it as paid."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Batch, Worker
from tests.console.batches.form_data import acts
from tests.factories import NOW, make_batch, make_image, make_project
from workflows.money.earnings import record_earning
from workflows.money.models import LedgerEntry
from workflows.workers.enrolment import enrol_worker

pytestmark = pytest.mark.django_db
MARCH = {"from": "2026-03-01", "to": "2026-03-31"}
NAME = "=evil()"


@pytest.fixture
def project() -> int:
    """Make a project in which a worker with a nasty name has earned 1.20 USD in March, and 0.10 in April."""
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch, worker = make_batch(project), enrol_worker(project=project, external_id=NAME)
    for token, rewards, now in (("bonus-1", 120, NOW), ("bonus-2", 10, NOW + timedelta(days=40))):
        record_earning(batch_id=batch.pk, worker_id=worker.pk, token=token, rewards=rewards, now=now)
    return project.pk


def test_the_table_is_of_its_period_alone(
    viewer: Client, project: int, django_assert_max_num_queries: Any
) -> None:
    url = reverse("crowd:payroll", args=[project])
    with django_assert_max_num_queries(20):
        page = viewer.get(url, MARCH).content.decode()
    assert NAME in page and "1.20 USD" in page and "0.10 USD" not in page
    assert "Hours are of the pages whose rewards are listed" in page, "a worker's page has other hours"
    assert "Mark as paid" not in page and "Download" not in page, "for managers"
    assert "No worker earned" in viewer.get(url, {"from": "2026-01-01", "to": "2026-01-31"}).content.decode()


def test_the_page_opens_where_something_is_due_and_names_other_months(manager: Client, project: int) -> None:
    """It opened the last month, said that nobody earned anything, and did not lead to what is due."""
    url = reverse("crowd:payroll", args=[project])
    march, april = "from=2026-03-01&amp;to=2026-03-31", "from=2026-04-01&amp;to=2026-04-30"
    page = manager.get(url)
    assert page.context["first"] == "2026-03-01" and _names(page) == [NAME]
    other = f'Due in other months: <a href="?{april}">April 2026</a>.'
    assert other in page.content.decode()
    nothing = manager.get(url, {"from": "2026-01-01", "to": "2026-01-31"}).content.decode()
    assert f'<a href="?{march}">March 2026</a>, <a href="?{april}">' in nothing
    manager.post(url, {**MARCH, "paid": "1"})
    page = manager.get(url)
    assert page.context["first"] == "2026-04-01" and "Due in other months" not in page.content.decode()


def test_the_last_month_comes_first_if_something_is_due_in_it(viewer: Client, project: int) -> None:
    url = reverse("crowd:payroll", args=[project])
    with patch("console.crowd.views.payroll.timezone.now", return_value=datetime(2026, 5, 9, tzinfo=UTC)):
        assert viewer.get(url).context["first"] == "2026-04-01"
    other = make_project("other")  # nobody has earned anything there
    with patch("console.crowd.views.payroll.timezone.now", return_value=datetime(2026, 5, 9, tzinfo=UTC)):
        reply = viewer.get(reverse("crowd:payroll", args=[other.pk]))
    assert (reply.context["first"], reply.context["last"]) == ("2026-04-01", "2026-04-30")


def test_what_was_paid_is_marked_once_and_not_by_accident(manager: Client, project: int) -> None:
    url = reverse("crowd:payroll", args=[project])
    assert manager.post(url, MARCH).status_code == 422, "without saying so"
    manager.post(url, {**MARCH, "paid": "1"})
    reply = manager.post(url, {**MARCH, "paid": "1"}, follow=True)
    assert "Nothing was changed" in reply.content.decode()
    assert LedgerEntry.objects.filter(kind="payroll").count() == 1
    entry = acts().get()
    assert (entry.action, entry.by, entry.detail["entries"]) == ("payroll.paid", "mona", 1)


def test_of_a_long_period_a_request_marks_what_it_has_time_for_and_says_that_more_is_due(
    manager: Client, project: int
) -> None:
    """A server would stop a request that takes too long, in the middle of it and without a message."""
    for number in range(2):
        _earn(Batch.objects.get(), Worker.objects.get(), f"bonus-more{number}", now=NOW)
    url = reverse("crowd:payroll", args=[project])
    said = []
    with (
        patch("console.crowd.views.payroll.SECONDS", 0.0),
        patch("workflows.money.payroll.AT_ONCE", 2),
    ):
        for _ in range(3):
            page = manager.post(url, {**MARCH, "paid": "1"}, follow=True).content.decode()
            said += re.findall(r"Marked as paid: \d entr[^<]*|Nothing was changed", page)
    assert said == [
        "Marked as paid: 2 entries. The rest is still due. Mark the period again.",
        "Marked as paid: 1 entries.",
        "Nothing was changed",
    ]
    assert [one.detail["entries"] for one in acts()] == [2, 1]
    assert LedgerEntry.objects.filter(kind="payroll").count() == 3


def test_a_file_holds_no_formula_and_is_kept_in_the_log(manager: Client, project: int) -> None:
    reply = manager.get(reverse("crowd:payroll-table", args=[project]), MARCH)
    assert f"direct,'{NAME},USD,0,0.00,1.20,0.00,1.20" in _read(reply)
    assert reply["Content-Disposition"] == 'attachment; filename="payroll-2026-03-01-2026-03-31.csv"'
    assert acts().get().action == "payroll.export"


@pytest.mark.parametrize("first", ["", "March", "2026-04-01", "9999-12-31"])
def test_a_period_that_is_none_is_said(manager: Client, project: int, first: str) -> None:
    period = {**MARCH, "from": first}
    reply = manager.get(reverse("crowd:payroll", args=[project]), period)
    assert reply.status_code == 422 and 'role="alert"' in reply.content.decode()
    reply = manager.get(reverse("crowd:payroll-table", args=[project]), period)
    assert reply.status_code == 302 and not acts().exists()


def test_pages_go_by_name_and_everybody_is_on_each(
    viewer: Client, manager: Client, project: int, django_assert_num_queries: Any
) -> None:
    batch = Batch.objects.get()
    for name in ("b", "a", "d", "c"):
        worker = enrol_worker(project=batch.project, external_id=name)
        for day in range(2):
            _earn(batch, worker, f"bonus-{name}{day}", now=NOW + timedelta(days=day))
    url = reverse("crowd:payroll", args=[project])
    viewer.get(url, MARCH)  # fills caches
    with CaptureQueriesContext(connection) as whole:
        assert _names(viewer.get(url, MARCH)) == [NAME, "a", "b", "c", "d"]
    seen, query = [], "from=2026-03-01&to=2026-03-31"
    with patch("console.crowd.views.payroll.WORKERS", 2):
        for queries in (0, 1, 1):  # one query finds the place by name
            with django_assert_num_queries(len(whole) + queries):
                page = viewer.get(f"{url}?{query}").content.decode()
            assert "5.20 USD" in page, "what all of them earned"
            seen.append(re.findall(r"<bdi>(.*?)</bdi>", page.partition("All workers<")[2]))
            query = (re.findall(r'href="[?]([^"]*after=[^"]*)"', page) or [""])[0].replace("&amp;", "&")
    assert seen == [[NAME, "a"], ["b", "c"], ["d"]] and not query
    lines = _read(manager.get(reverse("crowd:payroll-table", args=[project]), MARCH)).splitlines()
    assert [line.split(",")[3].lstrip("'") for line in lines[1:]] == [NAME, "a", "b", "c", "d"]


def test_a_place_that_is_none_is_the_first(viewer: Client, project: int) -> None:
    for after in ("x", "-1", "999999"):
        page = viewer.get(reverse("crowd:payroll", args=[project]), {**MARCH, "after": after})
        assert _names(page) == [NAME]


def test_currencies_are_not_added_up(manager: Client, project: int) -> None:
    worker = Worker.objects.get()
    make_image(worker.project, [["man"]])
    euros = make_batch(worker.project, currency="EUR", name="euros", launch=False)
    _earn(euros, worker, "bonus-3", now=NOW)
    page = manager.get(reverse("crowd:payroll", args=[project]), MARCH)
    assert _names(page) == [NAME, NAME]
    assert page.content.decode().count("All workers</strong>") == 2
    assert "0.50 EUR and 1.20 USD is due" in page.content.decode()


def _earn(batch: Batch, worker: Worker, token: str, *, now: datetime) -> None:
    record_earning(batch_id=batch.pk, worker_id=worker.pk, token=token, rewards=50, now=now)


def _names(page: Any) -> list[str]:
    return re.findall(r'<th scope="row"><bdi>(.*?)</bdi>', page.content.decode())


def _read(reply: Any) -> str:
    return b"".join(reply.streaming_content).decode()
