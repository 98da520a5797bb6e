from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.answers import Stage
from annotation.models import Batch, Box, Case, Chain, ImageWork, Item, Judgment, Project
from tests.factories import (
    LATER,
    NOW,
    Answering,
    answer_page,
    claim_maybe,
    claim_page,
    make_at_stage,
    make_batch,
    make_image,
    make_project,
    make_running,
    make_worker,
    replies,
    submit_page,
    willing,
)
from tests.workflows.pipeline.invariants import check_promises, check_rules, is_over
from workflows.assignments.submit import submit
from workflows.pipeline import advance
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.models import Transition
from workflows.review.set_aside import set_aside_worker

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

Row = tuple[object, ...]
MORE = {"complete": False}


def everything(project: Project) -> list[list[Row]]:
    """Return all rows that the rules decide, for comparison."""
    return [
        list(Item.objects.filter(batch__project=project).order_by("pk").values_list()),
        list(Chain.objects.filter(work__batch__project=project).order_by("pk").values_list()),
        list(Box.objects.filter(chain__work__batch__project=project).order_by("pk").values_list()),
        list(ImageWork.objects.filter(batch__project=project).order_by("pk").values_list()),
        list(Transition.objects.filter(work__batch__project=project).order_by("pk").values_list()),
    ]


def answer_open(batch: Batch, answering: Answering = willing) -> None:
    """Let a new worker answer what is open, then advance."""
    answer_page(make_worker(batch.project), answering=answering)
    advance_pending(now=NOW)


def test_advancing_twice_changes_nothing() -> None:
    batch = make_running([["man", "dog"], ["man", "park"]], images=2)
    for _ in range(6):
        answer_page(make_worker(batch.project))
        assert advance_pending(now=NOW) > 0
        before = everything(batch.project)
        assert advance_pending(now=LATER) == 0
        assert everything(batch.project) == before


def test_one_image_goes_all_the_way() -> None:
    batch = make_running([["man"], ["man"]])
    for _ in range(6):  # link, verification, drawing, quality and coverage, each twice
        answer_open(batch)
    chain = Chain.objects.get()
    assert (chain.state, chain.boxes_accepted) == ("done", 1)
    assert ImageWork.objects.get().state == ImageWork.State.DONE
    assert Batch.objects.get().state == Batch.State.FINISHED
    assert list(Transition.objects.order_by("pk").values_list("source", "target", "rule")) == [
        ("queued", "linking", "opened"),
        ("linking", "boxing", "links-settled"),
        ("", "verification", "linked"),
        ("verification", "drawing", "kept"),
        ("drawing", "quality", "box-drawn"),
        ("quality", "coverage", "box-accepted"),
        ("coverage", "done", "complete"),
        ("boxing", "done", "chains-done"),
    ]
    check_promises(batch.project)
    check_rules(batch.project)


def test_a_broken_chain_falls_into_subsets_of_the_same_head_noun() -> None:
    """docs/protocol.md, stage 2."""
    batch = make_running([["man"], ["man"], ["woman"]], strategy="exhaustive")
    answer_open(batch)
    answer_open(batch, lambda *_: {"same": False})
    broken, *subsets = Chain.objects.order_by("pk")
    assert broken.state == "split" and len(broken.members) == 3
    assert [len(chain.members) for chain in subsets] == [2, 1]
    assert {chain.state for chain in subsets} == {"drawing"}, "subsets count as verified"
    check_rules(batch.project)


def test_a_rejected_box_is_kept_in_history() -> None:
    """docs/protocol.md, stage 5."""
    batch = make_at_stage("quality")
    answer_open(batch, lambda *_: {"good": False})
    chain = Chain.objects.get()
    assert (chain.state, chain.boxes_rejected) == ("drawing", 1)
    assert Box.objects.get().state == Box.State.REJECTED
    check_rules(batch.project)


def test_drawing_without_a_box_counts_as_a_judgment_at_requirement() -> None:
    """docs/protocol.md, stage 4: back to requirement, with a "no box needed" judgment counted there."""
    batch = make_at_stage("drawing")
    answer_open(batch, lambda *_: {"box": None})
    item = Item.objects.get(stage="requirement")
    assert item.counted == Judgment.objects.latest("pk") and item.needed == 1
    answer_open(batch, lambda *_: {"requirement": "scene"})
    chain = Chain.objects.get()
    assert (chain.state, chain.flag) == ("nonvisual", "scene"), "two against a box, one with a reason"
    check_rules(batch.project)


def test_a_cycling_chain_goes_to_review_and_asks_nothing_more() -> None:
    batch = make_at_stage("quality")
    for _ in range(5):
        answer_open(batch, lambda *_: {"good": False})
        if not is_over(batch.project):
            answer_open(batch)
    chain = Chain.objects.get()
    assert (chain.state, chain.reason) == ("review", "rejection-cycle")
    assert is_over(batch.project)
    assert Batch.objects.get().state == Batch.State.RUNNING, "a chain in review is not finished"
    check_rules(batch.project)


def test_a_violated_triangle_is_settled_by_others() -> None:
    batch = make_running([["man"], ["man"], ["man"]], strategy="exhaustive_plus", items_a_page={"link": 1})
    worker = make_worker(batch.project)
    said = iter([True, True, False])
    for _ in range(3):
        answer_page(worker, answering=lambda *_: {"same": next(said)})
    advance_pending(now=NOW)
    assert Item.objects.filter(settling=True, needed=2, state="open").count() == 3
    assert claim_maybe(worker) is None, "the same worker does not settle it"
    for _ in range(3):
        answer_page(make_worker(batch.project))
    advance_pending(now=NOW)
    assert Item.objects.filter(needed=3, state="open").count() == 1, "one of the three differs"
    answer_open(batch)
    assert [len(chain.members) for chain in Chain.objects.all()] == [3]
    check_rules(batch.project)


def _contradict(_stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
    """Say that the mentions of the first and the third caption differ, and that all others are the same."""
    return {"same": {caption["index"] for caption in question["captions"]} != {0, 2}}


@pytest.mark.parametrize(("settle", "cases"), [("captions", 0), ("triangles", 0), ("cycles", 1)])
def test_what_settling_leaves_a_contradiction_opens_a_case(settle: str, cases: int) -> None:
    """docs/protocol.md, stage 1: what `settle: cycles` cannot settle waits for a researcher.

    Otherwise the worker who verifies the chain is asked first.
    """
    batch = make_running([["man"], ["man"], ["man"]], strategy="exhaustive_plus", settle=settle)
    for _ in range(2):
        answer_open(batch, _contradict)
    chain = Chain.objects.get()
    assert chain.state == "verification", "the work goes on meanwhile"
    found = Case.objects.filter(reason=Case.Reason.CONTRADICTION, chain=chain)
    assert found.count() == cases
    assert [case.detail for case in found] == cases * [
        {"different_or_of_one_caption": ["“a man” and “a man”"]}
    ]
    check_rules(batch.project)


def _one_thing(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
    return {"same": True} if stage in (Stage.LINK, Stage.VERIFICATION) else willing(stage, question)


def _cases() -> list[tuple[int, list[str]]]:
    found = Case.objects.filter(reason=Case.Reason.CONTRADICTION).order_by("pk")
    rows = found.values_list("chain__generation", "detail")
    return [(generation, detail["different_or_of_one_caption"]) for generation, detail in rows]


@pytest.mark.parametrize("strategy", ["greedy", "exhaustive_plus", "greedy_plus"])
def test_two_mentions_of_one_caption_in_one_chain_open_a_case(strategy: str) -> None:
    """Section 3.1.1: they are not coreferent. If verification keeps the chain, a researcher decides."""
    batch = make_running([["man"], ["man", "woman"]], strategy=strategy)
    while not Chain.objects.exists():
        answer_open(batch, _one_thing)
    assert [len(chain.members) for chain in Chain.objects.all()] == [3]
    assert _cases() == [], "the worker who verifies it is asked first"
    answer_open(batch, _one_thing)
    assert _cases() == [(0, ["“a man” and “a woman”"])]
    check_rules(batch.project)


def test_without_verification_the_case_is_there_from_the_start() -> None:
    batch = make_running([["man"], ["man", "woman"]], protocol="entities-fast", strategy="greedy")
    answer_open(batch, _one_thing)
    assert _cases() == [(0, ["“a man” and “a woman”"])]
    check_rules(batch.project)


def test_a_part_of_a_broken_chain_with_two_mentions_of_one_caption_opens_a_case() -> None:
    """Section 3.1.2 splits by head noun, so that both *men* of a caption stay together."""
    batch = make_running([["man"], ["man", "man"]], strategy="greedy")
    answer_open(batch, _one_thing)
    answer_open(batch, lambda *_: {"same": False})
    assert _cases() == [(1, ["“a man” and “a man”"])]
    check_rules(batch.project)


def test_judgments_of_box_requirement_add_up_step_by_step_as_in_a_replay() -> None:
    """Section 3.2.2: *no box needed* accrues to what workers said at box requirement before."""
    batch = make_running([["dog"]])
    for stage, answer in (
        (Stage.REQUIREMENT, {"requirement": "box"}),
        (Stage.DRAWING, {"box": None}),
        (Stage.REQUIREMENT, {"requirement": "box"}),
    ):
        assert Item.objects.get(state="open").stage == stage
        answer_page(make_worker(batch.project), answering=lambda *_, said=answer: said)
        advance_pending(now=NOW)
    assert Chain.objects.get().state == Stage.DRAWING, "two of three say box"
    check_rules(batch.project)


def test_nobody_votes_twice_where_votes_add_up() -> None:
    """A chain that came back to box requirement asks those who have not said there what it needs."""
    batch = make_running([["dog"]])
    answer_page(make_worker(batch.project), answering=lambda *_: {"requirement": "box"})
    advance_pending(now=NOW)
    drawer = make_worker(batch.project)
    answer_page(drawer, answering=lambda *_: {"box": None})
    advance_pending(now=NOW)
    assert Item.objects.get(state="open").stage == Stage.REQUIREMENT
    voted = Judgment.objects.get(item__stage="requirement").worker
    assert claim_maybe(voted) is None
    assert claim_maybe(drawer) is None
    assert claim_maybe(make_worker(batch.project)) is not None


def test_a_replayed_image_opens_the_same_case() -> None:
    batch = make_running([["man"], ["man"], ["man"]], strategy="exhaustive_plus", settle="cycles")
    first = make_worker(batch.project)
    answer_page(first)
    advance_pending(now=NOW)
    assert set_aside_worker(worker_id=first.pk, stage="link", by="somebody", note="", now=NOW)
    for _ in range(3):
        answer_open(batch, _contradict)
    assert (
        Case.objects.get(reason=Case.Reason.CONTRADICTION, closed_at=None).chain
        == Chain.objects.exclude(state="withdrawn").get()
    )
    check_rules(batch.project)


def test_images_behind_locked_ones_are_advanced_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = make_running([["man"], ["man"]], images=4)
    answer_page(make_worker(batch.project))
    works = list(ImageWork.objects.order_by("pk").values_list("pk", flat=True))
    lock = advance._lock

    def others_hold_the_first(candidates: Collection[int]) -> dict[int, ImageWork]:
        return lock([pk for pk in candidates if pk != works[0]])

    monkeypatch.setattr(advance, "ITEMS_AT_ONCE", 1)
    monkeypatch.setattr(advance, "_lock", others_hold_the_first)
    assert advance_pending(now=NOW) == 3
    assert set(Item.objects.filter(unread=True).values_list("work_id", flat=True)) == {works[0]}


def test_judgments_for_a_batch_that_was_paused_or_cancelled_are_read_all_the_same() -> None:
    batch = make_running([["man"], ["man"]])
    page = claim_page(make_worker(batch.project))
    Batch.objects.update(state=Batch.State.CANCELLED)
    submit_page(page)
    assert advance_pending(now=NOW) == 1
    check_rules(batch.project)


def test_an_image_that_cannot_be_advanced_does_not_hold_up_the_others() -> None:
    batch = make_at_stage("verification", images=5)
    broken = Chain.objects.order_by("pk")[2]
    answer_page(make_worker(batch.project))
    Chain.objects.filter(pk=broken.pk).update(members=[10**9])
    for _ in range(2):
        with pytest.raises(ExceptionGroup, match=f"cannot be advanced: .{broken.work_id}.") as caught:
            advance_pending(now=NOW)
        assert len(caught.value.exceptions) == 1
        assert list(Item.objects.filter(unread=True).values_list("work_id", flat=True)) == [broken.work_id]
    assert Chain.objects.filter(state="drawing").count() == 4
    Chain.objects.filter(pk=broken.pk).update(members=broken.members)
    assert advance_pending(now=NOW) == 1
    check_rules(batch.project)


def test_a_database_that_fails_is_not_taken_for_a_broken_image(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise OperationalError("server closed the connection")

    batch = make_running([["man"], ["man"]])
    answer_page(make_worker(batch.project))
    monkeypatch.setattr("workflows.pipeline.change_set.Changes.write", fail)
    with pytest.raises(OperationalError):
        advance_pending(now=NOW)


def count(stage: str, images: int) -> dict[str, int]:
    """Count the SQL statements for one page of so many items, with the test's savepoints."""
    batch = make_at_stage(stage, images=images, items_a_page=dict.fromkeys(Stage, images))
    worker = make_worker(batch.project)
    numbers = {}
    with CaptureQueriesContext(connection) as captured:
        page = claim_page(worker, stage=stage)
    numbers["claim"] = len(captured)
    with CaptureQueriesContext(connection) as captured:
        answers = replies(page)
    numbers["show"] = len(captured)
    with CaptureQueriesContext(connection) as captured:
        receipt = submit(worker_id=worker.pk, assignment_id=page.pk, replies=answers, now=NOW)
    numbers["submit"] = len(captured)
    assert receipt.accepted == images
    with CaptureQueriesContext(connection) as captured:
        assert advance_pending(now=NOW) == images
    numbers["advance"] = len(captured)
    return numbers


MAX_STATEMENTS = {
    "link": {"claim": 8, "show": 4, "submit": 8, "advance": 16},
    "verification": {"claim": 8, "show": 4, "submit": 8, "advance": 14},
    "requirement": {"claim": 8, "show": 4, "submit": 8, "advance": 14},
    "drawing": {"claim": 8, "show": 5, "submit": 10, "advance": 15},
    "quality": {"claim": 8, "show": 5, "submit": 8, "advance": 18},
    "coverage": {"claim": 8, "show": 5, "submit": 8, "advance": 12},
}
"""The most statements for a page. With more, it is slower."""


@pytest.mark.parametrize("stage", MAX_STATEMENTS)
def test_a_page_costs_few_statements_and_no_more_for_more_items(stage: str) -> None:
    small, large = count(stage, 2), count(stage, 20)
    assert small == large
    over = {step: n for step, n in large.items() if n > MAX_STATEMENTS[stage][step]}
    assert not over, f"{stage}: {over}"


def test_an_image_whose_chains_are_all_decided_is_done() -> None:
    project = make_project()
    make_image(project, [["dog"], ["park"]])
    batch = make_batch(project)
    for _ in range(2):
        answer_open(batch, lambda *_: {"requirement": "nobox"})
    assert ImageWork.objects.get().state == ImageWork.State.DONE
    assert set(Chain.objects.values_list("state", "flag")) == {("nonvisual", "nobndbox")}


def test_an_item_remembers_the_boxes_that_were_accepted_when_it_was_opened() -> None:
    batch = make_at_stage("drawing")
    lefts = iter((10, 30, 50))

    def answering(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        if stage == Stage.DRAWING:
            return {"box": [next(lefts), 20, 110, 220]}
        # The second box is rejected, and coverage needs another one.
        return {"good": bool(question["boxes"] == [] or len(boxes) == 3)} if stage == Stage.QUALITY else MORE

    boxes: list[int] = []
    for _ in range(8):
        answer_page(make_worker(batch.project), answering=answering)
        advance_pending(now=NOW)
        boxes = list(Box.objects.order_by("pk").values_list("pk", flat=True))
    shown = Item.objects.filter(stage__in=("drawing", "quality", "coverage")).order_by("visit")
    first, _, third = boxes
    assert list(shown.values_list("stage", "shown")) == [
        ("drawing", []),
        ("quality", []),
        ("coverage", [first]),
        ("drawing", [first]),
        ("quality", [first]),
        ("drawing", [first]),
        ("quality", [first]),
        ("coverage", [first, third]),
        ("drawing", [first, third]),
    ]


def test_a_chain_that_goes_in_circles_opens_one_case() -> None:
    batch = make_running([["man"]], limits={"returns": 1})
    answer_open(batch, lambda *_: {"box": None})
    case = Case.objects.get()
    assert (case.reason, case.chain, case.detail) == (
        "cycle",
        Chain.objects.get(state="review"),
        {"rule": "requirement-cycle"},
    )
    assert case.project == batch.project
