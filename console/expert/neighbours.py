"""The images beside the one that is annotated, to go on to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import Image, ImageWork, Project
from console.common.pictures import Picture, picture
from workflows.review.annotation_queue import Progress, queued_images

AROUND = 6
"""So many images are shown on each side."""
STATES = {
    "done": "done",
    "workers": "with workers",
    "queue": "in the queue",
    "open": "open",
}
"""How far an image is, and what the page calls that."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An image in the strip."""

    picture: Picture
    state: str
    address: str
    here: bool

    @property
    def says(self) -> str:
        """What the page calls the state."""
        return STATES[self.state]


def neighbours(image: Image, queue: Progress | None, address: Callable[[int], str]) -> list[Neighbour]:
    """Return the images round this one: of the queue in its order, else of the project by name. Four queries.

    `address` gives the address at which an image is annotated.
    """
    found = _of_queue(image, queue) if queue else _by_name(image)
    states = _states(image.project, [one.pk for one in found])
    return [Neighbour(picture(one), states[one.pk], address(one.pk), one.pk == image.pk) for one in found]


def named(project: Project, name: str) -> Image | None:
    """Return the image with this name, or else the first whose name begins with it or contains it."""
    images = Image.objects.in_use().filter(project=project).order_by("name")
    ways = ({"name": name}, {"name__istartswith": name}, {"name__icontains": name})
    return next((found for way in ways if (found := images.filter(**way).first())), None) if name else None


def _of_queue(image: Image, queue: Progress) -> list[Image]:
    at = queue.images.index(image.pk)
    pks = queue.images[max(at - AROUND, 0) : at + AROUND + 1]
    images = Image.objects.in_bulk(pks)
    return [images[pk] for pk in pks if pk in images]


def _by_name(image: Image) -> list[Image]:
    images: QuerySet[Image] = Image.objects.in_use().filter(project=image.project_id)
    before = images.filter(name__lt=image.name).order_by("-name")[:AROUND]
    after = images.filter(name__gt=image.name).order_by("name")[:AROUND]
    return [*reversed(before), image, *after]


def _states(project: Project, images: Sequence[int]) -> dict[int, str]:
    works = ImageWork.objects.grounding().filter(image__in=images, active=True)
    state_of = dict(works.values_list("image_id", "state"))
    queued = queued_images(project)
    return {pk: _state(state_of.get(pk), pk in queued) for pk in images}


def _state(work: str | None, queued: bool) -> str:
    if work is None:
        return "queue" if queued else "open"
    return "done" if work == ImageWork.State.DONE else "workers"
