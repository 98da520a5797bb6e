"""The images beside the one that is annotated, and the way to an image by its name."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Image, Project
from console.expert.neighbours import AROUND
from tests.console.expert.sending import send
from tests.factories import make_batch, make_image, make_project
from tests.workflows.review.annotating import drawn
from workflows.review.models import AnnotationQueue

pytestmark = pytest.mark.django_db


def _project(count: int) -> tuple[Project, list[Image]]:
    """Return a project whose images are called 00.jpg, 01.jpg and so on."""
    project = make_project()
    images = [make_image(project, [["man"]]) for _ in range(count)]
    for number, image in enumerate(images):
        image.name = f"{number:02}.jpg"
        image.save()
    return project, images


def _named(client: Client, project: Project, name: str, **more: Any) -> str:
    """Ask for an image by its name. Return the address that follows."""
    reply = client.get(reverse("expert-named", args=[project.pk]), {"name": name} | more)
    return str(reply["Location"])


def _address(image: Image, queue: AnnotationQueue | None = None) -> str:
    return reverse("expert-image", args=[image.pk]) + (f"?queue={queue.pk}" if queue else "")


def test_outside_of_a_queue_they_are_the_next_ones_by_name(reviewer: Client) -> None:
    _, images = _project(2 * AROUND + 3)
    context = reviewer.get(_address(images[AROUND + 1])).context
    assert [one.picture.id for one in context["beside"]] == [one.pk for one in images[1:-1]]
    assert [one.here for one in context["beside"]].index(True) == AROUND
    assert (context["previous"].address, context["next"].address) == (
        _address(images[AROUND]),
        _address(images[AROUND + 2]),
    )
    assert reviewer.get(_address(images[0])).context["previous"] is None
    assert reviewer.get(_address(images[-1])).context["next"] is None


def test_each_says_how_far_it_is(reviewer: Client) -> None:
    project, images = _project(2)
    send(reviewer, images[0], drawn(images[0], "final"))
    make_batch(project)
    for _ in range(2):
        make_image(project, [["man"]])
    reviewer.post(reverse("expert-queue", args=[project.pk]), {"purpose": "final", "count": 1, "drawn": 0})
    [queued] = AnnotationQueue.objects.get().images
    states = {one.picture.id: one.state for one in reviewer.get(_address(images[0])).context["beside"]}
    assert (states.pop(images[0].pk), states.pop(images[1].pk), states.pop(queued)) == (
        "done",
        "workers",
        "queue",
    )
    assert list(states.values()) == ["open"]


def test_in_a_queue_they_are_those_of_the_queue_in_its_order(reviewer: Client) -> None:
    project, _ = _project(4)
    reviewer.post(reverse("expert-queue", args=[project.pk]), {"purpose": "final", "count": 3, "drawn": 0})
    queue = AnnotationQueue.objects.get()
    images = [Image.objects.get(pk=pk) for pk in queue.images]
    context = reviewer.get(_address(images[1], queue)).context
    assert [one.address for one in context["beside"]] == [_address(one, queue) for one in images]
    assert context["previous"].address == _address(images[0], queue)
    # The one in hand is left for later, and the next that is not done follows.
    assert context["later"] == _address(images[2], queue)


@pytest.mark.parametrize(
    ("name", "number"), [("02.jpg", 2), ("02", 2), ("2.j", 2), ("", None), ("nothing", None)]
)
def test_an_image_is_found_by_its_name(reviewer: Client, name: str, number: int | None) -> None:
    project, images = _project(3)
    there = _named(reviewer, project, name, **{"from": images[0].pk})
    assert there == _address(images[0 if number is None else number])
    says = reviewer.get(there).content.decode()
    assert ("No image is called" in says) == (name == "nothing")
    assert ("Type the name of an image." in says) == (name == "")


def test_the_queue_goes_on_where_the_image_is_in_it(reviewer: Client) -> None:
    project, images = _project(3)
    reviewer.post(reverse("expert-queue", args=[project.pk]), {"purpose": "final", "count": 2, "drawn": 0})
    queue = AnnotationQueue.objects.get()
    for image in images:
        there = _named(reviewer, project, image.name, queue=queue.pk, **{"from": queue.images[0]})
        assert there == _address(image, queue if image.pk in queue.images else None)


def test_other_projects_have_other_images(reviewer: Client) -> None:
    project, images = _project(1)
    elsewhere = make_image(make_project(), [["man"]])
    there = _named(reviewer, project, elsewhere.name, **{"from": images[0].pk})
    assert there == _address(images[0])
    there = _named(reviewer, project, "x", **{"from": elsewhere.pk})
    assert there.startswith(reverse("expert-queue", args=[project.pk]))
