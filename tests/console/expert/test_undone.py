"""An annotation that was undone can be done again: in its queue, from what was drawn."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Decision, Image, ImageWork, Mention, Project
from tests.console.expert.sending import send
from tests.factories import make_image, make_project
from tests.workflows.review.annotating import drawn, store
from workflows.review.annotate import undone_annotation
from workflows.review.models import AnnotationQueue
from workflows.review.undo import undo_decision

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    """Return a project with two images in no batch."""
    project = make_project()
    for _ in range(2):
        make_image(project, [["man", "dog"], ["woman"]])
    return project


def undo(decision: Decision) -> None:
    undo_decision(decision_id=decision.pk, by="rita", note="", now=timezone.now())


def test_annotate_leads_back_into_the_queue_with_what_was_drawn(reviewer: Client, project: Project) -> None:
    """Thirty actions were to be done anew, outside of the queue."""
    reviewer.post(reverse("expert-queue", args=[project.pk]), {"purpose": "gold", "count": 2, "drawn": 0})
    queue = AnnotationQueue.objects.get()
    image = Image.objects.get(pk=queue.images[0])
    data = drawn(image, "gold")
    assert send(reviewer, image, data, queue=queue.pk).status_code == 200
    undo(Decision.objects.get())
    reply = reviewer.get(reverse("expert-image", args=[image.pk]))
    page = reply.content.decode()
    assert "Gold · image 1 of 2 · 0 done" in page
    assert "Its chains and boxes are here again" in page
    setup = reply.context["setup"]
    assert setup["purpose"] == "gold"
    assert [one["boxes"] for one in setup["chains"]] == [one["boxes"] for one in data["chains"]]
    names = [phrase["chain"] for caption in setup["captions"] for phrase in caption["phrases"]]
    assert names == ["A", "B", "C"]
    # What is saved again is the image's annotation, and the queue goes on.
    again = {**drawn(image, "gold", key="k2"), "version": setup["version"]}
    reply = send(reviewer, image, again)
    assert reply.json()["next"] == f"{reverse('expert-image', args=[queue.images[1]])}?queue={queue.pk}"
    assert "here again" not in reviewer.get(reverse("expert-image", args=[image.pk])).content.decode()


def test_an_undone_annotation_is_known_by_its_places_and_not_after_another_one(project: Project) -> None:
    image = project.images.earliest("pk")
    data = drawn(image)
    phrase = data["captions"][0]["phrases"][0]
    phrase["types"] = ["animals"]
    first = store(image, data)
    assert not undone_annotation(image.pk)
    undo(first)
    found = undone_annotation(image.pk)
    in_use = set(Mention.objects.filter(image=image, superseded=False).values_list("pk", flat=True))
    assert {pk for members, *_ in found for pk in members} == in_use
    assert [[list(box.edges) for box in boxes] for _, boxes, _ in found] == [
        one["boxes"] for one in data["chains"]
    ]
    store(image, drawn(image, key="k2"))
    assert not undone_annotation(image.pk)


@pytest.mark.parametrize("captions", [[["man", "dog"], ["woman"]], [["man"]]])
def test_the_history_of_an_undone_annotation_does_not_say_that_the_image_is_done(
    viewer: Client, captions: list[list[str]]
) -> None:
    image = make_image(make_project(), captions)
    undo(store(image, drawn(image)))
    assert not ImageWork.objects.get(image=image).active
    page = viewer.get(reverse("review:history", args=[image.pk])).content.decode()
    assert "ecomputed from" not in page and "0 judgments" in page
