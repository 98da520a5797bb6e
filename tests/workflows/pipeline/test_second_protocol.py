"""A protocol of another shape also fits: an answer has all boxes of a chain, and they are judged together.

It is not part of the product. It shows that only a Protocol names stages or rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import pytest

from annotation.domain.answers import Answer, DrawingAnswer, Stage
from annotation.domain.chain_states import DONE, NONVISUAL
from annotation.domain.geometry import Box as Rectangle
from annotation.domain.mentions import Mention
from annotation.models import Batch, Box, Chain, ImageWork, Item, Judgment
from tests.factories import NOW, answer_page, claim_maybe, make_running, make_worker
from workflows.batch_settings.domain import settings
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.domain import team
from workflows.pipeline import box_stages, link_stage
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.domain import verdicts
from workflows.pipeline.domain.moves import Move, Protocol
from workflows.pipeline.domain.verdicts import Verdict
from workflows.pipeline.replay import verify_state
from workflows.pipeline.replay.verify_state import verify

pytestmark = pytest.mark.django_db

MODULES: tuple[ModuleType, ...] = (box_stages, link_stage, verify_state, team)


def two_boxes(answers: Sequence[Answer]) -> Verdict | None:
    for answer in answers:
        if isinstance(answer, DrawingAnswer):
            box = answer.box
            beside = box and Rectangle(box.left + 100, box.top, box.right + 100, box.bottom)
            return Verdict("drawn", boxes=(box, beside)) if box and beside else Verdict("nothing")
    return None


def straight_to_drawing(mentions: Sequence[Mention], settings: BatchSettings, *, verified: bool) -> str:
    return Stage.DRAWING


TOGETHER = Protocol(
    "together",
    (
        Move("all-drawn", Stage.DRAWING, "drawn", Stage.COVERAGE),
        Move("none-drawn", Stage.DRAWING, "nothing", NONVISUAL),
        Move("all-good", Stage.COVERAGE, "complete", DONE),
        Move("all-again", Stage.COVERAGE, "incomplete", Stage.DRAWING),
    ),
    {Stage.DRAWING: two_boxes, Stage.COVERAGE: verdicts.decide_coverage},
    opening=straight_to_drawing,
    box_states={"all-good": "accepted", "all-again": "rejected"},
    counts_next=frozenset(),
    not_by_author=frozenset({Stage.COVERAGE}),
)


@pytest.fixture
def batch(monkeypatch: pytest.MonkeyPatch) -> Batch:
    for module in MODULES:
        monkeypatch.setattr(module, "PROTOCOLS", {"together": TOGETHER})
    monkeypatch.setattr(settings, "PROTOCOL_NAMES", ("together",))
    return make_running([["dog"]], protocol="together")


def answer(batch: Batch, **wrong: object) -> None:
    """Let one more worker answer a page."""
    answer_page(make_worker(batch.project))
    advance_pending(now=NOW)


def test_one_answer_brings_several_boxes_which_are_judged_together(batch: Batch) -> None:
    answer(batch)
    drawing = Judgment.objects.get(item__stage="drawing")
    assert sorted(drawing.boxes.values_list("ordinal", "state")) == [(0, "proposed"), (1, "proposed")]
    for _ in range(2):
        answer(batch)
    assert set(Box.objects.values_list("state", flat=True)) == {"accepted"}
    assert Chain.objects.get().state == "done"
    assert ImageWork.objects.get().state == "done"


def test_the_stages_it_names_are_kept_from_the_author(batch: Batch) -> None:
    author = make_worker(batch.project)
    answer_page(author)
    advance_pending(now=NOW)
    assert Item.objects.get(stage="coverage").author == author
    assert claim_maybe(author) is None
    assert claim_maybe(make_worker(batch.project)) is not None


@pytest.mark.usefixtures("unguarded")
def test_its_state_is_a_fold_over_judgments_too(batch: Batch) -> None:
    answer(batch)
    Judgment.objects.update(seconds=1.0)
    lines = [line for line in verify([ImageWork.objects.get().pk]) if "author" not in line]
    assert lines == []
