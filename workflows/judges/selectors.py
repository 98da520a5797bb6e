"""Reads for models that judge: the questions that wait for an answer of theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet

from annotation.domain.answers import JointStage
from annotation.domain.suggested import is_copied
from annotation.models import Batch, Item, ModelAnswer, ModelVersion, SuggestionSet, VerificationQuestion
from workflows.assignments.page_view import items_shown, questions_shown
from workflows.batch_settings.selectors import settings_of
from workflows.judges.domain.kinds import PEOPLE
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


def batches_judged_by(model: ModelVersion) -> list[Batch]:
    """Return the running batches whose judge the model is, in order of their ids."""
    running = Batch.objects.filter(project=model.project_id, state=Batch.State.RUNNING).order_by("pk")
    return [batch for batch in running if settings_of(batch).judge.model == str(model)]


def held_items(batches: Sequence[int]) -> QuerySet[Item]:
    """Return the items of these batches that wait for their judge, and that it has not answered."""
    return Item.objects.filter(batch__in=batches, state=Item.State.OPEN, needed=0, stage=JUDGED, unread=False)


def kinds_of_boxes(items: Collection[int]) -> dict[int, tuple[str, ...]]:
    """Return for each of these items where each of its new boxes came from, in drawn order.

    That is the family of the model whose suggestion it is, unmoved, and PEOPLE for all others. Items without
    new boxes are left out. A query, and two more for each batch with unmoved suggestions.
    """
    rows = Item.objects.filter(pk__in=items, box__judgment__boxes__chain=F("chain"))
    columns = ("pk", "batch_id", "box__judgment__copied", "box__judgment__boxes__ordinal")
    found: dict[int, list[str]] = defaultdict(list)
    families: dict[int, str] = {}
    for pk, batch, copied, ordinal in rows.order_by("pk", columns[-1]).values_list(*columns):
        unmoved = is_copied(copied, ordinal)
        if unmoved and batch not in families:
            families[batch] = _family(batch)
        found[pk].append(families[batch] if unmoved else PEOPLE)
    return {pk: tuple(kinds) for pk, kinds in found.items()}


def _family(batch_id: int) -> str:
    """Return the family of the model whose suggestions the batch shows."""
    batch = Batch.objects.get(pk=batch_id)
    number = settings_of(batch).suggestions.set or 0
    sets = SuggestionSet.objects.filter(project=batch.project_id, number=number)
    return str(sets.values_list("model__family", flat=True).get())


def waiting_known(model: ModelVersion, limit: int) -> list[int]:
    """Return at most `limit` questions (ids) with a known answer that this version was never asked."""
    answered = ModelAnswer.objects.filter(model=model, question=OuterRef("pk"))
    known = VerificationQuestion.objects.filter(
        ~Exists(answered),
        project=model.project_id,
        stage=JUDGED,
        role=VerificationQuestion.Role.GOLD,
        state=VerificationQuestion.State.ACTIVE,
    )
    return list(known.order_by("pk").values_list("pk", flat=True)[:limit])


def shown_to_model(
    model: ModelVersion, *, questions: Sequence[int], items: Sequence[int], now: datetime
) -> list[Waiting]:
    """Return these questions with a known answer, and then these items, as workers see them."""
    viewer = _MODEL_VIEWERS + model.pk
    shown = questions_shown(JUDGED, questions, worker_id=viewer, now=now) if questions else []
    shown += items_shown(JUDGED, items, worker_id=viewer, now=now) if items else []
    keys = [*(Key(question=pk) for pk in questions), *(Key(item=pk) for pk in items)]
    return [Waiting(str(key), one) for key, one in zip(keys, shown, strict=True)]
