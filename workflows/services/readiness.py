"""Whether a batch could be worked on the way its settings say: are there verification questions enough?"""

from __future__ import annotations

from django.db.models import Count, Exists, OuterRef

from annotation.domain.answers import Stage
from annotation.models import Batch, ImageWork, VerificationQuestion
from workflows.domain.control import Regime
from workflows.domain.policy import BatchSettings

Role = VerificationQuestion.Role

AFTER_ENTRANCE = 10
"""Questions that must be left for a worker who has just passed the entrance [ours]."""


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
        found = {role: there.get((stage, role), 0) for role in Role.values}
        short = [
            f"{found[role]} {role} of {needed}"
            for role, needed in _needs(settings, stage).items()
            if found[role] < needed
        ]
        if short:
            missing.append(f"{stage}: {', '.join(short)}")
    return missing


def _needs(settings: BatchSettings, stage: str) -> dict[str, int]:
    """Questions of each role without which nobody could work, or be scored, in the stage."""
    regime, control, screening = settings.regime[stage], settings.control, settings.screening
    if regime == Regime.OPEN:
        return {}
    gold = control.entrance + AFTER_ENTRANCE if regime == Regime.TRUSTED else control.set_questions
    needs = {str(Role.GOLD): gold}
    if screening.test:
        needs[str(Role.TRAINING)] = screening.training_items
        needs[str(Role.TEST)] = screening.test_items * screening.tries
    return needs
