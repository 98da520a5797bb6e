"""Tampering is also found in images that are replayed as a whole."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from annotation.domain.geometry import Box as Rectangle
from annotation.models import Batch, Box, Chain, Decision, ImageWork, Item, Judgment
from tests.factories import NOW, answer_page, make_at_stage, make_worker
from tests.made_once import made_once
from workflows.core.guards import remove_guards
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.verify_state import differences, verify
from workflows.review.decide import decide_chain, version_of
from workflows.review.set_aside import set_aside_worker

pytestmark = pytest.mark.django_db


def found() -> list[str]:
    return verify(list(ImageWork.objects.values_list("pk", flat=True)))


@made_once
def make_replayed(images: int) -> Batch:
    batch = make_at_stage("coverage", images=images)
    for chain in Chain.objects.filter(work__batch=batch):
        decide_chain(
            chain_id=chain.pk,
            by="ada",
            note="",
            now=NOW,
            state="coverage",
            boxes=[Rectangle(10, 20, 110, 220), Rectangle(300, 0, 400, 90)],
            version=version_of(chain.work),
        )
    worker = make_worker(batch.project)
    answer_page(worker, stage="coverage")
    advance_pending(now=NOW)
    for stage in ("coverage", "verification"):
        set_aside_worker(worker_id=worker.pk, stage=stage, by="ada", note="", now=NOW, unsupported_only=False)
    advance_pending(now=NOW)
    return batch


def replayed(images: int = 1) -> None:
    """Make images whose coverage is open a second time, with a box of a judgment and a box of a decision.

    After that, the test may change rows of append-only tables, which is rolled back.
    """
    make_replayed(images)
    remove_guards()


TAMPERINGS: dict[str, Callable[[], object]] = {
    "image state": lambda: ImageWork.objects.update(state="done"),
    "chain state": lambda: Chain.objects.update(state="done"),
    "chain flag": lambda: Chain.objects.update(flag="scene"),
    "chain withdrawn": lambda: Chain.objects.update(state="withdrawn"),
    "types": lambda: Chain.objects.update(types="scene"),
    "boxes counted": lambda: Chain.objects.update(boxes_accepted=1),
    "visits counted": lambda: Chain.objects.update(visits=1),
    "box moved": lambda: Box.objects.update(left=F("left") + 1),
    "box withdrawn": lambda: Box.objects.filter(judgment__isnull=True).update(state="withdrawn"),
    "item done": lambda: Item.objects.filter(state="open").update(state="done"),
    "item revived": lambda: Item.objects.filter(state="withdrawn").update(state="open", visit=99),
    "item judged": lambda: Item.objects.filter(state="open").update(judged=1, needed=2),
    "item needed": lambda: Item.objects.filter(state="open").update(needed=3),
    "item shown": lambda: Item.objects.filter(state="open").update(shown=[]),
    "item leased": lambda: Item.objects.filter(state="open").update(leased=1),
    "item's decision": lambda: Item.objects.filter(state="open").update(decision=None),
    "item settling": lambda: Item.objects.filter(stage="quality").update(settling=True),
    "author": lambda: Item.objects.filter(stage="quality").update(author=None),
    "box of an item": lambda: Item.objects.filter(stage="quality").update(box=None),
    "answer": lambda: Judgment.objects.filter(item__stage="drawing").update(answer={"box": None}),
    "judgment set aside": lambda: Judgment.objects.filter(item__stage="drawing").update(
        set_aside=Decision.objects.latest("pk")
    ),
    "judgment that counts again": lambda: Judgment.objects.update(set_aside=None),
    "decision": lambda: Decision.objects.filter(kind="chain").update(
        content={"state": "drawing", "flag": "", "boxes": []}
    ),
    "decision unreadable": lambda: Decision.objects.filter(kind="chain").update(content={}),
    "judged by the author": lambda: Judgment.objects.filter(item__stage="quality").update(
        worker=Item.objects.get(stage="quality").author
    ),
}


def test_an_honest_replay_is_clean() -> None:
    replayed()
    assert ImageWork.objects.get().replayed
    assert Judgment.objects.filter(set_aside__isnull=False).exists()
    assert found() == []


@pytest.mark.parametrize("name", TAMPERINGS)
def test_tampering_with_a_replayed_image_is_found(name: str) -> None:
    replayed()
    TAMPERINGS[name]()
    assert found()


def test_an_image_that_cannot_be_replayed_does_not_hide_the_others() -> None:
    replayed(images=2)
    first, second = ImageWork.objects.order_by("pk")
    Judgment.objects.filter(item__work=first, item__stage="drawing").update(answer={"box": "here"})
    Chain.objects.filter(work=second).update(flag="scene")
    lines = found()
    assert any(line.startswith(f"image work {first.pk}: cannot be replayed") for line in lines)
    assert any(line.startswith(f"image work {second.pk}: chain") for line in lines)


def test_the_statements_do_not_depend_on_the_number_of_replayed_images() -> None:
    counts = []
    for images in (1, 4):
        replayed(images)
        works = list(ImageWork.objects.order_by("-pk")[:images])
        with CaptureQueriesContext(connection) as captured:
            assert list(differences(works)) == []
        counts.append(len(captured))
    assert counts[0] == counts[1]
