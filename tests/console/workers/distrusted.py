"""A worker who has everything that the page can show."""

from __future__ import annotations

from django.urls import reverse

from annotation.models import (
    Judgment,
    Standing,
    Worker,
)
from tests.console.review.review_rows import make_finished
from tests.factories import NOW
from workflows.cases.review_queue import open_case


def make_distrusted() -> Worker:
    """Make a worker who drew a finished chain's box, lost trust in drawing, and has an open case for that."""
    chain = make_finished()
    worker = Judgment.objects.get(item__stage="drawing").worker
    Standing.objects.create(
        worker=worker,
        stage="drawing",
        state="lost",
        asked=30,
        right=18,
        recent_asked=30,
        recent_right=18,
        changed_at=NOW,
    )
    open_case(
        project_id=chain.work.batch.project_id,
        reason="trust",
        now=NOW,
        worker_id=worker.pk,
        stage="drawing",
        detail={"asked": 30, "right": 18},
    )
    return worker


def page_of(worker: Worker, query: str = "") -> str:
    return reverse("workers:worker", args=[worker.pk]) + query
