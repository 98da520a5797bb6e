"""Whether a batch could be worked on the way its settings say: are there verification questions enough?"""

from __future__ import annotations

from annotation.models import Batch
from workflows import supply
from workflows.domain.policy import BatchSettings


def shortages(batch: Batch, settings: BatchSettings) -> list[str]:
    """What is missing to launch the batch, as in "link: 3 gold of 40" a stage; empty where it is ready.

    A question of an image that a batch is annotating, this one or another, cannot be asked meanwhile.
    """
    missing: dict[str, list[str]] = {}
    for stage, role, found, needed in supply.shortages(batch.project, settings):
        missing.setdefault(stage, []).append(f"{found} {role} of {needed}")
    return [f"{stage}: {', '.join(short)}" for stage, short in missing.items()]
