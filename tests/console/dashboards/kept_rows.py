"""Figures as a count would store them, but without counting."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from annotation.domain.answers import Stage
from annotation.models import Batch, Project
from workflows.analysis.domain.kept_counts import (
    Corpus,
    Counted,
    Hours,
    Items,
    Judgments,
    Links,
    Money,
    Queue,
    Results,
    StageItems,
    StageJudgments,
    Sums,
)
from workflows.analysis.models import KeptCounts

COUNTED_AT = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
PACE = tuple(
    (f"{COUNTED_AT - timedelta(hours=hours):%Y-%m-%dT%H}", {"link": 40, "drawing": 20})
    for hours in range(60, -1, -1)
)


def figures(*, images: int = 200, done: int = 120) -> dict[str, Counted]:
    """Return the figures of a project in the middle of its work, by kind."""
    stages = {
        str(stage): StageJudgments(
            judgments=1000, pages=100, workers=7, pages_judged=50, rejected_pages=place, asked=200, right=170,
            agreement=0.9, median=5.0 + place, p90=20, p99=60.0,
        )
        for place, stage in enumerate(Stage)
    }  # fmt: skip
    types = {"people": 500, "clothing": 300, "scene": 200, "other": 400}
    return {
        "corpus": Corpus(images=images, with_pictures=images, captions=5 * images, mentions=16 * images),
        "items": Items(
            {str(stage): StageItems(40, 10, 30, 900, 5, 60, 1000) for stage in Stage},
            {"queued": images - done - 30, "linking": 10, "boxing": 20, "done": done},
            images,
        ),
        "judgments": Judgments(stages),
        "hours": Hours(PACE, (("2026-11-18", {"link": 400}), ("2026-11-20", {"link": 700, "drawing": 200}))),
        "results": Results(
            {"done": 1200, "drawing": 100}, types, {name: 2 * n for name, n in types.items()}, types,
            {"accepted": 1400, "rejected": 100}, {"none": 200, "one": 700, "several": 300}, {"scene": 9},
        ),
        "links": Links({"asked": 570, "transitivity": 430, "type": 3000, "caption": 900}, 150),
        "money": Money({"USD": Sums(123456, 500, 98765)}),
        "queue": Queue({"cycle": 12, "comment": 3}),
    }  # fmt: skip


def keep(project: Project, batch: Batch | None = None, **change: Counted) -> None:
    """Store figures as if they had been counted. `change` replaces the figures of a kind."""
    KeptCounts.objects.bulk_create(
        KeptCounts(
            project=project,
            batch=batch,
            kind=kind,
            data={"figures": one.to_json()},
            counted_at=COUNTED_AT,
            seconds=1,
        )
        for kind, one in (figures() | change).items()
        if batch is None or kind not in ("corpus", "queue")
    )
