"""The first look for researchers: every list shows, batches move, nothing can be edited."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Item
from tests.factories import make_at_stage, make_batch, make_image, make_project
from workflows import tasks

pytestmark = pytest.mark.django_db

PAGES = ("project", "batch", "image", "worker", "chain")


def _list(model: str) -> str:
    return reverse(f"admin:annotation_{model}_changelist")


def _move(client: Client, batch: Batch, action: str) -> str:
    body = {"action": action, "_selected_action": [batch.pk]}
    reply = client.post(_list("batch"), body, follow=True)
    assert reply.status_code == 200
    batch.refresh_from_db()
    return reply.content.decode()


@pytest.mark.parametrize("model", PAGES)
def test_every_list_shows_its_rows_in_few_queries(
    manager: Client, model: str, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    make_at_stage("quality", images=3)
    with django_assert_max_num_queries(12):  # type: ignore[operator]  # pytest-django's fixture has no type
        reply = manager.get(_list(model))
    assert len(reply.context["cl"].result_list) == apps.get_model("annotation", model).objects.count() > 0


@pytest.mark.parametrize("model", PAGES)
def test_nothing_can_be_added_or_edited_by_hand(manager: Client, model: str) -> None:
    make_at_stage("quality")
    assert manager.get(reverse(f"admin:annotation_{model}_add")).status_code == 403


def test_a_batch_is_launched_paused_resumed_and_cancelled(manager: Client, eager_tasks: None) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project, launch=False)
    states = []
    for action in ("launch", "pause", "resume", "cancel"):
        _move(manager, batch, action)
        states.append(batch.state)
    assert states == ["running", "paused", "running", "cancelled"]
    assert Item.objects.filter(batch=batch).exists(), "launching opens the first items"


def test_an_illegal_move_is_said_and_changes_nothing(manager: Client) -> None:
    batch = make_at_stage("link")
    assert "it cannot resume now" in _move(manager, batch, "resume")
    assert batch.state == Batch.State.RUNNING


def test_who_may_only_look_moves_nothing(viewer: Client) -> None:
    batch = make_at_stage("link")
    _move(viewer, batch, "cancel")
    assert batch.state == Batch.State.RUNNING


def test_a_launch_without_a_broker_is_left_to_the_sweep(
    manager: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("no folder")

    monkeypatch.setattr(tasks.open_batch, "apply_async", fail)
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project, launch=False)
    _move(manager, batch, "launch")
    assert batch.state == Batch.State.RUNNING
    assert "the next sweep will do it" in caplog.text
    tasks.sweep()
    assert Item.objects.filter(batch=batch).exists()


@pytest.mark.parametrize(
    ("model", "page"), [("case", "review:queue"), ("verificationquestion", "review:questions")]
)
def test_the_index_leads_to_the_review_pages(manager: Client, model: str, page: str) -> None:
    assert manager.get(_list(model))["Location"] == reverse(page)
    assert manager.get(_list(model) + "?q=").status_code == 200


def test_the_log_of_decisions_is_there_to_be_read(manager: Client) -> None:
    assert manager.get(_list("decision")).status_code == 200
