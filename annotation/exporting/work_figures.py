"""Figures of the work behind a data set: who answered how much, how well, and for how much money."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from annotation.models import Assignment, Batch, Judgment, Project
from annotation.models.assignments import IS_RIGHT


@dataclass(frozen=True, slots=True)
class WorkFigures:
    """All work of a project or batch until now, whether its images are exported or not."""

    workers: int
    judgments: int  # that count
    set_aside: int  # that do not count any more
    seconds: float  # on items and verification questions, as pages measured it
    asked: int  # answers to verification questions
    right: int
    rewards: Mapping[str, int]  # of submitted pages by currency, in its smallest unit


def work_figures(project: Project, batch: Batch | None) -> WorkFigures:
    """Count the work in two queries."""
    pages = Assignment.objects.filter(batch__project=project)
    judgments = Judgment.objects.filter(assignment__batch__project=project)
    if batch:
        pages, judgments = pages.filter(batch=batch), judgments.filter(assignment__batch=batch)
    item = Q(question__isnull=True)
    counts = judgments.aggregate(
        workers=Count("worker", distinct=True),
        judgments=Count("pk", filter=item & Q(set_aside__isnull=True)),
        set_aside=Count("pk", filter=item & Q(set_aside__isnull=False)),
        seconds=Sum("seconds"),
        asked=Count("pk", filter=~item),
        right=Count("pk", filter=~item & IS_RIGHT),
    )
    paid = pages.filter(state=Assignment.State.SUBMITTED, reward__gt=0)
    rewards = paid.values_list("currency").order_by("currency").annotate(Sum("reward"))
    return WorkFigures(**{**counts, "seconds": counts["seconds"] or 0.0}, rewards=dict(rewards))
