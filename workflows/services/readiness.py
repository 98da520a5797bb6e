"""Whether a batch could be worked on the way its settings say: are there verification questions enough?"""

from __future__ import annotations

from django.db.models import Count, Exists, OuterRef

from annotation.domain.answers import Stage
from annotation.models import Batch, ImageWork, VerificationQuestion
from workflows.domain.policy import BatchSettings
from workflows.domain.supply import needs


def shortages(batch: Batch, settings: BatchSettings) -> list[str]:
    """What is missing to launch the batch, as in "link: 3 gold of 40" a stage; empty where it is ready.

    A question of an image that a batch is annotating, this one or another, cannot be asked meanwhile.
    """
    busy = ImageWork.objects.filter(image=OuterRef("image"), active=True).exclude(state=ImageWork.State.DONE)
    counts = (
        VerificationQuestion.objects.filter(
            ~Exists(busy), project=batch.project_id, state=VerificationQuestion.State.ACTIVE
        )
        .values_list("stage", "role")
        .annotate(Count("pk"))
    )
    there = {(stage, role): count for stage, role, count in counts}
    missing = []
    for stage in Stage:
        found = {role: there.get((stage, role), 0) for role in VerificationQuestion.Role.values}
        short = [
            f"{found[role]} {role} of {needed}"
            for role, needed in needs(settings, stage).items()
            if found[role] < needed
        ]
        if short:
            missing.append(f"{stage}: {', '.join(short)}")
    return missing
