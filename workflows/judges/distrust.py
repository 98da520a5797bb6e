"""Take a model's answers back: none of them counts any more, and workers are asked what they had settled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db.models import Q, QuerySet

from annotation.models import Decision, ImageWork, Item, ModelAnswer, ModelVersion
from annotation.transactions import write_transaction
from workflows.pipeline.replay.replay import request_replay

WORKS_AT_ONCE = 200
EVERYTHING = Q()


def distrust_model(
    *,
    model: ModelVersion,
    by: str,
    note: str,
    now: datetime,
    progress: Callable[[int], object] = lambda answers: None,
    some: Q = EVERYTHING,
) -> int:
    """Set all answers of the model aside that still count, or `some`. Return how many of them had a weight.

    `advance` then folds their images again. `progress` is called with the number of answers after each
    transaction. If a call is stopped halfway, the next one goes on; each writes a decision of its own.
    """
    weighed = 0
    counting = ModelAnswer.objects.filter(some, model=model, set_aside=None)
    decision: Decision | None = None
    while works := _some_works(counting):
        with write_transaction():
            rows = ImageWork.objects.filter(pk__in=works).order_by("pk").select_for_update(no_key=True)
            works = list(rows.values_list("pk", flat=True))
            decision = decision or _decision(model, by, note, now)
            answers = counting.filter(item__work__in=works)
            items = list(answers.filter(weights__isnull=False).values_list("item_id", flat=True))
            number = answers.update(set_aside=decision)
            if items:
                request_replay(judgments=[], works=_works_of(items))
                Item.objects.filter(pk__in=items).update(unread=True)
        weighed += len(items)
        progress(number)
    if counting.exists():  # about known images alone by now
        with write_transaction():
            counting.update(set_aside=decision or _decision(model, by, note, now))
    return weighed


def _some_works(counting: QuerySet[ModelAnswer]) -> list[int]:
    works = ImageWork.objects.filter(items__model_answers__in=counting)
    return list(works.order_by("pk").values_list("pk", flat=True).distinct()[:WORKS_AT_ONCE])


def _works_of(items: Sequence[int]) -> list[int]:
    return list(Item.objects.filter(pk__in=items).values_list("work_id", flat=True).distinct())


def _decision(model: ModelVersion, by: str, note: str, now: datetime) -> Decision:
    return Decision.objects.create(
        project=model.project,
        kind=Decision.Kind.DISTRUST,
        by=by,
        note=note,
        content={"model": str(model)},
        created_at=now,
    )
