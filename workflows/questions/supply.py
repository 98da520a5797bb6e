"""Counts a project's verification questions, and says of which there are too few."""

from __future__ import annotations

from collections import Counter

from django.db.models import Count, QuerySet

from annotation.models import Image, Project, VerificationQuestion
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.questions.domain.supply import GOLD, Supplied, told_by_ids
from workflows.questions.exposure import Stock, stock_of
from workflows.questions.images import being_annotated


def questions_of(project: Project) -> QuerySet[VerificationQuestion]:
    """Return the project's questions with their images, in the order in which they were made."""
    return VerificationQuestion.objects.filter(project=project).select_related("image").order_by("pk")


def by_kind(project: Project) -> Counter[tuple[str, str, str]]:
    """Count the active questions by stage, role and kind."""
    active = VerificationQuestion.objects.filter(project=project, state=VerificationQuestion.State.ACTIVE)
    counts = active.values_list("stage", "role", "kind").annotate(Count("pk"))
    return Counter({(stage, role, kind): count for stage, role, kind, count in counts})


def askable_now(project: Project) -> Counter[tuple[str, str]]:
    """Count by stage and role the questions that can be asked: active, and of images in no batch's hands."""
    active = VerificationQuestion.objects.filter(
        ~being_annotated("image"), project=project, state=VerificationQuestion.State.ACTIVE
    )
    counts = active.values_list("stage", "role").annotate(Count("pk"))
    return Counter({(stage, role): count for stage, role, count in counts})


def shortages(project: Project, settings: BatchSettings, stock: Stock) -> list[tuple[str, str, int, int]]:
    """Return (stage, role, questions that can be asked, questions needed) wherever there are too few.

    If images become those of an entrance by new questions, it takes more: `plan_missing` says how many.
    """
    supplied = supplied_of(project, stock)
    missing = supplied.missing(settings)
    return [
        (stage, role, supplied.there[stage, role], supplied.there[stage, role] + number)
        for (stage, role), number in missing.items()
    ]


def supplied_of(project: Project, stock: Stock) -> Supplied:
    """Return the questions that can be asked now."""
    return Supplied(askable_now(project), stock.by_image, stock.reserved)


def missing_of(project: Project, settings: BatchSettings) -> dict[tuple[str, str], int]:
    """Return how many questions are missing, by stage and role."""
    return supplied_of(project, stock_of(project.pk)).missing(settings)


def can_be_recognized(project: Project) -> bool:
    """Return whether the ids alone tell images with gold questions from images to annotate."""
    gold = VerificationQuestion.objects.filter(
        project=project, state=VerificationQuestion.State.ACTIVE, role=GOLD
    )
    asked = set(gold.values_list("image_id", flat=True))
    # The images to annotate are those without questions of any role, whether they are done or not.
    serving = VerificationQuestion.objects.filter(project=project).values("image")
    others = Image.objects.filter(project=project).exclude(pk__in=serving)
    return told_by_ids(asked, list(others.values_list("pk", flat=True)))
