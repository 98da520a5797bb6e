from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from django.conf import settings as live
from django.core.files.storage import FileSystemStorage
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from config.celery import app
from config.monitoring import readyz as readiness
from config.server.request_threads import RequestThreads
from workflows import tasks
from workflows.core.heartbeats import begin_beat, end_beat
from workflows.core.models import Beat

pytestmark = pytest.mark.django_db


@pytest.fixture
def swept() -> None:
    begin_beat("sweep", now=timezone.now())


@pytest.fixture
def redis_that_is_away() -> Iterator[None]:
    before = {name: app.conf[name] for name in ("broker_url", "broker_transport", "broker_transport_options")}
    app.conf.update(
        broker_url="redis://user:hunter2@127.0.0.1:1/0",
        broker_transport=None,
        broker_transport_options={"socket_connect_timeout": 1},
    )
    yield
    app.conf.update(before)


def asked() -> tuple[int, Any]:
    reply = Client(headers={"Host": "10.0.0.7:8000"}).get("/readyz")
    return reply.status_code, reply.json()


def problem_of(name: str) -> str:
    status, said = asked()
    assert (status, said["ready"]) == (503, False)
    assert [check for check, found in said["checks"].items() if not found["ok"]] == [name]
    return str(said["checks"][name]["problem"])


def test_all_is_well_by_any_name_and_without_tls(swept: None, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert asked() == (
        200,
        {
            "ready": True,
            "checks": {name: {"ok": True} for name in ("database", "broker", "storage", "sweep", "threads")},
        },
    )


def test_a_look_is_three_queries(swept: None, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(4):
        asked()


def test_a_database_that_is_away_takes_the_sweep_with_it(
    swept: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OperationalError("connection to db.internal refused")

    monkeypatch.setattr(connection, "cursor", fail)
    status, said = asked()
    assert status == 503
    assert {name: found["ok"] for name, found in said["checks"].items()} == {
        "database": False,
        "broker": True,
        "storage": True,
        "sweep": False,
        "threads": True,
    }
    assert "db.internal" not in str(said) and "db.internal" in caplog.text


def test_a_migration_that_is_missing_is_counted(swept: None) -> None:
    MigrationRecorder(connection).record_unapplied("workflows", "0001_initial")
    assert problem_of("database") == "migrations are missing (1): run `python manage.py migrate`"


def test_a_broker_that_is_away(swept: None, redis_that_is_away: None) -> None:
    assert problem_of("broker") == "the broker cannot be reached"


def test_a_broker_that_takes_connections_and_says_nothing_is_not_waited_for(
    swept: None, redis_that_is_away: None, settings: Any
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        app.conf.update(broker_url=settings.REDIS_URL)
        begin = monotonic()
        assert problem_of("broker") == "the broker cannot be reached"
        assert monotonic() - begin < 2 * readiness.BROKER_SECONDS + 1, "and what a busy machine adds"
    assert 2 * readiness.BROKER_SECONDS < 1


@pytest.mark.skipif(bool(live.REDIS_URL), reason="with Redis there is no folder")
def test_a_folder_of_messages_that_takes_none(
    swept: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    options = {**live.CELERY_BROKER_TRANSPORT_OPTIONS, "data_folder_out": str(tmp_path / "file")}
    monkeypatch.setattr(live, "CELERY_BROKER_TRANSPORT_OPTIONS", options)
    assert problem_of("broker") == "the broker cannot be reached"


def test_a_storage_that_cannot_be_used(swept: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "media").touch()
    monkeypatch.setattr(readiness, "default_storage", FileSystemStorage(location=tmp_path / "media"))
    assert problem_of("storage") == "the storage of images cannot be used"


def test_a_bucket_is_looked_at_once_a_minute(
    swept: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []

    class Bucket:
        def exists(self, name: str) -> bool:
            looks.append(name)
            return False

    settings.IMAGES_ARE_LOCAL = False
    monkeypatch.setattr(readiness, "default_storage", Bucket())
    monkeypatch.setattr(readiness, "_looked", {})
    assert [asked()[0] for _ in range(2)] == [200, 200]
    assert looks == ["readyz"]


def test_a_sweep_that_never_ran_or_ran_long_ago() -> None:
    assert problem_of("sweep") == "the sweep never ran: start a worker and beat"
    begin_beat("sweep", now=timezone.now() - timedelta(seconds=600))
    assert re.match("the sweep ran last 6[0-9]{2} seconds ago", problem_of("sweep"))


def test_a_clock_that_was_set_back_is_told_until_a_sweep_runs() -> None:
    begin_beat("sweep", now=timezone.now() + timedelta(hours=2))
    assert problem_of("sweep").startswith("the last sweep began in the future")
    begin_beat("sweep", now=timezone.now() + timedelta(seconds=10))
    assert asked()[1]["checks"]["sweep"]["ok"], "another machine's clock is a little ahead"


def test_threads_that_reply_to_nothing_are_told(swept: None, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck(RequestThreads):
        stuck_seconds = 46.0

    monkeypatch.setattr(readiness, "serving", [Stuck(1)])
    assert problem_of("threads").startswith("no thread has replied to a request for 46 seconds")
    Stuck.stuck_seconds = 44.0
    assert asked()[0] == 200


def test_the_sweep_leaves_its_beat_and_adds_up_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "expire_leases", lambda now: 3)
    tasks.sweep()
    tasks.sweep()
    beat = Beat.objects.get()
    assert beat.totals == {"runs": 2, "leases": 6, "items": 0, "images": 0, "scores": 0}
    assert beat.ended_at is not None and beat.began_at <= beat.ended_at


def test_a_sweep_that_fails_keeps_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(now: object) -> int:
        raise ValueError("an image")

    monkeypatch.setattr(tasks, "expire_leases", lambda now: 3)
    monkeypatch.setattr(tasks, "enforce_policies", fail)
    with pytest.RaisesGroup(pytest.RaisesExc(ValueError, match="an image")):
        tasks.sweep()
    assert Beat.objects.get().totals["leases"] == 3


def test_a_beat_that_began_twice_is_one() -> None:
    now = timezone.now()
    begin_beat("sweep", now=now)
    begin_beat("sweep", now=now + timedelta(seconds=1))
    end_beat("sweep", now=now, found={"leases": 1})
    assert Beat.objects.get().began_at == now + timedelta(seconds=1)
