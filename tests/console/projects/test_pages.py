"""A project's settings, the archive, and its deletion in the browser."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Image, Project
from tests.factories import answer_page, make_batch, make_image, make_project, make_running, make_worker
from workflows.analysis.counts.refresh import count_due
from workflows.core.models import AuditEntry
from workflows.tasks import erase_projects

pytestmark = pytest.mark.django_db


def address(project: Project, page: str = "settings") -> str:
    return reverse(f"projects:{page}", args=[project.pk])


def text(reply: Any) -> str:
    content: str = reply.content.decode()
    return content


def acts() -> list[str]:
    return list(AuditEntry.objects.exclude(action="login").order_by("pk").values_list("action", flat=True))


def test_name_and_contact_are_changed(manager: Client) -> None:
    project = make_project("birds")
    assert 'value="birds"' in text(manager.get(address(project)))
    reply = manager.post(
        address(project), {"name": "fish", "contact": "ada@example.org", "language": "de"}, follow=True
    )
    assert "The settings were saved." in text(reply)
    project.refresh_from_db()
    assert (project.name, project.contact, project.language) == ("fish", "ada@example.org", "de")
    entry = AuditEntry.objects.get(action="project.change")
    assert entry.detail == {
        "name before": "birds",
        "name now": "fish",
        "contact before": "",
        "contact now": "ada@example.org",
        "language before": "en",
        "language now": "de",
    }


def test_a_contact_that_a_launch_wants_leads_back_to_the_launch(manager: Client, settings: Any) -> None:
    settings.GROUNDCREW_CONTACT = ""
    project = make_project("birds")
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project, launch=False, crowd={"provider": "prolific"}, reward={"link": 20})
    launch = reverse("batches:move", args=[batch.pk, "launch"])
    wanted = f"{address(project)}?batch={batch.pk}"
    assert f'<a href="{wanted}">Say how they reach you</a>' in text(manager.get(launch))
    typed = {"name": "birds", "contact": "ada@example.org", "language": "en"}
    for _ in range(2):
        reply = manager.post(wanted, typed)
        assert (reply.status_code, reply.headers["Location"]) == (302, launch), "also if nothing is changed"
    other = make_project("fish")
    reply = manager.post(f"{address(other)}?batch={batch.pk}", {**typed, "name": "fish"})
    assert reply.headers["Location"] == address(other), "the batch is of another project"


def test_saving_what_is_there_changes_nothing(manager: Client) -> None:
    project = make_project("birds")
    reply = manager.post(address(project), {"name": "birds", "contact": ""}, follow=True)
    assert "Nothing was changed." in text(reply)
    assert acts() == []


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"name": "fish"}, "There is a project fish already"),
        ({"name": "two words"}, "It has up to 64 letters"),
        ({"name": "birds", "contact": "nowhere"}, "must be an e-mail address"),
        ({"name": "birds", "language": "German"}, "a code such as en, de"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(manager: Client, data: dict[str, str], says: str) -> None:
    make_project("fish")
    project = make_project("birds")
    reply = manager.post(address(project), data)
    assert (reply.status_code, says in text(reply)) == (422, True)
    assert acts() == []


def test_an_archived_project_is_on_its_own_list_until_it_is_restored(manager: Client) -> None:
    project = make_project("birds")
    overview, archive = reverse("admin:index"), reverse("projects:archived")
    assert "Archived projects" not in text(manager.get(overview))
    assert "No project is archived." in text(manager.get(archive))
    reply = manager.post(address(project), {"action": "archive"}, follow=True)
    assert "birds was archived" in text(reply)
    assert address(project, "settings") not in text(reply) and "There is no project yet" in text(reply)
    assert reverse("dashboards:project", args=[project.pk]) in text(manager.get(archive))
    assert "birds was restored" in text(manager.post(address(project), {"action": "restore"}, follow=True))
    assert "birds" in text(manager.get(overview))
    assert acts() == ["project.archive", "project.restore"]


def test_a_project_whose_batch_runs_is_not_archived(manager: Client) -> None:
    batch = make_running([["man"], ["man"]])
    reply = manager.post(address(batch.project), {"action": "archive"}, follow=True)
    assert "Its batch main is running" in text(reply)
    batch.project.refresh_from_db()
    assert batch.project.archived_at is None
    assert acts() == []


def test_a_deletion_says_what_goes_and_asks_for_the_name(
    manager: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project("birds")
    make_image(project, [["man"]])
    monkeypatch.setattr("workflows.tasks._hint", lambda *_, **__: None)
    assert "1 image," in text(manager.get(address(project, "delete")))
    wrong = manager.post(address(project, "delete"), {"name": "bird"})
    assert (wrong.status_code, "Type the name of the project" in text(wrong)) == (422, True)
    assert Project.objects.exists()
    reply = manager.post(address(project, "delete"), {"name": "birds"}, follow=True)
    assert "birds was deleted" in text(reply)
    assert manager.get(address(project)).status_code == 404
    assert manager.get(reverse("dashboards:project", args=[project.pk])).status_code == 404
    entry = AuditEntry.objects.get(action="project.delete")
    assert (entry.object, entry.detail["images"]) == ("birds", 1)
    erase_projects()
    assert not Image.objects.exists()


def test_a_deletion_says_how_many_judgments_there_were_when_they_were_last_counted(manager: Client) -> None:
    batch = make_running([["man"], ["man"]])
    answer_page(make_worker(batch.project))
    page = address(batch.project, "delete")
    assert "All judgments, which were not counted yet," in text(manager.get(page))
    count_due(clock=lambda: datetime(2026, 9, 1, 10, 30, tzinfo=UTC), force=True)
    said = re.sub(r"<[^>]+>", "", text(manager.get(page)))
    assert "1 judgment (as of 1 Sep 2026, 10:30 UTC) and 0 decisions" in said


def test_a_project_whose_batch_runs_is_not_deleted(manager: Client) -> None:
    batch = make_running([["man"], ["man"]])
    reply = manager.post(address(batch.project, "delete"), {"name": batch.project.name})
    assert (reply.status_code, "Its batch main is running" in text(reply)) == (422, True)
    assert Batch.objects.exists() and acts() == []
