"""A crowd that brings chains to the stage that a test is about: in the database, without browsers."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from django.db import transaction
from django.db.models import F

from annotation.domain.answers import JointStage, Stage
from annotation.models import Assignment, Chain, Item
from tests.e2e.scenes import Scene
from tests.factories import make_worker
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.pipeline.advance import advance_pending

PATIENCE_SECONDS = 30
_numbers = count(1)


def bring(images: Mapping[int, Scene], stage: str) -> list[Item]:
    """Answer about these images (id -> scene) until the question of each is open in `stage`.

    Return these questions. Their batch was launched and opened. Running services may read the answers before
    this does.
    """
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        opened = list(Item.objects.filter(work__image__in=images, state=Item.State.OPEN).order_by("pk"))
        todo = [item for item in opened if not _arrived(item, images[item.work.image_id], stage)]
        if not todo and len(opened) == len(images):
            return opened
        for item in todo:
            if item.judged + item.leased < item.needed:
                judge(item, _passing(item, images[item.work.image_id]))
        advance_pending(now=datetime.now(UTC))
    raise AssertionError(f"not every chain came to {stage} within {PATIENCE_SECONDS} seconds")


def judge(item: Item, answer: Mapping[str, Any]) -> None:
    """Let a new worker answer this one item. A claimed page would also have other open items."""
    now = datetime.now(UTC)
    worker = make_worker(item.batch.project, f"crowd-{next(_numbers)}")
    with transaction.atomic():
        Item.objects.filter(pk=item.pk).update(leased=F("leased") + 1)
        assignment = Assignment.objects.create(
            worker=worker,
            batch=item.batch,
            stage=item.stage,
            items=[item.pk],
            created_at=now,
            expires_at=now + timedelta(minutes=10),
        )
    submit(worker_id=worker.pk, assignment_id=assignment.pk, replies=[Reply(1, dict(answer))], now=now)


def _arrived(item: Item, scene: Scene, stage: str) -> bool:
    if item.stage != stage:
        return False
    if stage == JointStage.CHECK:  # the question is about all boxes that were drawn
        return True
    if stage == Stage.QUALITY:  # the question is about the last box that was drawn
        return _accepted(item) == len(scene.drawn) - 1
    return item.chain is None or _accepted(item) == len(scene.drawn)


def _passing(item: Item, scene: Scene) -> dict[str, Any]:
    """Return the answer that leads on: yes to everything, and another box as long as the scene has one."""
    match item.stage:
        case Stage.LINK | Stage.VERIFICATION:
            return {"same": True}
        case Stage.REQUIREMENT:
            return {"requirement": "box"}
        case JointStage.BOXES:
            return {"boxes": [{"box": list(box)} for box in scene.drawn]}
        case JointStage.CHECK:
            left, top, right, bottom = scene.targets[-1]
            middle = [(left + right) // 2, (top + bottom) // 2]
            return {"boxes": ["good"] * len(scene.drawn), "missing": True, "point": middle}
        case Stage.DRAWING:
            return {"box": list(scene.drawn[_accepted(item)])}
        case Stage.QUALITY:
            return {"good": True}
    return {"complete": False}


def _accepted(item: Item) -> int:
    assert item.chain_id is not None
    return Chain.objects.get(pk=item.chain_id).boxes_accepted
