"""A campaign that lacks verification questions gets them from its launch, with one button."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Project, VerificationQuestion
from tests.factories import make_images, make_project
from tests.workflows.questions.test_make_caption_questions import described
from workflows.core.models import AuditEntry
from workflows.pipeline.models import JudgedPair

pytestmark = pytest.mark.django_db


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def launch_of(batch: Batch) -> str:
    return reverse("batches:move", args=[batch.pk, "launch"])


def judged(client: Client, project: Project, images: int, protocol: str = "relevance-crowd") -> Batch:
    """Make a draft that judges the first captions of the first images."""
    names = list(project.images.order_by("name").values_list("name", flat=True)[:images])
    lines = [{"image": image, "caption": [of, 0]} for image in names for of in names]
    file = SimpleUploadedFile("pairs.jsonl", "\n".join(map(json.dumps, lines)).encode())
    data = {"name": f"batch-{protocol}", "protocol": protocol, "pairs": file}
    client.post(reverse("batches:campaign", args=[project.pk]), data)
    return Batch.objects.latest("pk")


@pytest.mark.parametrize("protocol", ["relevance-crowd", "relevance-expert"])
def test_one_button_makes_what_a_campaign_lacks(manager: Client, protocol: str) -> None:
    project = described(80)
    batch = judged(manager, project, 4, protocol)
    page = text(manager.get(launch_of(batch)))
    button = reverse("batches:caption-questions", args=[batch.pk])
    assert "76 images can be used" in page and f'action="{button}"' in page
    assert "Start a pilot" not in page and "Annotate" not in page
    assert f'action="{button}"' in text(
        manager.get(reverse("batches:questions", args=[project.pk]), {"batch": batch.pk})
    )
    reply = manager.post(button)
    assert reply["Location"] == launch_of(batch)
    ready = text(manager.get(launch_of(batch)))
    assert "There are enough verification questions." in ready and "too few" not in ready
    made = AuditEntry.objects.get(action="questions.make").detail["made"]
    assert made == VerificationQuestion.objects.filter(project=project).count() > 0
    asked = text(manager.get(reverse("batches:questions", args=[project.pk]), {"batch": batch.pk}))
    assert "Back to the launch" in asked and "known chains" not in asked.lower()


def test_a_campaign_of_captions_gets_its_test(manager: Client) -> None:
    project = described(40)
    make_images(project, [], 3)
    data = {"name": "writing", "protocol": "captions"}
    manager.post(reverse("batches:campaign", args=[project.pk]), data)
    batch = Batch.objects.get()
    assert "Make the test" in text(manager.get(launch_of(batch)))
    manager.post(reverse("batches:caption-questions", args=[batch.pk]))
    stages = set(VerificationQuestion.objects.values_list("stage", flat=True))
    assert "writing" in stages


def test_photographs_alone_need_the_language_test_and_nothing_else(manager: Client) -> None:
    project = make_project()
    make_images(project, [], 3)
    data = {"name": "writing", "protocol": "captions"}
    made = text(manager.post(reverse("batches:campaign", args=[project.pk]), data, follow=True))
    assert "All workers who write may check the captions of others" in made
    batch = Batch.objects.get()
    assert batch.settings["regime"] == {"writing": "trusted", "caption_check": "open"}
    page = text(manager.post(reverse("batches:caption-questions", args=[batch.pk]), follow=True))
    assert "24 verification questions made" in page and "too few" not in page


def test_without_a_free_image_some_come_out_of_the_draft(manager: Client) -> None:
    project = described(60)
    batch = judged(manager, project, 60)
    page = text(manager.get(launch_of(batch)))
    assert "0 images can be used" in page and "are taken out of this draft" in page
    reply = manager.post(reverse("batches:caption-questions", args=[batch.pk]), follow=True)
    left = batch.works.count()
    assert 30 <= left < 60 and f"{60 - left} images came out of batch {batch.name}" in text(reply)
    assert "too few" not in text(reply)
    asked = set(VerificationQuestion.objects.values_list("image", flat=True))
    assert not asked & set(batch.works.values_list("image", flat=True))
    assert batch.works.filter(pairs=None).count() == 0
    assert JudgedPair.objects.filter(work__batch=batch).count() == left * 60, "all captions are judged"


def test_an_image_of_another_draft_is_not_taken_out(manager: Client) -> None:
    project = described(60)
    batch, other = judged(manager, project, 60), judged(manager, project, 50, "relevance-expert")
    manager.post(reverse("batches:caption-questions", args=[batch.pk]))
    assert other.works.count() == 50 and batch.works.count() >= 50
    serving = set(VerificationQuestion.objects.values_list("image", flat=True))
    assert serving and not serving & set(other.works.values_list("image", flat=True))


def test_a_batch_that_is_too_small_says_what_to_do(manager: Client) -> None:
    project = described(1)
    batch = judged(manager, project, 1)
    page = text(manager.get(launch_of(batch)))
    assert "0 images can be used" in page and reverse("jobs:import", args=[project.pk]) in page
    reply = manager.post(reverse("batches:caption-questions", args=[batch.pk]), follow=True)
    assert "Nothing is new" in text(reply) and batch.works.count() == 1
    assert not VerificationQuestion.objects.exists()


def test_a_language_without_a_test_is_said(manager: Client) -> None:
    project = make_project()
    Project.objects.filter(pk=project.pk).update(language="ja")
    make_images(project, [], 3)
    manager.post(reverse("batches:campaign", args=[project.pk]), {"name": "writing", "protocol": "captions"})
    reply = manager.post(reverse("batches:caption-questions", args=[Batch.objects.get().pk]), follow=True)
    assert "no test in ja" in text(reply)


def test_a_batch_about_chains_has_no_such_button(manager: Client) -> None:
    project = make_project()
    batch = Batch.objects.create(project=project, name="main", settings={})
    reply = manager.post(reverse("batches:caption-questions", args=[batch.pk]), follow=True)
    assert "asks about chains" in text(reply) and not VerificationQuestion.objects.exists()
