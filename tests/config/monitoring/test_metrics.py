from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from annotation.models import Assignment, Item
from config.monitoring import gauges as metric_gauges
from config.monitoring.metrics import FORGOTTEN_SECONDS, forget, page
from config.settings import BASE_DIR
from tests.factories import claim_page, make_running, make_worker
from tests.workflows.crowd_made import make_publication
from tests.workflows.http import Api
from workflows.analysis.domain.kept_counts import Items, Queue, StageItems
from workflows.analysis.models import KeptCounts
from workflows.core.heartbeats import begin_beat, end_beat
from workflows.crowd.models import Problem
from workflows.jobs.models import Job

TOKEN = "only-for-tests-0123456789"
LINK = [["man"], ["man"]]
Values = dict[tuple[str, tuple[str, ...]], float]


def values(text: bytes) -> Values:
    """Return the values by name and label values, in the order of the labels' names."""
    families = text_string_to_metric_families(text.decode())
    return {
        (s.name, tuple(s.labels[name] for name in sorted(s.labels))): s.value
        for family in families
        for s in family.samples
    }


def test_without_a_token_set_there_are_none() -> None:
    assert Client().get("/metrics").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("header", "status"),
    [
        (None, 401),
        ("Bearer wrong", 401),
        (f"Basic {TOKEN}", 401),
        ("Bearer é", 401),
        (f"Bearer {TOKEN}", 200),
    ],
)
def test_only_the_token_opens_them(settings: Any, header: str | None, status: int) -> None:
    settings.METRICS_TOKEN = TOKEN
    headers = {"Host": "10.0.0.7:8000", **({"Authorization": header} if header else {})}
    assert Client(headers=headers).get("/metrics").status_code == status


@pytest.mark.django_db
def test_requests_are_counted_by_view(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    before = values(page())
    client = Client()
    for _ in range(3):
        client.get("/api/v1/schema")
    client.generic("SPAM", "/nothing")
    after = values(page())

    def more(*key: Any) -> float:
        return after.get(key, 0) - before.get(key, 0)

    assert more("groundcrew_requests_total", ("GET", "200", "schema")) == 3
    assert more("groundcrew_request_seconds_count", ("schema",)) == 3
    assert more("groundcrew_requests_total", ("other", "404", "-")) == 1


@pytest.mark.django_db
def test_gauges_say_what_the_database_holds(django_assert_max_num_queries: Any) -> None:
    now = timezone.now()
    batch = make_running(LINK)
    project = batch.project
    api = Api(make_worker(project))
    api.submit(api.claim().json(), {"same": True})
    Item.objects.update(unread=True)
    claim_page(make_worker(make_running(LINK).project))
    Assignment.objects.filter(state="live").update(expires_at=now - timedelta(seconds=50))
    Job.objects.create(project=project, kind="import", state="failed", by="ada", created_at=now)
    for kind, figures in (
        ("items", Items(stages={"link": StageItems(open=4, leased=2)})),
        ("queue", Queue({"cycle": 3})),
    ):
        data = {"figures": figures.to_json()}
        KeptCounts.objects.create(project=project, kind=kind, data=data, counted_at=now, seconds=0)
    begin_beat("sweep", now=now - timedelta(seconds=20))
    end_beat("sweep", now=now, found={"leases": 7})
    with django_assert_max_num_queries(11):
        found = values(page())
    assert found["groundcrew_database_up", ()] == 1
    assert found["groundcrew_leases_live", ()] == 1
    assert 50 <= found["groundcrew_lease_overdue_seconds", ()] < 80
    assert found["groundcrew_unread_items", ()] >= 1
    assert 0 < found["groundcrew_advance_lag_seconds", ()] < 30
    assert found["groundcrew_jobs", ("import", "failed")] == 1
    assert found["groundcrew_items", (project.name, "link", "open")] == 4
    assert found["groundcrew_review_cases", (project.name, "cycle")] == 3
    assert 20 <= found["groundcrew_beat_age_seconds", ("sweep",)] < 50
    assert found["groundcrew_beat_found_total", ("sweep", "leases")] == 7


@pytest.mark.django_db
def test_gauges_say_how_things_stand_with_platforms() -> None:
    make_publication(make_running(LINK))
    make_publication(make_running(LINK), state="settled")
    Problem.objects.create(key="a", kind="lost", detail="", created_at=timezone.now())
    Problem.objects.create(
        key="b", kind="lost", detail="", created_at=timezone.now(), closed_at=timezone.now()
    )
    found = values(page())
    assert found["groundcrew_crowd_publications", ("mturk", "open")] == 1
    assert found["groundcrew_crowd_problems", ("lost",)] == 1
    assert found["groundcrew_crowd_payments_due", ()] == 0


@pytest.mark.django_db
def test_a_database_that_is_away_is_a_gauge(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(now: object) -> Any:
        raise OperationalError

    monkeypatch.setattr(metric_gauges, "_leases", fail)
    found = values(page())
    assert found["groundcrew_database_up", ()] == 0 and found["groundcrew_disk_free_bytes", ()] > 0


COUNTING = """
import django; django.setup()
from django.test import Client
from celery import shared_task, signals
from config.celery import app
from config.monitoring.metrics import page
app.conf
@shared_task(name="tests.done")
def done(): ...
for _ in range(2):
    Client().get("/nothing")
done.apply()
print(page().decode())
"""


@pytest.mark.slow("processes of its own")
def test_several_processes_are_counted_together(tmp_path: Path) -> None:
    env = {
        "PATH": os.environ["PATH"],
        "GROUNDCREW_VAR": str(tmp_path),
        "GROUNDCREW_METRICS_TOKEN": TOKEN,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "GROUNDCREW_HOSTS": "testserver",
    }
    said = b""
    for _ in range(2):
        said = subprocess.run(
            [sys.executable, "-c", COUNTING], env=env, cwd=BASE_DIR, stdout=subprocess.PIPE, check=True
        ).stdout
    found = values(said)
    assert found["groundcrew_requests_total", ("GET", "404", "-")] == 4
    assert found["groundcrew_tasks_total", ("success", "tests.done")] == 2
    assert found["groundcrew_database_up", ()] == 0  # nobody migrated it


def test_files_of_processes_that_ended_long_ago_are_removed(tmp_path: Path) -> None:
    now = 10.0**9
    for name, age in (("new.db", 0.0), ("old.db", FORGOTTEN_SECONDS + 1)):
        file = tmp_path / "machine" / name
        file.parent.mkdir(exist_ok=True)
        file.touch()
        os.utime(file, (now - age, now - age))
    forget(tmp_path, now=now)
    assert [file.name for file in tmp_path.glob("*/*")] == ["new.db"]
