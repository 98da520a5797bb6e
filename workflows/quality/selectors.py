"""Finds the batches of a project that have work for a worker, or had."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from annotation.domain.answers import CAMPAIGN_STAGES
from annotation.domain.protocols import ALL_STAGES
from annotation.models import Batch, Item, Judgment, Worker


def batches_with_work(*, worker_id: int) -> list[tuple[Batch, frozenset[str]]]:
    """Return the running batches of the worker's project, and the stages in which each has items waiting.

    The oldest comes first, as in a claim. One query, which looks at the head of every stage's queue. A
    question of a campaign waits for several workers, so those that the worker has answered are passed over.
    """
    waiting = Item.objects.waiting().filter(batch=OuterRef("pk"))
    answered = Judgment.objects.filter(item=OuterRef("pk"), worker=worker_id)
    others = waiting.filter(~Exists(answered)).exclude(author=worker_id)
    waits = {
        f"waits_in_{stage}": Exists((others if stage in CAMPAIGN_STAGES else waiting).filter(stage=stage))
        for stage in ALL_STAGES
    }
    project = Worker.objects.filter(pk=worker_id).values("project_id")
    batches = Batch.objects.filter(project__in=project, state=Batch.State.RUNNING).annotate(**waits)
    return [
        (batch, frozenset(stage for stage in ALL_STAGES if getattr(batch, f"waits_in_{stage}")))
        for batch in batches.order_by("pk")
    ]


def batch_at_rest(*, worker_id: int) -> Batch | None:
    """Return the newest paused batch of the worker's project, else the newest finished one, or None."""
    return next(batches_at_rest(worker_id=worker_id), None)


def batches_at_rest(*, worker_id: int) -> Iterator[Batch]:
    """Yield the paused batches of the worker's project, then the finished ones; each the newest first.

    Two queries.
    """
    project = Worker.objects.filter(pk=worker_id).values("project_id")
    for state in (Batch.State.PAUSED, Batch.State.FINISHED):
        yield from Batch.objects.filter(project__in=project, state=state).order_by("-pk").iterator(20)
