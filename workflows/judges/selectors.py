"""Reads for models that judge: the questions that wait for an answer of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.domain.answers import JointStage
from annotation.models import Batch, Item, ModelAnswer, ModelVersion, VerificationQuestion
from workflows.assignments.page_view import items_shown, questions_shown
from workflows.batch_settings.selectors import settings_of
from workflows.judges.domain.question_keys import Key

JUDGED = JointStage.CHECK
"""The stage in which models judge."""
_MODEL_VIEWERS = 2**63
"""Models see photographs under names of their own: ids of workers are smaller."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question that a model has not answered, as workers see it."""

    key: str
    question: dict[str, Any]


def batches_judged_by(model: ModelVersion) -> list[int]:
    """Return the running batches (ids) whose judge the model is."""
    running = Batch.objects.filter(project=model.project_id, state=Batch.State.RUNNING).order_by("pk")
    return [batch.pk for batch in running if settings_of(batch).judge.model == str(model)]


def held_items(batches: Sequence[int]) -> QuerySet[Item]:
    """Return the items of these batches that wait for their judge, and that it has not answered."""
    return Item.objects.filter(batch__in=batches, state=Item.State.OPEN, needed=0, stage=JUDGED, unread=False)


def waiting_questions(*, model: ModelVersion, limit: int, now: datetime) -> list[Waiting]:
    """Return at most `limit` questions that wait for the model, the oldest first.

    Questions with a known answer are among them: they show how good the model is. They come first, and each
    version of a model is asked each of them once. A handful of queries.
    """
    batches = batches_judged_by(model)
    if not batches:
        return []
    answered = ModelAnswer.objects.filter(model=model, question=OuterRef("pk"))
    known = VerificationQuestion.objects.filter(
        ~Exists(answered),
        project=model.project_id,
        stage=JUDGED,
        role=VerificationQuestion.Role.GOLD,
        state=VerificationQuestion.State.ACTIVE,
    )
    questions = list(known.order_by("pk").values_list("pk", flat=True)[:limit])
    items = list(held_items(batches).order_by("pk").values_list("pk", flat=True)[: limit - len(questions)])
    viewer = _MODEL_VIEWERS + model.pk
    shown = questions_shown(JUDGED, questions, worker_id=viewer, now=now) if questions else []
    shown += items_shown(JUDGED, items, worker_id=viewer, now=now) if items else []
    keys = [*(Key(question=pk) for pk in questions), *(Key(item=pk) for pk in items)]
    return [Waiting(str(key), one) for key, one in zip(keys, shown, strict=True)]
