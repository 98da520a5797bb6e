from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from kombu import Connection
from kombu.exceptions import OperationalError

from annotation.models import Assignment, Batch, Chain, ImageWork, Item, Judgment
from config.processes.broker import Transport
from tests.factories import (
    answer_page,
    claim_page,
    make_at_stage,
    make_batch,
    make_image,
    make_project,
    make_running,
    make_worker,
    submit_page,
)
from tests.workflows.http import Api
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.platforms.fake import FakeProvider
from workflows import tasks
from workflows.batch_settings.domain.setting_fields import SettingsError
from workflows.batches.lifecycle import move_batch
from workflows.crowd.rounds.step import Stepped
from workflows.money.models import LedgerEntry

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

LINK = [["man"], ["man"]]


def test_a_submission_starts_advance(eager_tasks: None) -> None:
    api = Api(make_worker(make_running(LINK).project))
    api.submit(api.claim().json(), {"same": True})
    assert Chain.objects.count() == 1


def test_a_replay_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    api = Api(make_worker(make_running(LINK).project))
    page = api.claim().json()
    hints: list[None] = []
    monkeypatch.setattr("workflows.api.views.hint_advance", lambda: hints.append(None))
    for _ in range(3):
        api.submit(page, {"same": True})
    assert len(hints) == 1


@pytest.mark.parametrize("error", [OperationalError("no broker"), PermissionError("no folder")])
def test_a_broker_that_is_away_loses_no_submission(
    error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(tasks.advance, "apply_async", fail)
    batch = make_running(LINK)
    api = Api(make_worker(batch.project))
    assert api.submit(api.claim().json(), {"same": True}).status_code == 201
    assert "the broker is away" in caplog.text
    assert Judgment.objects.count() == 1 and not Chain.objects.exists()
    tasks.sweep()
    assert Chain.objects.count() == 1
    check_rules(batch.project)


def test_a_real_broker_folder_that_cannot_be_written_loses_no_submission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    folder = str(tmp_path / "file" / "messages")
    options = {"data_folder_in": folder, "data_folder_out": folder, "control_folder": folder}
    api = Api(make_worker(make_running(LINK).project))
    page = api.claim().json()
    with Connection(transport=Transport, transport_options=options) as broken:
        send: Any = tasks.advance.apply_async
        monkeypatch.setattr(
            tasks.advance, "apply_async", lambda *a, **k: send(*a, **k, connection=broken, retry=False)
        )
        assert api.submit(page, {"same": True}).status_code == 201
    assert "the broker is away" in caplog.text
    assert Judgment.objects.count() == 1


@pytest.mark.parametrize("submissions", [0, 3])
def test_a_round_that_collected_pages_starts_advance(
    monkeypatch: pytest.MonkeyPatch, submissions: int
) -> None:
    started: list[str] = []
    monkeypatch.setattr("workflows.platforms.registry.provider", lambda name: FakeProvider())
    monkeypatch.setattr(tasks, "step", lambda **_: Stepped(submissions=submissions))
    monkeypatch.setattr(tasks, "hint_advance", lambda: started.append("advance"))
    tasks.crowd_step("mturk")
    assert bool(started) is bool(submissions)


def test_a_sweep_reads_what_a_lost_message_left_behind() -> None:
    """This is like a kill between submission and advance."""
    batch = make_at_stage("drawing", images=3)
    answer_page(make_worker(batch.project))
    assert Item.objects.filter(unread=True).count() == 3
    tasks.sweep()
    assert set(Chain.objects.values_list("state", flat=True)) == {"quality"}
    check_rules(batch.project)


def test_a_sweep_opens_what_a_lost_launch_left_queued() -> None:
    project = make_project()
    make_image(project, LINK)
    move_batch(batch=make_batch(project, launch=False), action="launch")
    tasks.sweep()
    assert Item.objects.count() == 1


def test_a_sweep_does_the_rest_where_a_batch_cannot_be_dealt_with() -> None:
    broken = make_running(LINK)
    Batch.objects.filter(pk=broken.pk).update(settings={"strategy": "of a later version"})
    answered = make_running(LINK)
    answer_page(make_worker(answered.project))
    project = make_project()
    make_image(project, LINK)
    launched = move_batch(batch=make_batch(project, launch=False), action="launch")
    with pytest.raises(ExceptionGroup, match="parts of the sweep") as failed:
        tasks.sweep()
    assert {type(error) for error in failed.value.exceptions} == {SettingsError}
    assert Item.objects.filter(batch=launched).count() == 1
    assert not Item.objects.filter(unread=True).exists() and Chain.objects.count() == 1


def test_a_sweep_takes_back_leases_that_ran_out() -> None:
    batch = make_running(LINK)
    claim_page(make_worker(batch.project), now=timezone.now() - timedelta(hours=1))
    fresh = make_running(LINK)
    claim_page(make_worker(fresh.project), now=timezone.now())
    tasks.sweep()
    assert sorted(Assignment.objects.values_list("state", flat=True)) == ["expired", "live"]
    check_promises(batch.project)


def test_a_sweep_finishes_a_batch_whose_last_step_was_lost() -> None:
    batch = make_running(LINK)
    ImageWork.objects.update(state=ImageWork.State.DONE)
    tasks.sweep()
    batch.refresh_from_db()
    assert batch.state == Batch.State.FINISHED


def test_a_sweep_leaves_a_paused_batch_closed() -> None:
    project = make_project()
    make_image(project, LINK)
    batch = make_batch(project, launch=False)
    move_batch(batch=batch, action="launch")
    move_batch(batch=batch, action="pause")
    tasks.sweep()
    assert not Item.objects.exists()


def test_pay_is_posted_by_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    @contextmanager
    def taken(name: str) -> Iterator[bool]:
        asked.append(name)
        yield False

    batch = make_running(LINK, reward={"link": 5})
    submit_page(claim_page(make_worker(batch.project)))
    with monkeypatch.context() as patched:
        patched.setattr(tasks, "try_lock", taken)
        tasks.post_pay()
    assert asked == ["earn"]
    assert not LedgerEntry.objects.exists()
    tasks.post_pay()
    assert LedgerEntry.objects.count() == 1


def test_a_launched_batch_is_published_once_it_has_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever came within the half minute until the next round was told that there is no work."""
    asked: list[str] = []
    monkeypatch.setattr(tasks, "hint_crowd", asked.append)
    tasks.open_batch(make_running(LINK).pk)
    assert asked == [], "no platform has to be told"
    tasks.open_batch(make_running(LINK, crowd={"provider": "prolific"}, currency="GBP").pk)
    assert asked == ["prolific"]


def test_tasks_may_run_twice() -> None:
    batch = make_running(LINK)
    submit_page(claim_page(make_worker(batch.project)))
    for _ in range(2):
        tasks.advance()
        tasks.open_batch(batch.pk)
        tasks.sweep()
    assert Chain.objects.count() == 1
    check_promises(batch.project)
    check_rules(batch.project)
