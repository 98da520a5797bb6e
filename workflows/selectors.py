"""Reads over the work: what waits, for whom."""

from __future__ import annotations

from typing import Any

from django.db.models import F

from annotation.domain.answers import Stage
from annotation.models import Batch, Item, Worker


def stages_with_work(*, worker_id: int) -> list[dict[str, Any]]:
    """For every stage, whether a running batch of the worker's project has an item waiting in it.

    The items may turn out to be none for this worker: who drew a box does not judge it.
    """
    project = Worker.objects.filter(pk=worker_id).values("project_id")
    batches = Batch.objects.filter(project__in=project, state=Batch.State.RUNNING)
    running = list(batches.values_list("pk", flat=True))
    waiting = Item.objects.filter(
        batch__in=running, state=Item.State.OPEN, needed__gt=F("judged") + F("leased")
    )
    return [{"stage": str(stage), "waiting": waiting.filter(stage=stage).exists()} for stage in Stage]
