"""Queues of images, drawn at random, that a researcher annotates one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from random import Random

from django.db import IntegrityError
from django.db.models import Exists, OuterRef, QuerySet

from annotation.domain.field_errors import NamedFieldError
from annotation.models import Caption, Decision, Image, Project
from annotation.transactions import write_transaction
from workflows.questions.images import free_images
from workflows.review.domain.annotation import Purpose
from workflows.review.models import AnnotationQueue

MAX_IMAGES = 500
"""The most images of a queue: more than somebody annotates alone in a month."""
PURPOSES = (Purpose.FINAL, Purpose.GOLD)


class QueueError(NamedFieldError):
    """A queue cannot be begun. `field` names what is wrong: purpose, count or drawn."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A queue with its images, in order, and those that are annotated."""

    queue: AnnotationQueue
    images: tuple[int, ...]
    done: frozenset[int]

    @property
    def following(self) -> int | None:
        """Return the first image that is not annotated, or None."""
        return self.after(None)

    def after(self, image: int | None) -> int | None:
        """Return the next image that is not annotated, after this one and then from the beginning."""
        start = self.images.index(image) + 1 if image in self.images else 0
        around = (*self.images[start:], *self.images[:start])
        return next((one for one in around if one not in self.done and one != image), None)

    def place(self, image: int) -> int | None:
        """Return the image's place in the queue from 1, or None if it is not in it."""
        return self.images.index(image) + 1 if image in self.images else None


def drawable_images(project: Project) -> QuerySet[Image]:
    """Return the images that can be drawn: with picture and captions, in no batch, without questions."""
    captioned = Exists(Caption.objects.in_use().filter(image=OuterRef("pk")))
    return free_images(project).filter(captioned, width__gt=0, height__gt=0).exclude(file="")


def undrawn_images(project: Project) -> QuerySet[Image]:
    """Return the images that can be drawn, without those that are in an open queue."""
    return drawable_images(project).exclude(pk__in=queued_images(project))


def draw_queue(
    *,
    project: Project,
    purpose: str,
    count: int,
    drawn: int,
    by: str,
    now: datetime,
    rng: Random,
    also: Callable[[AnnotationQueue], object] | None = None,
) -> AnnotationQueue:
    """Draw `count` images into the project's open queue for this purpose, which is begun if there is none.

    `drawn` is the number of images that the queue had when somebody asked for more. If it has another number
    by now, nothing is drawn: the request was sent twice, or somebody else was faster. Raises QueueError.
    """
    if purpose not in PURPOSES:
        raise QueueError("purpose", f"must be one of {', '.join(PURPOSES)}")
    if not 1 <= count <= MAX_IMAGES:
        raise QueueError("count", f"must be from 1 to {MAX_IMAGES}")
    try:
        with write_transaction():
            queues = AnnotationQueue.objects.select_for_update(no_key=True)
            queue = queues.filter(project=project, purpose=purpose, ended_at=None).first()
            if queue is None:
                queue = AnnotationQueue(project=project, purpose=purpose, images=[], by=by, created_at=now)
            if len(queue.images) != drawn:
                return queue
            if len(queue.images) + count > MAX_IMAGES:
                raise QueueError("count", f"is too many: a queue has at most {MAX_IMAGES} images")
            ids = list(undrawn_images(project).order_by("name").values_list("pk", flat=True))
            if count > len(ids):
                raise QueueError("count", _too_many(len(ids)))
            queue.images = [*queue.images, *rng.sample(ids, count)]
            queue.save()
            if also is not None:
                also(queue)
    except IntegrityError:  # somebody else began it just now
        return AnnotationQueue.objects.get(project=project, purpose=purpose, ended_at=None)
    return queue


def end_queue(
    *, queue_id: int, now: datetime, also: Callable[[AnnotationQueue], object] | None = None
) -> None:
    """End a queue. What was annotated stays; the other images can be drawn again."""
    with write_transaction():
        queue = AnnotationQueue.objects.select_for_update(no_key=True).get(pk=queue_id)
        if queue.ended_at is None:
            queue.ended_at = now
            queue.save(update_fields=["ended_at"])
            if also is not None:
                also(queue)


def open_queue(project: Project, purpose: str) -> AnnotationQueue | None:
    """Return the project's open queue for this purpose, or None."""
    return AnnotationQueue.objects.filter(project=project, purpose=purpose, ended_at=None).first()


def progress_of(queue: AnnotationQueue) -> Progress:
    """Return which images of the queue were annotated since it was begun, and not undone. One query."""
    made = Decision.objects.filter(
        kind__in=(Decision.Kind.ANNOTATE, Decision.Kind.UNDO),
        work__image__in=queue.images,
        created_at__gte=queue.created_at,
    )
    rows = list(made.values_list("pk", "kind", "work__image_id", "content__undoes"))
    undone = {of for *_, of in rows}
    done = {image for pk, kind, image, _ in rows if kind == Decision.Kind.ANNOTATE and pk not in undone}
    return Progress(queue, tuple(queue.images), frozenset(done))


def queues_begun(project: Project) -> list[Progress]:
    """Return the open queues of the project. One query, and one more for each."""
    queues = AnnotationQueue.objects.filter(project=project, ended_at=None).order_by("-pk")
    return [progress_of(one) for one in queues]


def queued_images(project: Project) -> set[int]:
    """Return the images of the project's open queues."""
    queues = AnnotationQueue.objects.filter(project=project, ended_at=None)
    return {image for images in queues.values_list("images", flat=True) for image in images}


def _too_many(free: int) -> str:
    if not free:
        return (
            "is too many: no image is left that has a picture and captions, is in no batch, "
            "and has no verification questions"
        )
    return f"is too many: {free} image{' is' if free == 1 else 's are'} left to draw from"
