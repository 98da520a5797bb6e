"""Batches with a model that judges, and its answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.models import Batch, Item, JudgeRecord, ModelAnswer, ModelVersion, Project
from annotation.selectors import boxes_to_check
from tests.entities_fast import said
from tests.factories import FAST, NOW, make_batch, make_images, make_project
from workflows.judges.answers import Outcome, Reply, take_model_answers
from workflows.judges.domain.gate import NOTHING_KNOWN, Record
from workflows.judges.records import newest_record
from workflows.judges.versions import add_model
from workflows.pipeline.advance import advance_pending

JUDGE = "judge/1"
SURE = 1.99
"""The log odds of a judge as good as those of table 3: more than that no model weighs."""


def make_judge(project: Project, named: str = JUDGE, **about: str) -> ModelVersion:
    name, version = named.split("/")
    return add_model(project=project, name=name, version=version, now=NOW, **about)[0]


def make_judged(
    captions: Sequence[Sequence[str]] = (("man",),), *, images: int = 1, **settings: Any
) -> Batch:
    """Make a running batch of entities-fast whose boxes a model judges first."""
    project = make_project()
    make_images(project, captions, images)
    make_judge(project)
    return make_batch(project, protocol=FAST, judge={"model": JUDGE, **settings.pop("judge", {})}, **settings)


def judge_of(batch: Batch) -> ModelVersion:
    return ModelVersion.objects.get(project=batch.project, name="judge")


def held() -> list[Item]:
    """Return the items that wait for a model."""
    return list(Item.objects.filter(state="open", needed=0, unread=False).order_by("pk"))


def reply_to(item: Item, *boxes: str, missing: bool = False) -> Reply:
    """Return an answer to the item; every new box is good unless `boxes` say otherwise."""
    number = len(boxes_to_check([item.pk])[item.pk])
    return Reply(f"i{item.pk}", said(*(boxes or ["good"] * number), missing=missing))


def judge_all(batch: Batch, *boxes: str, missing: bool = False) -> list[Outcome]:
    """Let the batch's model answer everything that waits for it, and read it."""
    replies = [reply_to(item, *boxes, missing=missing) for item in held()]
    outcomes = take_model_answers(model=judge_of(batch), replies=replies, now=NOW)
    advance_pending(now=NOW)
    return outcomes


def believe(model: ModelVersion, record: Record) -> JudgeRecord:
    """Write down that the model is as good as this record says."""
    content = {**record.to_json(), "seen_at": "", "since_at": ""}
    return JudgeRecord.objects.create(
        model=model, stage="check", content=content, answers=500, created_at=NOW
    )


def count_for(item: Item, *boxes: float, complete: float) -> None:
    """Store an answer of the model with these weights, and read it."""
    model = ModelVersion.objects.get(project=item.batch.project_id, name="judge")
    record = newest_record(model) or believe(model, NOTHING_KNOWN)
    ModelAnswer.objects.create(
        model=model,
        item=item,
        answer=said(*("good" if weight > 0 else "wrong" for weight in boxes), missing=complete < 0),
        weights={"boxes": list(boxes), "complete": complete},
        record=record,
        created_at=NOW,
    )
    Item.objects.filter(pk=item.pk).update(unread=True)
    advance_pending(now=NOW)
