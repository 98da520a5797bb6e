"""Reserves images for entrances: what somebody saw at an entrance tells nothing about other pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import EntranceImage, VerificationQuestion
from workflows.questions.images import lock_roles


@dataclass(frozen=True, slots=True)
class Supply:
    """How many gold questions of a stage there are, and how many are about reserved images."""

    everything: int
    reserved: int


def entrance_images(project_id: int) -> set[int]:
    """Return the images of the project that are reserved for entrances."""
    reserved = EntranceImage.objects.filter(image__project=project_id)
    return set(reserved.values_list("image_id", flat=True))


def entrance_supply(*, project_id: int, stage: str) -> Supply:
    """Count the active gold questions of a stage."""
    counts = VerificationQuestion.objects.filter(
        project_id=project_id,
        stage=stage,
        role=VerificationQuestion.Role.GOLD,
        state=VerificationQuestion.State.ACTIVE,
    ).aggregate(
        everything=Count("pk"),
        reserved=Count("pk", filter=Q(Exists(EntranceImage.objects.filter(image=OuterRef("image"))))),
    )
    return Supply(**counts)


def lock_entrance_images(project_id: int) -> None:
    """Let no other claim reserve images of the project until the transaction ends.

    Otherwise many workers who begin at once would each reserve some, and together too many.
    """
    lock_roles(project_id)


def reserve_for_entrances(images: Iterable[int]) -> None:
    """Reserve these images for entrances, from now on and for all workers and stages.

    The caller has locked them, and knows that there is room.
    """
    rows = [EntranceImage(image_id=image) for image in sorted(set(images))]
    EntranceImage.objects.bulk_create(rows, ignore_conflicts=True)
