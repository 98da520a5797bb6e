"""Files that a browser sends in pieces: who may, what is refused, and forms that name them."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Project
from tests.console.conftest import client_of
from tests.factories import make_project
from tests.judging_models import make_judge
from tests.workflows.jobs.evaluated import LEFT, make_version, predictions
from tests.workflows.jobs.jobs_made import TOKEN, finished, zipped
from tests.workflows.threads import at_once
from workflows.jobs.models import Job

pytestmark = pytest.mark.django_db

BYTES = 40
"""Of a piece in these tests."""
SHEET = TOKEN.encode()


@pytest.fixture(autouse=True)
def small_pieces(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PIECE_BYTES = BYTES
    monkeypatch.setattr("workflows.tasks._hint", lambda *_, **__: None)


@pytest.fixture
def project(media: Path) -> Project:
    return make_project()


def begin(client: Client, project: Project, *files: tuple[str, str, bytes]) -> Any:
    said = [{"part": part, "name": name, "size": len(content)} for part, name, content in files]
    address = reverse("jobs:new-upload", args=[project.pk])
    return client.post(address, json.dumps(said), content_type="application/json")


def address_of(project: Project, upload: str) -> str:
    return reverse("jobs:pieces", args=[project.pk, upload])


def put(client: Client, project: Project, upload: str, content: bytes, query: str) -> Any:
    address = f"{address_of(project, upload)}?{query}"
    return client.post(address, content, content_type="application/octet-stream")


def sent(client: Client, project: Project, *files: tuple[str, str, bytes]) -> str:
    """Send files as the browser does, and return the id of their upload."""
    state = begin(client, project, *files).json()
    for one in state["to_come"]:
        piece = files[one["file"]][2][one["start"] : one["end"]]
        query = f"file={one['file']}&piece={one['piece']}"
        assert put(client, project, state["upload"], piece, query).status_code == 200
    upload: str = state["upload"]
    assert client.get(address_of(project, upload)).json() == {"upload": upload, "to_come": []}
    return upload


def submit(client: Client, project: Project, upload: str, action: str = "import", **data: Any) -> Any:
    given = {"action": action, "upload": upload, **data}
    return client.post(reverse("jobs:import", args=[project.pk]), given)


def test_a_corpus_in_pieces_is_imported_once(manager: Client, project: Project) -> None:
    upload = sent(manager, project, ("corpus", "captions.token", SHEET), ("splits", "train.txt", b"a.jpg\n"))
    replies = [submit(manager, project, upload) for _ in range(2)]
    job = Job.objects.get()
    assert [reply.url for reply in replies] == [reverse("jobs:job", args=[job.pk])] * 2
    assert finished(job).outcome["images"] == 2
    again = submit(manager, project, upload)
    assert again.status_code == 409 and "choose the files again" in again.content.decode()


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_tabs_that_send_the_form_at_once_get_one_job(media: Path) -> None:
    project, client = make_project(), client_of("mona", "manager")
    upload = sent(client, project, ("corpus", "captions.token", SHEET))
    tabs = [Client() for _ in range(3)]
    for tab in tabs:
        tab.force_login(User.objects.get(username="mona"))
    replies = at_once([partial(submit, tab, project, upload) for tab in tabs])
    job = Job.objects.get()
    assert {reply.url for reply in replies} == {reverse("jobs:job", args=[job.pk])}
    assert finished(job).outcome["images"] == 2


def test_a_form_that_is_wrong_keeps_what_has_arrived(manager: Client, project: Project) -> None:
    upload = sent(manager, project, ("corpus", "captions.token", SHEET))
    reply = submit(manager, project, upload, place="/data")
    assert "not both" in reply.content.decode() and not Job.objects.exists()
    assert manager.get(address_of(project, upload)).json()["to_come"] == []


def test_a_file_that_is_wrong_is_said_at_its_field_and_forgotten(manager: Client, project: Project) -> None:
    upload = sent(manager, project, ("corpus", "set.zip", zipped({"../a": "x"})))
    assert "leads out of the archive" in submit(manager, project, upload).content.decode()
    assert manager.get(address_of(project, upload)).status_code == 409


def test_an_upload_that_is_not_complete_is_refused(manager: Client, project: Project) -> None:
    upload = begin(manager, project, ("corpus", "captions.token", SHEET)).json()["upload"]
    reply = submit(manager, project, upload)
    assert reply.status_code == 409 and "is not complete" in reply.content.decode()


def test_another_manager_neither_sees_nor_uses_it(manager: Client, project: Project) -> None:
    upload = sent(manager, project, ("corpus", "captions.token", SHEET))
    other = client_of("max", "manager")
    assert other.get(address_of(project, upload)).status_code == 409
    assert put(other, project, upload, SHEET[:BYTES], "file=0&piece=0").status_code == 409
    assert submit(other, project, upload).status_code == 409
    elsewhere = make_project("elsewhere")
    assert manager.get(address_of(elsewhere, upload)).status_code == 409
    assert submit(manager, elsewhere, upload).status_code == 409
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("content", "query", "says"),
    [
        (SHEET[:BYTES], "", "Name the file and the piece"),
        (SHEET[:BYTES], "file=0&piece=x", "Name the file and the piece"),
        (SHEET[:BYTES], "file=1&piece=0", "no such piece"),
        (SHEET[: BYTES - 1], "file=0&piece=0", "has 39 bytes, not 40"),
    ],
)
def test_a_wrong_piece_is_refused(
    manager: Client, project: Project, content: bytes, query: str, says: str
) -> None:
    state = begin(manager, project, ("corpus", "captions.token", SHEET)).json()
    reply = put(manager, project, state["upload"], content, query)
    assert reply.status_code == 422 and says in reply.json()["error"]
    assert manager.get(address_of(project, state["upload"])).json() == state


def test_a_larger_piece_is_not_read_and_the_upload_begins_anew(
    manager: Client, project: Project, settings: Any
) -> None:
    """The operator may have made pieces smaller since it began."""
    upload = begin(manager, project, ("corpus", "captions.token", SHEET)).json()["upload"]
    settings.PIECE_BYTES = BYTES - 1
    reply = put(manager, project, upload, SHEET[:BYTES], "file=0&piece=0")
    assert reply.status_code == 409 and "at most 39 bytes" in reply.json()["error"]


@pytest.mark.parametrize("body", ["", "[", "{}", "[3]", "[" * 100_000])
def test_a_wrong_list_of_files_is_refused(manager: Client, project: Project, body: str) -> None:
    address = reverse("jobs:new-upload", args=[project.pk])
    reply = manager.post(address, body, content_type="application/json")
    assert reply.status_code == 422 and reply.json()["error"]


def test_predictions_in_pieces_are_evaluated_under_their_own_name(manager: Client, media: Path) -> None:
    version = make_version()
    file = ("predictions", "my model.jsonl", predictions(LEFT, LEFT))
    upload = sent(manager, version.project, file)
    asked = {"task": "localization", "rule": "merged", "iou": "0.5", "split": "", "upload": upload}
    manager.post(reverse("jobs:evaluate", args=[version.pk]), asked)
    job = Job.objects.latest("pk")
    assert (job.options["file"], job.options["upload"]) == ("my model.jsonl", upload)
    assert finished(job).state == "done"
    gone = manager.post(reverse("jobs:evaluate", args=[version.pk]), asked)
    assert "choose the files again" in gone.content.decode()


def test_suggestions_and_ranked_lists_come_in_pieces_too(manager: Client, project: Project) -> None:
    boxes = sent(manager, project, ("predictions", "owl.jsonl", b"{}\n" * 50))
    given = {"model": str(make_judge(project, "owl/1").pk), "threshold": "", "nms": "0.7", "upload": boxes}
    manager.post(reverse("suggestions:project", args=[project.pk]), given)
    lists = sent(manager, project, ("predictions", "a.json", b"[]" * 30), ("grades", "g.csv", b"a,b\n" * 20))
    asked = {"split": "", "depth": "5", "candidates": "all", "least_bleu": "0.25", "upload": lists}
    manager.post(reverse("jobs:pairs", args=[project.pk]), asked)
    jobs = Job.objects.order_by("pk").values_list("kind", "options__upload")
    assert list(jobs) == [("suggest", boxes), ("pairs", lists)]
    options = Job.objects.latest("pk").options
    assert (options["files"], options["grades"]) == ("a.json", "g.csv")


def test_every_form_with_files_can_send_them_in_pieces(manager: Client, media: Path) -> None:
    version = make_version()
    project = version.project
    make_judge(project, "owl/1")
    pages = [
        reverse("jobs:import", args=[project.pk]),
        reverse("jobs:evaluate", args=[version.pk]),
        reverse("jobs:pairs", args=[project.pk]),
        reverse("suggestions:project", args=[project.pk]),
    ]
    for page in pages:
        shown = manager.get(page).content.decode()
        assert f'data-uploads="{reverse("jobs:new-upload", args=[project.pk])}"' in shown, page
        assert "console/pieces.js" in shown and "data-sending-bar" in shown, page
    assert 'data-part="predictions"' in manager.get(pages[-1]).content.decode()


def test_a_small_file_still_comes_with_its_form(manager: Client, project: Project) -> None:
    reply = submit(manager, project, "", corpus=SimpleUploadedFile("captions.token", SHEET))
    assert finished(Job.objects.get()).outcome["images"] == 2 and reply.status_code == 302
