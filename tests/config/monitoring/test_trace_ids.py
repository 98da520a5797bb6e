from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from celery import shared_task, signals
from django.contrib.auth.models import User
from django.test import Client

from config.monitoring import trace_ids
from config.monitoring.logs import JSONFormatter, TextFormatter, Traced
from config.monitoring.trace_ids import MESSAGE_HEADER, accepted_id, context, subjects
from tests.factories import make_running, make_worker
from tests.workflows.http import Api

GIVEN = "0f8fad5b-d9cb-469f-a165-70867728950e"


@shared_task(name="tests.noting")
def noting(job_id: int, format: str = "") -> None: ...


@pytest.fixture
def nothing_traced() -> Iterator[None]:
    yield
    assert context() == {}


def shown(formatter: logging.Formatter, error: Any = None) -> str:
    record = logging.LogRecord("workflows", logging.INFO, __file__, 1, "told", (), error)
    Traced().filter(record)
    return formatter.format(record)


@pytest.mark.parametrize(
    "bad", [None, "", "short", "x" * 65, "a line\nanother line", "é" * 10, 'quote"quote']
)
def test_what_could_spoil_a_log_is_no_id(bad: str | None) -> None:
    assert accepted_id(bad) is None


def test_a_proxy_that_is_trusted_names_the_request_and_nobody_else_does(settings: Any) -> None:
    for proxies, kept in ((1, True), (0, False)):
        settings.GROUNDCREW_PROXIES = proxies
        reply = Client().get("/nothing", headers={"X-Request-ID": GIVEN})
        assert (reply["X-Request-ID"] == GIVEN) is kept
    settings.GROUNDCREW_PROXIES = 1
    assert accepted_id(Client().get("/nothing", headers={"X-Request-ID": "no id"})["X-Request-ID"])


def test_every_request_has_an_id_of_its_own_that_its_lines_say(
    nothing_traced: None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.handler.addFilter(Traced())
    replies = [Client().get("/nothing") for _ in range(2)]
    ids = [reply["X-Request-ID"] for reply in replies]
    assert len(set(ids)) == 2
    lines = [record for record in caplog.records if record.name == "django.request"]
    assert [record.trace["request"] for record in lines] == ids  # type: ignore[attr-defined]


def test_text_and_json_say_what_a_line_belongs_to() -> None:
    assert shown(TextFormatter("%(message)s")) == "told"
    with trace_ids.tracing(request=GIVEN, job=5):
        assert shown(TextFormatter("%(message)s")) == f"told [request={GIVEN} job=5]"
        line = json.loads(shown(JSONFormatter()))
        failed = shown(TextFormatter("%(message)s"), (ValueError, ValueError("why"), None))
    assert (line["request"], line["job"]) == (GIVEN, 5)
    assert failed.splitlines()[0].endswith("job=5]") and failed.endswith("ValueError: why")


def test_a_message_carries_the_request_to_the_task() -> None:
    headers: dict[str, Any] = {}
    with trace_ids.tracing(request=GIVEN):
        signals.before_task_publish.send("tests.noting", headers=headers)
    assert headers == {MESSAGE_HEADER: GIVEN}
    noting.push_request(**{"id": "1", "is_eager": False, **headers})
    try:
        signals.task_prerun.send(noting, task_id="1", task=noting, args=(5,), kwargs={"format": "coco"})
        assert context() == {"task": "tests.noting", "task_id": "1", "job": 5, "request": GIVEN}
        signals.task_postrun.send(noting, task_id="1", task=noting)
        assert context() == {}
    finally:
        noting.pop_request()


def test_a_task_called_wrongly_is_about_nothing() -> None:
    assert subjects(noting.run, (1, 2, 3), {}) == {}
    assert subjects(noting.run, (), {"job_id": "5"}) == {}


@pytest.mark.django_db
def test_a_line_a_request_names_view_and_worker_but_no_query(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ACCESS_LOG = True
    caplog.set_level(logging.INFO, "config.monitoring.requests")
    worker = make_worker(make_running([["man"], ["man"]]).project)
    Api(worker).claim()
    said = [record for record in caplog.records if record.name == "config.monitoring.requests"][-1]
    fields = said.fields  # type: ignore[attr-defined]
    assert fields["method"] == "POST" and fields["status"] == 201 and fields["worker"] == worker.pk
    assert f"worker={worker.pk}" in said.getMessage() and fields["view"] in said.getMessage()
    Client().get("/nothing/secret?token=hunter2")
    said = [record for record in caplog.records if record.name == "config.monitoring.requests"][-1]
    assert said.getMessage().startswith("GET - 404 ")
    assert "hunter2" not in said.getMessage() and "secret" not in said.getMessage()


@pytest.mark.django_db
def test_a_line_names_the_researcher_where_the_page_looked(
    settings: Any, caplog: pytest.LogCaptureFixture, client: Client
) -> None:
    settings.ACCESS_LOG = True
    caplog.set_level(logging.INFO, "config.monitoring.requests")
    user = User.objects.create_superuser("ada", password="x")
    client.force_login(user)
    client.get("/admin/")
    client.get("/static/review/icon.svg").close()
    client.get("/nothing")  # nobody looks who asks, and the log does not either
    lines = [record.getMessage() for record in caplog.records if record.name == "config.monitoring.requests"]
    assert [f"user={user.pk}" in line for line in lines] == [True, False]
