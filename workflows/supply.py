"""Which verification questions a project has, and how they fare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from django.db.models import Count, QuerySet

from annotation.domain.answers import Stage
from annotation.models import Project, VerificationQuestion
from workflows.domain.policy import BatchSettings
from workflows.domain.supply import ROLES, needs
from workflows.known import being_annotated


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


def missing(there: Mapping[tuple[str, str], int], settings: BatchSettings) -> list[tuple[str, str, int]]:
    """Stage, role and how many questions `settings` need beyond those that are there."""
    short = []
    for stage in Stage:
        wanted = needs(settings, stage)
        for role in ROLES:
            lacking = wanted.get(role, 0) - there.get((stage, role), 0)
            if lacking > 0:
                short.append((str(stage), role, lacking))
    return short
