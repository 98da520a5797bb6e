"""Confirmations: what they show, and that each works once."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, Batch, Image, Project
from tests.console.batches.form_data import acts, filled
from tests.factories import NOW, make_batch, make_image, make_project, make_worker
from workflows.assignments.claim import claim
from workflows.jobs.models import Job, Snapshot
from workflows.workers.enrolment import enrol_worker

pytestmark = pytest.mark.django_db


def _draft(**settings: Any) -> Batch:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    return make_batch(project, launch=False, **settings)


def _url(batch: Batch, action: str) -> str:
    return reverse("batches:move", args=[batch.pk, action])


def _do(client: Client, batch: Batch, action: str) -> str:
    url = _url(batch, action)
    reply = client.post(url, filled(client, url), follow=True)
    batch.refresh_from_db()
    return reply.content.decode()


def test_from_draft_to_cancelled_and_who_did_it(manager: Client) -> None:
    batch = _draft()
    with patch("console.batches.views.lifecycle.hint_open") as hint:
        states = []
        for action in ("launch", "pause", "resume", "cancel"):
            _do(manager, batch, action)
            states.append(batch.state)
    assert states == ["running", "paused", "running", "cancelled"]
    assert [call.args for call in hint.call_args_list] == [(batch.pk,), (batch.pk,)]
    actions = list(acts().values_list("action", "by", "object_id"))
    verbs = ("launch", "pause", "resume", "cancel")
    assert actions == [(f"batch.{verb}", "mona", str(batch.pk)) for verb in verbs]


def test_workers_who_are_paid_or_tested_have_somebody_to_write_to(manager: Client, settings: Any) -> None:
    settings.GROUNDCREW_CONTACT = ""
    batch = _draft(reward={"link": 5})
    says = "It pays its workers, and they have nobody to write to"
    assert says in manager.get(_url(batch, "launch")).content.decode()
    _do(manager, batch, "launch")
    assert batch.state == "draft"
    settings.GROUNDCREW_CONTACT = "lab@example.org"
    assert says not in manager.get(_url(batch, "launch")).content.decode()
    settings.GROUNDCREW_CONTACT = ""
    Project.objects.filter(pk=batch.project_id).update(contact="ada@example.org")
    assert says not in manager.get(_url(batch, "launch")).content.decode()
    _do(manager, batch, "launch")
    assert batch.state == "running"


def test_a_page_that_is_read_changes_nothing(
    manager: Client, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    batch = _draft(regime="trusted")
    for action in ("launch", "cancel", "delete", "pause"):
        with django_assert_max_num_queries(30):  # type: ignore[operator]
            assert manager.get(_url(batch, action)).status_code == 200
    batch.refresh_from_db()
    assert batch.state == "draft" and not acts().exists()


def test_the_same_confirmation_holds_once(manager: Client) -> None:
    """This also holds if the batch is again in the state for which it was confirmed."""
    batch = _draft()
    _do(manager, batch, "launch")
    url = _url(batch, "pause")
    data = filled(manager, url)
    manager.post(url, data)
    _do(manager, batch, "resume")
    reply = manager.post(url, data, follow=True)
    batch.refresh_from_db()
    assert batch.state == "running" and "it is running now" in reply.content.decode()
    assert acts().filter(action="batch.pause").count() == 1


def test_a_post_without_its_confirmation_does_nothing(manager: Client) -> None:
    batch = _draft()
    manager.post(_url(batch, "launch"), {})
    batch.refresh_from_db()
    assert batch.state == "draft" and not acts().exists()


def test_a_draft_is_deleted_once(manager: Client) -> None:
    batch = _draft()
    url = _url(batch, "delete")
    data = filled(manager, url)
    manager.post(url, data)
    reply = manager.post(url, data, follow=True)
    assert "was deleted" in reply.content.decode()
    assert not Batch.objects.exists() and acts().get().action == "batch.delete"


def test_a_draft_that_was_exported_is_not_deleted_and_says_what_to_do(manager: Client) -> None:
    batch = _draft()
    job = Job.objects.create(project=batch.project, kind="export", by="ada", created_at=NOW)
    Snapshot.objects.create(
        project=batch.project, batch=batch, version=1, job=job, size=9, sha256="0" * 64, manifest={},
        by="ada", created_at=NOW,
    )  # fmt: skip
    reply = manager.post(_url(batch, "delete"), filled(manager, _url(batch, "delete")))
    assert reply.status_code == 409 and "cancel it instead" in reply.content.decode()
    assert Batch.objects.exists() and not acts().exists()


def test_a_launch_that_fails_leaves_no_trace(manager: Client) -> None:
    batch = _draft(regime="trusted")
    url = _url(batch, "launch")
    shown = manager.get(url).content.decode()
    assert "0 of 40 (mixed into pages)" in shown and "disabled" in shown
    reply = manager.post(url, filled(manager, url))
    batch.refresh_from_db()
    assert reply.status_code == 409 and "too few verification questions" in reply.content.decode()
    assert batch.state == "draft" and not acts().exists()


def test_going_without_pictures_takes_agreement(manager: Client) -> None:
    batch = _draft()
    Image.objects.update(file="")
    assert "no picture" in _do(manager, batch, "launch")
    assert batch.state == "draft"
    url = _url(batch, "launch")
    manager.post(url, filled(manager, url, without_pictures="1"))
    batch.refresh_from_db()
    assert batch.state == "running"
    assert acts().get().detail == {"without_pictures": True}


def test_images_without_a_picture_are_named_and_what_does_not_help_is_not_offered(manager: Client) -> None:
    batch = _draft()
    for number in range(7):
        make_image(batch.project, [["man"]], name=f"bare-{number}.jpg", picture=False)
    Image.objects.filter(file="").update(width=None)
    second = make_batch(batch.project, name="second", launch=False)
    shown = manager.get(_url(second, "launch")).content.decode()
    assert "bare-0.jpg, bare-1.jpg, bare-2.jpg, bare-3.jpg, bare-4.jpg and 2 more" in shown
    assert "Only images that have a picture" in shown
    assert 'name="without_pictures"' not in shown and "disabled" in shown


def test_cancelling_says_what_it_takes_back(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project)
    claim(worker_id=enrol_worker(project=project, external_id="w").pk, stage="link", now=NOW)
    shown = " ".join(manager.get(_url(batch, "cancel")).content.decode().split())
    assert "1 page in workers' hands is taken back" in shown.replace("&#x27;", "'")
    assert "1 image that is not done becomes free" in shown
    _do(manager, batch, "cancel")
    assert Assignment.objects.get().state == "expired"


@pytest.mark.parametrize("reward", [0, 20])
def test_pages_in_hand_are_called_paid_only_if_they_promise_a_reward(manager: Client, reward: int) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project, reward={"link": reward})
    claim(worker_id=enrol_worker(project=project, external_id="w").pk, stage="link", now=NOW)
    for action, says in (("pause", "pays what was promised"), ("cancel", "who still submits one is paid")):
        assert (says in manager.get(_url(batch, action)).content.decode()) == (reward > 0)


@pytest.mark.parametrize("action", ["launch", "pause", "resume", "cancel", "delete"])
def test_nobody_else_moves_a_batch(reviewer: Client, action: str) -> None:
    batch = _draft()
    assert reviewer.get(_url(batch, action)).status_code == 403
    assert reviewer.post(_url(batch, action), {}).status_code == 403


def test_after_the_launch_come_links_if_nobody_is_invited(manager: Client) -> None:
    batch = _draft()
    shown = manager.get(_url(batch, "launch"))
    assert shown.context["outlook"].workers == 5, "as many as the rules may need"
    assert "One question may need 5 different people" in shown.content.decode()
    reply = manager.post(_url(batch, "launch"), filled(manager, _url(batch, "launch")))
    assert reply["Location"] == reverse("batches:links", args=[batch.pk])
    make_worker(batch.project)
    manager.post(_url(batch, "pause"), filled(manager, _url(batch, "pause")))
    reply = manager.post(_url(batch, "resume"), filled(manager, _url(batch, "resume")))
    assert reply["Location"] == reverse("batches:list", args=[batch.project_id])


def test_after_the_launch_come_links_if_fewer_are_invited_than_one_item_may_need(manager: Client) -> None:
    few, enough = _draft(), _draft()
    for batch, people in ((few, 4), (enough, 5)):
        for _ in range(people):
            make_worker(batch.project)
    for batch, page in (
        (few, reverse("batches:links", args=[few.pk])),
        (enough, reverse("batches:list", args=[enough.project_id])),
    ):
        reply = manager.post(_url(batch, "launch"), filled(manager, _url(batch, "launch")))
        assert reply["Location"] == page
