"""Measure how far judgments agree with the outcome of their items.

Items on which the rules had one answer only are left out, since that answer is the outcome. Where boxes are
drawn, the outcome is what was said about them: each box counts as a judgment. In the same way, a written
caption agrees if it was accepted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping

from django.db.models import Count, Q, QuerySet

from annotation.domain.answer_labels import label_of
from annotation.domain.answers import DRAWS_BOXES, JUDGES_BOXES, BoxJudgment, CampaignStage
from annotation.models import Box, Item, Judgment
from workflows.analysis.counts.targets import Target
from workflows.analysis.domain.same_answers import agrees
from workflows.analysis.outcomes import AT_ONCE, outcomes_of
from workflows.pipeline.models import WrittenCaption

_SEVERAL = Q(item__judged__gt=1) | Q(item__counted__isnull=False)
IDS_AT_ONCE = 1000
_JUDGED = (Box.State.ACCEPTED, Box.State.REJECTED)
_DECIDED = (WrittenCaption.State.ACCEPTED, WrittenCaption.State.REFUSED)

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
    """Return how often each of these workers agrees with the outcome in a stage, over all batches.

    Judgments that were set aside are compared as well, with what others say. Otherwise a worker would agree
    with everybody as soon as only those judgments are left that others support.
    """
    own = Judgment.objects.filter(set_aside=None, worker__in=workers, item__stage=stage)
    if stage not in DRAWS_BOXES and stage != CampaignStage.WRITING:
        # The outcome depends on the other workers' judgments on the same items, too.
        items = own.filter(_SEVERAL).values("item")
        own = Judgment.objects.filter(set_aside=None, item__in=items)
    found = _by_worker(own, stage)
    agreed, compared = Counter[int](), Counter[int]()
    for worker, same in _of_set_aside(workers, stage):
        agreed[worker] += same
        compared[worker] += 1
    sums = {
        worker: (right + agreed[worker], all_ + compared[worker])
        for worker in workers
        for right, all_ in [found.get(worker, (0, 0))]
    }
    return {worker: pair for worker, pair in sums.items() if pair[1]}


def _of_set_aside(workers: Collection[int], stage: str) -> Iterator[tuple[int, bool]]:
    """Yield (worker, whether others agree) for each judgment that was set aside and that others decided."""
    aside = Judgment.objects.filter(set_aside__isnull=False, worker__in=workers, item__stage=stage)
    if stage in DRAWS_BOXES:
        yield from _of_boxes_set_aside(dict(aside.values_list("pk", "worker_id")))
        return
    given: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for item, worker, answer in aside.values_list("item_id", "worker_id", "answer").iterator(AT_ONCE):
        given[item].append((worker, label_of(stage, answer)))
    others = Judgment.objects.filter(set_aside=None, item__in=aside.values("item"))
    for outcome in outcomes_of(others, stage=stage):
        if outcome.label is not None:
            for worker, label in given[outcome.item]:
                yield worker, agrees(stage, label, outcome.label)


def _of_boxes_set_aside(drawn: Mapping[int, int]) -> Iterator[tuple[int, bool]]:
    """Yield (worker, whether most call the box good) for each of these drawings (id -> worker).

    The boxes are withdrawn, so their state does not tell any more what was said about them.
    """
    boxes: dict[int, int] = {}
    of: dict[int, list[int]] = defaultdict(list)  # a judgment -> its boxes, as they were drawn
    for some in _some(drawn):
        rows = Box.objects.filter(judgment__in=some).order_by("judgment_id", "ordinal")
        for box, judgment in rows.values_list("pk", "judgment_id"):
            boxes[box] = drawn[judgment]
            of[judgment].append(box)
    for some in _some(boxes):
        said: dict[int, list[bool]] = defaultdict(list)
        judged = Judgment.objects.filter(item__box__in=some, item__stage__in=JUDGES_BOXES, set_aside=None)
        for box, judgment, answer in judged.values_list("item__box_id", "item__box__judgment_id", "answer"):
            if "good" in answer:
                said[box].append(answer["good"])
            else:  # a joint check says something of each box of the judgment
                for one, how in zip(of[judgment], answer["boxes"], strict=False):
                    said[one].append(how == BoxJudgment.GOOD)
        for box, good in said.items():
            yield boxes[box], 2 * sum(good) > len(good)


def _by_worker(judgments: QuerySet[Judgment], stage: str) -> Agreed:
    agreed: Counter[int] = Counter()
    compared: Counter[int] = Counter()
    if stage in DRAWS_BOXES:
        boxes = judgments.exclude(item__state=Item.State.WITHDRAWN).filter(boxes__state__in=_JUDGED)
        accepted = Count("boxes", filter=Q(boxes__state=Box.State.ACCEPTED))
        rows = boxes.order_by().values("worker").annotate(good=accepted, all=Count("boxes"))
        for row in rows:
            agreed[row["worker"]], compared[row["worker"]] = row["good"], row["all"]
    elif stage == CampaignStage.WRITING:
        decided = judgments.filter(written__state__in=_DECIDED).order_by().values("worker")
        kept = Count("pk", filter=Q(written__state=WrittenCaption.State.ACCEPTED))
        for row in decided.annotate(good=kept, all=Count("pk")):
            agreed[row["worker"]], compared[row["worker"]] = row["good"], row["all"]
    else:
        for worker, same in _compared(judgments.filter(_SEVERAL), stage):
            agreed[worker] += same
            compared[worker] += 1
    return {worker: (agreed[worker], compared[worker]) for worker in compared}


def _some(ids: Collection[int]) -> Iterator[list[int]]:
    """Yield as many of the ids at a time as one query takes."""
    listed = list(ids)
    for start in range(0, len(listed), IDS_AT_ONCE):
        yield listed[start : start + IDS_AT_ONCE]


def _compared(judgments: QuerySet[Judgment], stage: str) -> Iterator[tuple[int, bool]]:
    """Yield (worker, whether they agree with the outcome) for every vote on a decided item."""
    for item in outcomes_of(judgments, stage=stage):
        if item.label is not None and item.answers > 1:
            for worker, label in item.votes:
                yield worker, agrees(stage, label, item.label)


def mean_iou_of(target: Target, stage: str) -> float | None:
    """Return the mean IoU of boxes that several workers drew around one thing of a verification question.

    Only the newest 100,000 answers are read.
    """
    # numpy is large, so only processes that count load it.
    import numpy as np

    from workflows.analysis.domain.aggregation.box_consensus import mean_iou
    from workflows.analysis.vote_arrays import drawn_of_one

    drawn = drawn_of_one(project_id=target.project_id, stage=stage, batch_id=target.batch_id)
    boxes = [[box for _, box in given if box is not None] for given in drawn]
    return mean_iou(boxes, np.random.default_rng(0), resamples=0).value
