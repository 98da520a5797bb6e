"""Researchers decide about chains and whole images, and what they decide holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from annotation.domain.geometry import Box as Rectangle
from annotation.models import Batch, Box, Chain, Decision, ImageWork, Item, Mention
from tests.factories import (
    NOW,
    answer_page,
    claim_page,
    make_at_stage,
    make_batch,
    make_running,
    make_worker,
    submit_page,
    willing,
)
from tests.workflows.invariants import check_promises, check_rules
from workflows.domain.decisions import Chunk, Cut, DecisionError, NewGroup
from workflows.models import Transition
from workflows.services.advance import advance_pending
from workflows.services.batches import move
from workflows.services.deciding import StaleDecisionError, decide_chain, regroup, version_of
from workflows.services.setting_aside import set_aside_worker

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


def group(work: ImageWork, chains: Sequence[NewGroup], cuts: Sequence[Cut] = ()) -> Decision:
    return regroup(
        work_id=work.pk, by="ada", note="", now=NOW, chains=chains, cuts=cuts, version=version_of(work)
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


def spans(*words: str) -> NewGroup:
    found = Mention.objects.filter(text__in=words, superseded=False, annotatable=True)
    return NewGroup(tuple((m.caption.index, m.start, m.end) for m in found.select_related("caption")))


def finished(captions: Sequence[Sequence[str]]) -> Batch:
    """Everything answered by people who find that nothing is the same."""
    batch = make_running(captions)

    def answering(stage: str, question: Any) -> dict[str, Any]:
        return {"same": False} if stage == "link" else willing(stage, question)

    while Batch.objects.get(pk=batch.pk).state == "running":
        go(batch, answering=answering)
    return batch


def test_chains_are_joined_and_others_carry_on() -> None:
    batch = finished([["man", "dog"], ["woman"]])
    work = ImageWork.objects.get()
    kept = Chain.objects.get(first__text="a dog")
    decision = group(work, [spans("a man", "a woman"), spans("a dog")])
    kept.refresh_from_db()
    assert kept.state == "done", "a chain that keeps its mentions carries on"
    joined = Chain.objects.get(generation=2)
    assert (len(joined.members), joined.state) == (2, "drawing")
    assert Chain.objects.filter(state="withdrawn").count() == 2
    item = Item.objects.get(state="open")
    assert (item.stage, item.chain, item.decision) == ("drawing", joined, decision)
    assert Batch.objects.get().state == "running"
    check_rules(batch.project)
    while Batch.objects.get().state == "running":
        go(batch)
    check_rules(batch.project)


def test_a_second_regrouping_keeps_chains_of_the_first() -> None:
    batch = finished([["man", "dog"], ["woman"]])
    work = ImageWork.objects.get()
    group(work, [spans("a man", "a woman"), spans("a dog")])
    go(batch)
    joined = Chain.objects.get(generation=2)
    assert joined.state == "quality"
    boxed = NewGroup(spans("a dog").mentions, state="done", boxes=(OWN,))
    group(work, [spans("a man", "a woman"), boxed])
    joined.refresh_from_db()
    assert joined.state == "quality"
    dog = Chain.objects.get(generation=4)
    assert (dog.state, dog.boxes.get().rectangle) == ("done", OWN)
    check_rules(batch.project)


def test_links_are_settled_by_a_regrouping() -> None:
    batch = make_running([["man"], ["man"], ["man"]])
    page = claim_page(make_worker(batch.project))
    work = ImageWork.objects.get()
    assert work.state == "linking"
    group(work, [spans("a man")])
    assert set(Item.objects.filter(stage="link").values_list("state", flat=True)) == {"withdrawn"}
    assert Chain.objects.get().state == "drawing", "what a researcher put together is not verified"
    submit_page(page)
    advance_pending(now=NOW)
    check_promises(batch.project)
    check_rules(batch.project)


def test_captions_are_cut_anew() -> None:
    batch = finished([["red shirt"], ["dog"]])
    work = ImageWork.objects.get()
    old = Mention.objects.get(text="a red shirt")
    cut = Cut(
        0,
        (
            Chunk(0, 2),
            Chunk(2, 3),
        ),
    )
    group(work, [spans("a dog"), NewGroup(((0, 0, 2),)), NewGroup(((0, 2, 3),))], [cut])
    old.refresh_from_db()
    assert old.superseded
    found = Mention.objects.filter(caption__index=0, superseded=False).order_by("start")
    assert list(found.values_list("text", "head", "types")) == [
        ("a red", "red", "clothing"),
        ("shirt", "shirt", "clothing"),
    ]
    assert Chain.objects.filter(generation=2).count() == 2
    check_rules(batch.project)
    back = Cut(0, (Chunk(0, 3),))
    group(work, [spans("a dog"), NewGroup(((0, 0, 3),))], [back])
    old.refresh_from_db()
    assert not old.superseded, "the same chunk is the same mention"
    check_rules(batch.project)


def test_what_another_batch_asked_before_the_cut_stays_as_it_is() -> None:
    batch = make_running([["red shirt"], ["red shirt"]])
    worker = make_worker(batch.project)
    answer_page(worker)
    advance_pending(now=NOW)
    move(batch=batch, action="cancel")
    second = make_batch(batch.project, name="second")
    work = ImageWork.objects.get(batch=second)
    group(work, [NewGroup(((0, 0, 2),)), NewGroup(((1, 0, 3),))], [Cut(0, (Chunk(0, 2),))])
    set_aside_worker(worker_id=worker.pk, stage="link", by="ada", note="", now=NOW, unsupported_only=False)
    before = list(Item.objects.filter(batch=batch).values_list("pk", "state"))
    advance_pending(now=NOW)
    assert list(Item.objects.filter(batch=batch).values_list("pk", "state")) == before
    check_rules(batch.project)


def test_a_chunk_that_is_not_visual_needs_no_chain() -> None:
    batch = finished([["red shirt"], ["dog"]])
    group(ImageWork.objects.get(), [spans("a dog")], [Cut(0, (Chunk(0, 3, visual=False),))])
    assert Mention.objects.get(superseded=False, annotatable=False).text == "a red shirt"
    assert ImageWork.objects.get().state == "done"
    check_rules(batch.project)


DOG, MAN = (0, 2, 4), (0, 0, 2)


@pytest.mark.parametrize(
    ("chains", "cuts", "field", "says"),
    [
        ([[MAN]], [], "chains", "'a dog'"),
        ([[MAN], [DOG, MAN]], [], "chains[1].mentions", "already"),
        ([[MAN], [DOG], [(0, 0, 3)]], [], "chains[2].mentions", "no mention"),
        ([[MAN], [DOG], []], [], "chains[2].mentions", "one mention at least"),
        ([[MAN]], [Cut(7, ())], "cuts[0].caption", "no caption 7"),
        ([[MAN]], [Cut(0, ()), Cut(0, ())], "cuts[1].caption", "twice"),
        ([[MAN]], [Cut(0, (Chunk(0, 5),))], "cuts[0].chunks[0]", "4 tokens"),
        ([[MAN]], [Cut(0, (Chunk(2, 2),))], "cuts[0].chunks[0]", "4 tokens"),
        ([[MAN]], [Cut(0, (Chunk(1, 3), Chunk(0, 2)))], "cuts[0].chunks", "overlap"),
    ],
)
def test_a_regrouping_that_does_not_fit_is_refused(
    chains: list[list[tuple[int, int, int]]], cuts: list[Cut], field: str, says: str
) -> None:
    make_running([["man", "dog"]])
    mentions = list(Mention.objects.values_list())
    with pytest.raises(DecisionError, match=says) as error:
        group(ImageWork.objects.get(), [NewGroup(tuple(chain)) for chain in chains], cuts)
    assert error.value.field == field
    assert not Decision.objects.exists()
    assert list(Mention.objects.values_list()) == mentions


def test_boxes_without_a_state_are_refused() -> None:
    make_running([["man", "dog"]])
    chains = [NewGroup((MAN,), boxes=(OWN,)), NewGroup((DOG,))]
    with pytest.raises(DecisionError) as error:
        group(ImageWork.objects.get(), chains)
    assert error.value.field == "chains[0].state"


def test_a_split_chain_is_not_decided_about() -> None:
    batch = make_at_stage("verification")
    go(batch, answering=lambda *_: {"same": False})
    with pytest.raises(DecisionError, match="took its place"):
        decide(Chain.objects.get(state="split"), "review")
    check_rules(batch.project)
