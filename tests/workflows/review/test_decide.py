"""Researchers decide about chains, and their decisions hold."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.geometry import Box as Rectangle
from annotation.models import Batch, Box, Chain, Decision, ImageWork, Item
from tests.factories import (
    NOW,
    answer_page,
    claim_page,
    make_at_stage,
    make_running,
    make_worker,
    submit_page,
)
from tests.workflows.pipeline.invariants import check_promises, check_rules
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.review.decide import StaleDecisionError, decide_chain, version_of
from workflows.review.set_aside import set_aside_worker

pytestmark = pytest.mark.django_db

DRAWN = Rectangle(10, 20, 110, 220)
OWN = Rectangle(300, 20, 400, 220)


def decide(chain: Chain, state: str, *boxes: Rectangle, flag: str = "", version: int = -1) -> Decision:
    chain.refresh_from_db()
    return decide_chain(
        chain_id=chain.pk,
        by="ada",
        note="so",
        now=NOW,
        state=state,
        boxes=boxes,
        flag=flag,
        version=version_of(chain.work) if version < 0 else version,
    )


def go(batch: Batch, **more: Any) -> None:
    answer_page(make_worker(batch.project), **more)
    advance_pending(now=NOW)


def test_a_decided_chain_has_these_boxes_and_goes_on_from_there() -> None:
    batch = make_at_stage("coverage")
    chain = Chain.objects.get()
    drawn = Box.objects.get()
    decision = decide(chain, "coverage", DRAWN, OWN)
    chain.refresh_from_db()
    assert (chain.state, chain.boxes_accepted) == ("coverage", 2)
    kept, own = Box.objects.order_by("pk")
    assert (kept.pk, kept.state) == (drawn.pk, "accepted"), "the same rectangle is the same box"
    assert (own.decision, own.judgment, own.state, own.rectangle) == (decision, None, "accepted", OWN)
    item = Item.objects.get(state="open")
    assert (item.stage, item.shown, item.decision) == ("coverage", [kept.pk, own.pk], decision)
    assert Transition.objects.latest("pk").rule == "decided"
    check_rules(batch.project)
    go(batch)
    go(batch)
    chain.refresh_from_db()
    assert chain.state == "done"
    check_rules(batch.project)


def test_a_box_that_is_not_in_the_decision_is_withdrawn() -> None:
    batch = make_at_stage("coverage")
    decide(Chain.objects.get(), "drawing", OWN)
    assert Box.objects.get(judgment__isnull=False).state == "withdrawn"
    assert Box.objects.get(judgment__isnull=True).state == "accepted"
    check_rules(batch.project)


def test_a_chain_without_boxes_is_decided_to_be_nonvisual() -> None:
    batch = make_at_stage("drawing")
    decide(Chain.objects.get(), "nonvisual", flag="scene")
    assert ImageWork.objects.get().state == "done"
    assert Batch.objects.get(pk=batch.pk).state == "finished"
    assert Chain.objects.get().flag == "scene"
    check_rules(batch.project)


def test_what_was_asked_before_does_not_move_the_chain_any_more() -> None:
    batch = make_at_stage("coverage")
    page = claim_page(make_worker(batch.project))
    chain = Chain.objects.get()
    decide(chain, "done", DRAWN)
    submit_page(page, answering=lambda *_: {"complete": False})
    advance_pending(now=NOW)
    chain.refresh_from_db()
    assert chain.state == "done"
    check_promises(batch.project)
    check_rules(batch.project)


def test_a_decision_outlives_the_judgments_before_it() -> None:
    batch = make_at_stage("coverage")
    drawer = Box.objects.get().judgment
    assert drawer is not None
    chain = Chain.objects.get()
    decide(chain, "done", DRAWN)
    set_aside_worker(
        worker_id=drawer.worker_id, stage="drawing", by="ada", note="", now=NOW, unsupported_only=False
    )
    advance_pending(now=NOW)
    chain.refresh_from_db()
    assert (chain.state, Box.objects.get().state) == ("done", "accepted")
    check_rules(batch.project)


def test_the_last_of_several_decisions_holds() -> None:
    batch = make_at_stage("coverage")
    chain = Chain.objects.get()
    decide(chain, "review", DRAWN)
    decide(chain, "drawing", OWN)
    decide(chain, "coverage", OWN, DRAWN)
    shown = Item.objects.get(state="open").shown
    boxes = Box.objects.in_bulk(shown)
    assert [boxes[pk].rectangle for pk in shown] == [OWN, DRAWN]
    assert Box.objects.count() == 2, "a box of an earlier decision stays the same box"
    check_rules(batch.project)


def test_a_chain_that_was_sent_back_has_all_its_tries_again() -> None:
    batch = make_running([["man"]], limits={"returns": 1})
    go(batch, answering=lambda *_: {"box": None})
    chain = Chain.objects.get()
    assert chain.state == "review"
    decide(chain, "drawing")
    go(batch)
    chain.refresh_from_db()
    assert (chain.state, chain.returns) == ("quality", 0)
    check_rules(batch.project)


@pytest.mark.parametrize(
    ("state", "boxes", "flag", "field"),
    [
        ("quality", [DRAWN], "", "state"),
        ("requirement", [DRAWN], "", "state"),
        ("coverage", [], "", "state"),
        ("done", [], "", "state"),
        ("nonvisual", [DRAWN], "scene", "state"),
        ("nonvisual", [], "", "flag"),
        ("done", [DRAWN], "scene", "flag"),
        ("nowhere", [], "", "state"),
        ("done", [Rectangle(0, 0, 641, 9)], "", "boxes[0]"),
        ("done", [DRAWN, Rectangle(0, 0, 2, 9)], "", "boxes[1]"),
        ("done", [DRAWN, DRAWN], "", "boxes"),
    ],
)
def test_what_does_not_fit_is_refused(state: str, boxes: list[Rectangle], flag: str, field: str) -> None:
    make_at_stage("coverage")
    with pytest.raises(DecisionError) as error:
        decide(Chain.objects.get(), state, *boxes, flag=flag)
    assert error.value.field == field
    assert not Decision.objects.exists()


def test_a_chain_of_one_mention_has_nothing_to_verify() -> None:
    make_at_stage("requirement")
    with pytest.raises(DecisionError, match="1 mention"):
        decide(Chain.objects.get(), "verification")


def test_a_decision_about_what_has_changed_since_is_refused() -> None:
    batch = make_at_stage("drawing")
    chain = Chain.objects.get()
    version = version_of(chain.work)
    go(batch)
    with pytest.raises(StaleDecisionError):
        decide(chain, "drawing", version=version)
    assert not Decision.objects.exists()


def test_a_split_chain_is_not_decided_about() -> None:
    batch = make_at_stage("verification")
    go(batch, answering=lambda *_: {"same": False})
    with pytest.raises(DecisionError, match="took its place"):
        decide(Chain.objects.get(state="split"), "review")
    check_rules(batch.project)
