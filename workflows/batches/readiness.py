"""Whether a batch could be worked on the way its settings say: are there verification questions enough?"""

from __future__ import annotations

from django.db.models import Count, Q

from annotation.models import Batch
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.questions import supply


def shortages(batch: Batch, settings: BatchSettings) -> list[str]:
    """What is missing to launch the batch, as in "link: 3 gold of 40" a stage; empty where it is ready.

    A question of an image that a batch is annotating, this one or another, cannot be asked meanwhile.
    """
    missing: dict[str, list[str]] = {}
    for stage, role, found, needed in supply.shortages(batch.project, settings):
        missing.setdefault(stage, []).append(f"{found} {role} of {needed}")
    return [f"{stage}: {', '.join(short)}" for stage, short in missing.items()]


def missing_pictures(batch: Batch) -> tuple[int, int]:
    """How many images of the batch have no picture, and how many no size."""
    found = batch.works.aggregate(
        bare=Count("pk", filter=Q(image__file="")),
        unsized=Count("pk", filter=Q(image__width=None) | Q(image__height=None)),
    )
    return found["bare"], found["unsized"]
