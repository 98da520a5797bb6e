"""Batches that collect captions or judge them are made in the console, and their judgments downloaded."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Image, Project
from tests.campaigns import RELEVANCE, launched, make_captions, make_judged
from tests.factories import (
    NOW,
    answer_page,
    make_batch,
    make_image,
    make_images,
    make_project,
    make_worker,
)
from workflows.core.models import AuditEntry
from workflows.pipeline.models import JudgedPair
from workflows.questions.make_language_test import make_language_test


def post(client: Client, project: Project, pairs: str | None = None, **data: Any) -> Any:
    given = {"name": "one", "everybody": "on", **data}
    if pairs is not None:
        given["pairs"] = SimpleUploadedFile("pairs.jsonl", pairs.encode())
    return client.post(reverse("batches:campaign", args=[project.pk]), given)


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def test_captions_are_collected_of_all_free_photographs(manager: Client) -> None:
    project = make_project()
    pictured, bare = make_images(project, [], 2)
    Image.objects.filter(pk=bare.pk).update(file="")
    page = manager.get(reverse("batches:campaign", args=[project.pk]))
    assert "1 photograph is free to be described" in text(page)
    made = post(manager, project, protocol="captions")
    batch = Batch.objects.get()
    assert made["Location"] == reverse("batches:move", args=[batch.pk, "launch"])
    assert list(batch.works.values_list("image", flat=True)) == [pictured.pk]
    assert set(batch.settings["regime"].values()) == {"open"}
    assert AuditEntry.objects.get(action="batch.create").detail["images"] == 1
    assert launched(batch).state == Batch.State.RUNNING


def test_without_a_free_photograph_nothing_is_made(manager: Client) -> None:
    shown = post(manager, make_project(), protocol="captions")
    assert shown.status_code == 422 and "No photograph is free to be described" in text(shown)
    assert not Batch.objects.exists()


@pytest.mark.parametrize(("protocol", "questions"), [("relevance-expert", 3), ("relevance-crowd", 2)])
def test_pairs_of_a_file_are_judged(manager: Client, protocol: str, questions: int) -> None:
    project = make_project()
    one, two = make_images(project, [["dog"], ["man"]], 2)
    pairs = [(one, one, 0), (one, two, 1), (two, one, 0)]
    lines = [{"image": of.name, "caption": [by.name, number]} for of, by, number in pairs]
    post(manager, project, "\n".join(map(json.dumps, lines)), protocol=protocol, everybody="")
    batch = Batch.objects.get()
    assert JudgedPair.objects.filter(work__batch=batch).count() == 3
    assert JudgedPair.objects.values("work", "number").distinct().count() == questions
    assert "open" not in batch.settings["regime"].values()


@pytest.mark.parametrize(
    ("pairs", "protocol", "says"),
    [
        (None, "relevance-crowd", "Choose the pairs that are judged, or the file that has them."),
        ("", "relevance-crowd", "The submitted file is empty."),
        ("{}", "relevance-crowd", "pairs.jsonl, line 1: image: is missing."),
        (
            '{"image": "x.jpg", "caption": ["x.jpg", 0]}',
            "relevance-expert",
            "has no image &#x27;x.jpg&#x27;",
        ),
        ("{}", "captions", "To collect captions takes no pairs: leave this empty."),
        (None, "entities-fast", "Select a valid choice."),
    ],
)
def test_what_is_wrong_is_said_once_and_nothing_is_made(
    manager: Client, pairs: str | None, protocol: str, says: str
) -> None:
    shown = post(manager, make_project(), pairs, protocol=protocol)
    assert shown.status_code == 422 and text(shown).count(says) == 1, text(shown)
    assert not Batch.objects.exists()


def test_instructions_and_the_test_of_writers_are_downloaded(manager: Client) -> None:
    batch = make_captions(images=2)
    made = make_language_test(project=batch.project, now=NOW)
    address = reverse("batches:judgments", args=[batch.pk])
    listed = text(manager.get(reverse("batches:list", args=[batch.project_id])))
    assert f'href="{address}">Download instructions and test</a>' in listed
    sent = manager.get(address)
    assert f'filename="{batch.name}-questions.zip"' in sent["Content-Disposition"]
    with zipfile.ZipFile(BytesIO(b"".join(sent.streaming_content))) as archive:  # type: ignore[attr-defined]
        names = ("about.json", "questions.jsonl")
        assert sorted(archive.namelist()) == [f"{batch.name}/{name}" for name in names]
        assert len(archive.read(f"{batch.name}/questions.jsonl").splitlines()) == made > 0


def test_a_batch_that_grounds_captions_has_nothing_to_download_here(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"]])
    batch = make_batch(project)
    assert "Download" not in text(manager.get(reverse("batches:list", args=[batch.project_id])))
    assert manager.get(reverse("batches:judgments", args=[batch.pk])).status_code == 404


def test_judgments_are_downloaded(manager: Client) -> None:
    batch = make_judged(RELEVANCE)
    answer_page(make_worker(batch.project), stage=RELEVANCE)
    assert reverse("batches:judgments", args=[batch.pk]) in text(
        manager.get(reverse("batches:list", args=[batch.project_id]))
    )
    sent = manager.get(reverse("batches:judgments", args=[batch.pk]))
    assert f'filename="{batch.name}-judgments.zip"' in sent["Content-Disposition"]
    with zipfile.ZipFile(BytesIO(b"".join(sent.streaming_content))) as archive:  # type: ignore[attr-defined]
        names = ("about.json", "judgments.jsonl", "questions.jsonl")
        assert sorted(archive.namelist()) == [f"{batch.name}/{name}" for name in names]
        lines = archive.read(f"{batch.name}/judgments.jsonl").splitlines()
    assert len(lines) == 2 and {"image", "caption", "judge", "ticked"} == set(json.loads(lines[0]))
