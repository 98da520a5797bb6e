"""Which verification questions a project has, and how they fare."""

from __future__ import annotations

from collections import Counter, defaultdict

from django.db.models import Count, QuerySet

from annotation.domain.answers import Stage
from annotation.models import Image, Project, VerificationQuestion
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.questions.domain.supply import AFTER_ENTRANCE, GOLD, left_over, questions_needed, told_by_ids
from workflows.questions.images import being_annotated


def questions_of(project: Project) -> QuerySet[VerificationQuestion]:
    """With their images, in the order in which they were made."""
    return VerificationQuestion.objects.filter(project=project).select_related("image").order_by("pk")


def by_kind(project: Project) -> Counter[tuple[str, str, str]]:
    """Active questions by stage, role and kind."""
    active = VerificationQuestion.objects.filter(project=project, state=VerificationQuestion.State.ACTIVE)
    counts = active.values_list("stage", "role", "kind").annotate(Count("pk"))
    return Counter({(stage, role, kind): count for stage, role, kind, count in counts})


def askable_now(project: Project) -> Counter[tuple[str, str]]:
    """Active questions by stage and role whose image no batch is annotating: those that can be asked."""
    active = VerificationQuestion.objects.filter(
        ~being_annotated("image"), project=project, state=VerificationQuestion.State.ACTIVE
    )
    counts = active.values_list("stage", "role").annotate(Count("pk"))
    return Counter({(stage, role): count for stage, role, count in counts})


def shortages(project: Project, settings: BatchSettings) -> list[tuple[str, str, int, int]]:
    """Stage, role, how many questions can be asked and how many it takes, wherever these are too few.

    Under the regime `trusted` it is not enough that there are so many gold questions: there must be some
    about images that are not known from an entrance, of this stage or another.
    """
    there = askable_now(project)
    trusted = [str(stage) for stage in Stage if settings.regime[stage] == Regime.TRUSTED]
    left = left_over(_by_image(project), dict.fromkeys(trusted, settings.control.entrance))
    short = []
    for stage in map(str, Stage):
        for role, number in questions_needed(settings, stage).items():
            found = there[stage, role]
            if role == GOLD and stage in left:
                number = max(number, found + AFTER_ENTRANCE - left[stage])
            if found < number:
                short.append((stage, role, found, number))
    return short


def _by_image(project: Project) -> dict[str, dict[int, int]]:
    gold = VerificationQuestion.objects.filter(
        ~being_annotated("image"), project=project, state=VerificationQuestion.State.ACTIVE, role=GOLD
    )
    counts: dict[str, dict[int, int]] = defaultdict(dict)
    for stage, image, count in gold.values_list("stage", "image").annotate(Count("pk")):
        counts[stage][image] = count
    return counts


def told_apart(project: Project) -> bool:
    """Whether images with gold questions can be told from those left to annotate by their ids alone."""
    gold = VerificationQuestion.objects.filter(
        project=project, state=VerificationQuestion.State.ACTIVE, role=GOLD
    )
    asked = set(gold.values_list("image_id", flat=True))
    # Whatever was or will be annotated: everything without questions of any role.
    serving = VerificationQuestion.objects.filter(project=project).values("image")
    others = Image.objects.filter(project=project).exclude(pk__in=serving)
    return told_by_ids(asked, list(others.values_list("pk", flat=True)))
