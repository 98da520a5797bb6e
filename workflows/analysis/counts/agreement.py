"""Measure how far judgments agree with the outcome of their items.

Items on which the rules had one answer only are left out, since that answer is the outcome. In box drawing,
the outcome of a judgment is what box quality said about its box.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from django.db.models import Count, Q, QuerySet

from annotation.domain.answers import Stage
from annotation.models import Box, Item, Judgment
from workflows.analysis.counts.targets import Target
from workflows.analysis.outcomes import outcomes_of

_SEVERAL = Q(item__judged__gt=1) | Q(item__counted__isnull=False)
_JUDGED = (Box.State.ACCEPTED, Box.State.REJECTED)

Agreed = dict[int, tuple[int, int]]
"""Worker -> (judgments that agree with their outcome, judgments that have one)."""


def agreement_of(target: Target, stage: str) -> float | None:
    """Return the share (0 to 1) of a stage's judgments that agree with the outcome; None if there is none."""
    counts = Judgment.objects.filter(set_aside=None, item__batch__in=target.batch_ids, item__stage=stage)
    agreed, compared = 0, 0
    for right, all_ in _by_worker(counts, stage).values():
        agreed, compared = agreed + right, compared + all_
    return agreed / compared if compared else None


def agreement_of_workers(workers: Collection[int], stage: str) -> Agreed:
    """Return how often each of these workers agrees with the outcome in a stage, over all batches."""
    own = Judgment.objects.filter(set_aside=None, worker__in=workers, item__stage=stage)
    if stage != Stage.DRAWING:
        # The outcome depends on the other workers' judgments on the same items, too.
        items = own.filter(_SEVERAL).values("item")
        own = Judgment.objects.filter(set_aside=None, item__in=items)
    found = _by_worker(own, stage)
    return {worker: found[worker] for worker in workers if worker in found}


def _by_worker(judgments: QuerySet[Judgment], stage: str) -> Agreed:
    agreed: Counter[int] = Counter()
    compared: Counter[int] = Counter()
    if stage == Stage.DRAWING:
        boxes = judgments.exclude(item__state=Item.State.WITHDRAWN).filter(boxes__state__in=_JUDGED)
        accepted = Count("boxes", filter=Q(boxes__state=Box.State.ACCEPTED))
        rows = boxes.order_by().values("worker").annotate(good=accepted, all=Count("boxes"))
        for row in rows:
            agreed[row["worker"]], compared[row["worker"]] = row["good"], row["all"]
    else:
        for worker, agrees in _compared(judgments.filter(_SEVERAL), stage):
            agreed[worker] += agrees
            compared[worker] += 1
    return {worker: (agreed[worker], compared[worker]) for worker in compared}


def _compared(judgments: QuerySet[Judgment], stage: str) -> Iterator[tuple[int, bool]]:
    """Yield (worker, whether they agree with the outcome) for every vote on a decided item."""
    for item in outcomes_of(judgments, stage=stage):
        if item.label is not None and item.answers > 1:
            for worker, label in item.votes:
                yield worker, agrees(stage, label, item.label)


def agrees(stage: str, vote: int, outcome: int) -> bool:
    """Return whether a vote agrees with the outcome.

    Box requirement asks whether a box is needed, so two reasons for no box agree with each other.
    """
    return (vote == 0) == (outcome == 0) if stage == Stage.REQUIREMENT else vote == outcome


def mean_iou_of(target: Target) -> float | None:
    """Return the mean IoU of boxes that several workers drew for one verification question.

    Only the newest 100,000 answers are read.
    """
    # numpy is large, so only processes that count load it.
    import numpy as np

    from workflows.analysis.domain.aggregation.box_consensus import mean_iou
    from workflows.analysis.vote_arrays import drawn_by_question

    drawn = drawn_by_question(project_id=target.project_id, batch_id=target.batch_id)
    boxes = [[box for _, box in given if box is not None] for given in drawn.values()]
    return mean_iou(boxes, np.random.default_rng(0), resamples=0).value
