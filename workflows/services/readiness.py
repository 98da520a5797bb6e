"""Whether a batch could be worked on the way its settings say: are there verification questions enough?"""

from __future__ import annotations

from annotation.domain.answers import Stage
from annotation.models import Batch, VerificationQuestion
from workflows.domain.policy import BatchSettings
from workflows.domain.supply import needs
from workflows.supply import askable_now


def shortages(batch: Batch, settings: BatchSettings) -> list[str]:
    """What is missing to launch the batch, as in "link: 3 gold of 40" a stage; empty where it is ready.

    A question of an image that a batch is annotating, this one or another, cannot be asked meanwhile.
    """
    there = askable_now(batch.project)
    missing = []
    for stage in Stage:
        found = {role: there[stage, role] for role in VerificationQuestion.Role.values}
        short = [
            f"{found[role]} {role} of {needed}"
            for role, needed in needs(settings, stage).items()
            if found[role] < needed
        ]
        if short:
            missing.append(f"{stage}: {', '.join(short)}")
    return missing
