"""A queue of images that were drawn at random, to be annotated one after the other."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Decision, Image, Project
from tests.console.expert.sending import send
from tests.factories import NOW, make_batch, make_image, make_project, make_questions
from tests.workflows.review.annotating import drawn
from tests.workflows.threads import at_once
from workflows.core.models import AuditEntry
from workflows.review.annotation_queue import QueueError, draw_queue, drawable_images
from workflows.review.models import AnnotationQueue
from workflows.review.undo import undo_decision

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    """Return a project with four images in no batch."""
    project = make_project()
    for _ in range(4):
        make_image(project, [["man"]])
    return project


def _address(project: Project) -> str:
    return reverse("expert-queue", args=[project.pk])


def _begin(client: Client, project: Project, count: int = 3, **more: Any) -> Any:
    data = {"purpose": "gold", "count": count, "drawn": 0} | more
    return client.post(_address(project), data)


def test_the_page_offers_what_the_address_asks_for(reviewer: Client, project: Project) -> None:
    reply = reviewer.get(_address(project), {"purpose": "gold", "count": "3"})
    assert reply.context["form"].initial == {"purpose": "gold", "count": 3, "drawn": 0}
    assert "4 images are free" in reply.content.decode()
    odd = reviewer.get(_address(project), {"purpose": "x", "count": "-4"})
    assert odd.context["form"].initial == {"purpose": "final", "count": 8, "drawn": 0}


def test_free_is_the_same_as_on_the_page_of_a_new_batch(manager: Client, project: Project) -> None:
    """The image whose annotation was undone is free, and waits in the queue."""
    _begin(manager, project, 1, purpose="final")
    image = Image.objects.get(pk=AnnotationQueue.objects.get().images[0])
    send(manager, image, drawn(image, "final"), queue=AnnotationQueue.objects.get().pk)
    assert "3 images are free." in manager.get(_address(project)).content.decode()
    undo_decision(decision_id=Decision.objects.get().pk, by="ada", note="", now=NOW)
    page = manager.get(_address(project)).content.decode()
    assert "4 images are free, and 3 of them can be drawn" in page
    new = manager.get(reverse("batches:new", args=[project.pk])).content.decode()
    assert "4 of 4 images are free." in new


def test_a_queue_leads_from_one_image_to_the_next(reviewer: Client, project: Project) -> None:
    reply = _begin(reviewer, project)
    queue = AnnotationQueue.objects.get()
    assert (queue.purpose, len(queue.images), queue.by) == ("gold", 3, "rita")
    assert reply["Location"] == f"{reverse('expert-image', args=[queue.images[0]])}?queue={queue.pk}"
    page = reviewer.get(reply["Location"])
    assert [one["value"] for one in page.context["setup"]["purposes"]] == ["gold"]
    assert page.context["setup"]["save"] == "Save and next"
    following = ""
    for number, pk in enumerate(queue.images, start=1):
        image = Image.objects.get(pk=pk)
        shown = reviewer.get(reverse("expert-image", args=[pk]), {"queue": queue.pk}).content.decode()
        assert f"image {number} of 3" in shown
        following = send(reviewer, image, drawn(image, "gold"), queue=queue.pk).json()["next"]
        if number < 3:
            assert following == f"{reverse('expert-image', args=[queue.images[number]])}?queue={queue.pk}"
    assert following == f"{_address(project)}?purpose=gold"
    done = reviewer.get(following).content.decode()
    assert "3 of 3" in done and "Make verification questions" in done
    assert set(AuditEntry.objects.values_list("action", flat=True)) >= {"expert.draw", "image.annotate"}


def test_an_image_can_be_left_for_later(reviewer: Client, project: Project) -> None:
    _begin(reviewer, project)
    queue = AnnotationQueue.objects.get()
    last = reviewer.get(reverse("expert-image", args=[queue.images[2]]), {"queue": queue.pk})
    assert last.context["later"] == f"{reverse('expert-image', args=[queue.images[0]])}?queue={queue.pk}"


def test_a_request_that_comes_twice_draws_once_and_more_can_be_drawn(
    reviewer: Client, project: Project
) -> None:
    for _ in range(2):
        assert _begin(reviewer, project).status_code == 302
    assert len(AnnotationQueue.objects.get().images) == 3
    _begin(reviewer, project, 1, drawn=3)
    assert len(set(AnnotationQueue.objects.get().images)) == 4


def test_more_than_there_are_cannot_be_drawn(reviewer: Client, project: Project) -> None:
    reply = _begin(reviewer, project, 5)
    assert reply.status_code == 422
    assert "4 images are left to draw from" in reply.content.decode()
    _begin(reviewer, project, 4)
    reply = _begin(reviewer, project, 1, purpose="final")
    assert reply.status_code == 422, "those of one queue are not in another"
    assert _begin(reviewer, project, 501).status_code == 422


def test_only_free_images_with_picture_and_captions_are_drawn(project: Project) -> None:
    make_image(project, [["man"]], picture=False)
    make_image(project, [])
    assert drawable_images(project).count() == 4
    make_questions(project, "link")
    assert drawable_images(project).count() == 4
    make_batch(project, launch=False)
    assert drawable_images(project).count() == 0


def test_an_ended_queue_gives_its_images_back(reviewer: Client, project: Project) -> None:
    _begin(reviewer, project, 4)
    reviewer.post(_address(project), {"purpose": "gold", "end": "1"})
    assert AnnotationQueue.objects.get().ended_at is not None
    assert _begin(reviewer, project, 4).status_code == 302
    assert AnnotationQueue.objects.filter(ended_at=None).count() == 1


def test_a_queue_of_another_project_is_not_followed(reviewer: Client, project: Project) -> None:
    _begin(reviewer, project)
    queue = AnnotationQueue.objects.get()
    other = make_image(make_project(), [["man"]])
    assert (
        reviewer.get(reverse("expert-image", args=[other.pk]), {"queue": queue.pk}).context["queue"] is None
    )


@pytest.mark.parametrize(("purpose", "count"), [("correction", 1), ("gold", 0)])
def test_a_queue_needs_a_purpose_and_images(project: Project, purpose: str, count: int) -> None:
    with pytest.raises(QueueError):
        draw_queue(project=project, purpose=purpose, count=count, drawn=0, by="ada", now=NOW, rng=Random(1))


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_who_begin_at_once_share_one_queue(project: Project) -> None:
    def draw() -> int:
        made = draw_queue(project=project, purpose="gold", count=2, drawn=0, by="ada", now=NOW, rng=Random(1))
        return made.pk

    assert len(set(at_once([draw, draw]))) == 1
    assert len(AnnotationQueue.objects.get().images) == 2


def test_images_for_gold_come_out_of_a_draft_that_has_them_all(manager: Client, project: Project) -> None:
    batch = make_batch(project, name="all", launch=False)
    shown = manager.get(_address(project), {"purpose": "gold", "count": "3"}).content.decode()
    assert "No image is free." in shown and "come out of draft all" in shown
    assert _begin(manager, project).status_code == 302
    queue = AnnotationQueue.objects.get()
    assert len(queue.images) == 3 and batch.works.count() == 1
    assert not batch.works.filter(image__in=queue.images).exists()
    assert AuditEntry.objects.get(action="expert.draw").detail["taken"] == 3
    # The draft keeps its last image, and images to be final are never taken out.
    assert _begin(manager, project, count=1, drawn=3).status_code == 422
    assert _begin(manager, project, count=1, purpose="final").status_code == 422
    assert batch.works.count() == 1


def test_a_reviewer_takes_nothing_out_of_a_draft(reviewer: Client, project: Project) -> None:
    batch = make_batch(project, launch=False)
    assert _begin(reviewer, project).status_code == 422
    assert batch.works.count() == 4
