"""Batches in every state."""

from __future__ import annotations

from annotation.models import Batch
from tests.factories import (
    make_batch,
    make_image,
    make_project,
)


def in_state(state: str) -> Batch:
    project = make_project()
    make_image(project, [["man"]])
    batch = make_batch(project, launch=False)
    Batch.objects.filter(pk=batch.pk).update(state=state)
    return batch
