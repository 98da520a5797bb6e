"""Reads what a worker is told of their answers to verification questions."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import IS_RIGHT, Exposure, Judgment
from workflows.quality.domain.weekly_feedback import WEEK, Tally, weeks_over, weeks_told
from workflows.questions.domain.retirement import VOID


def weekly_feedback(*, worker_id: int, now: datetime) -> list[tuple[datetime, int]]:
    """Return the weeks of which the worker is told, each with the percentage of right answers. One query.

    Only batches with `weekly_feedback` count. Pages of the entrance do not: everybody knows that they have
    nothing but verification questions, so a worker who answers one of them wrong on purpose could see with it
    how close the share is to its next step.
    """
    weeks = weeks_over(now)
    entrance = Exposure.objects.filter(worker=worker_id, question=OuterRef("question"), entrance=True)
    given = (
        Judgment.objects.filter(
            worker_id=worker_id,
            question__isnull=False,
            created_at__gte=weeks[-1],
            created_at__lt=weeks[0] + WEEK,
            assignment__batch__settings__weekly_feedback=True,
        )
        .exclude(question__retired=VOID)
        .exclude(Exists(entrance))
    )
    counts = {}
    for number, begins in enumerate(weeks):
        week = Q(created_at__gte=begins, created_at__lt=begins + WEEK)
        counts[f"asked_{number}"] = Count("pk", filter=week)
        counts[f"right_{number}"] = Count("pk", filter=week & IS_RIGHT)
    found = given.aggregate(**counts)
    return weeks_told(
        [
            Tally(begins, right=found[f"right_{number}"], asked=found[f"asked_{number}"])
            for number, begins in enumerate(weeks)
        ]
    )
