"""Researchers chunk captions anew and regroup chains, and their decisions hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from annotation.domain.geometry import Box as Rectangle
from annotation.models import Batch, Box, Chain, Decision, ImageWork, Item, Mention, VerificationQuestion
from tests.factories import (
    NOW,
    answer_page,
    claim_page,
    make_batch,
    make_running,
    make_worker,
    submit_page,
    willing,
)
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.review.regrouping import regroup
from workflows.batches.lifecycle import move_batch
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.domain.decisions import (
    Chunk,
    Cut,
    DecisionError,
    NewGroup,
    parse_regrouping,
)
from workflows.review.decide import version_of
from workflows.review.set_aside import set_aside_worker

pytestmark = pytest.mark.django_db

OWN = Rectangle(300, 20, 400, 220)


def group(work: ImageWork, chains: Sequence[NewGroup], cuts: Sequence[Cut] = ()) -> Decision:
    return regroup(
        work_id=work.pk, by="ada", note="", now=NOW, chains=chains, cuts=cuts, version=version_of(work)
    )


def go(batch: Batch, **more: Any) -> None:
    answer_page(make_worker(batch.project), **more)
    advance_pending(now=NOW)


def spans(*words: str) -> NewGroup:
    found = Mention.objects.filter(text__in=words, superseded=False, annotatable=True)
    return NewGroup(tuple((m.caption.index, m.start, m.end) for m in found.select_related("caption")))


def finished(captions: Sequence[Sequence[str]]) -> Batch:
    """Let people answer everything who find that nothing is the same."""
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
    dog = Chain.objects.get(generation=0, first__text="a dog")
    assert (dog.state, dog.boxes.get(state="accepted").rectangle) == ("done", OWN)
    check_rules(batch.project)


def test_boxes_of_joined_chains_stay_their_authors() -> None:
    batch = finished([["man", "dog"], ["woman"]])
    work = ImageWork.objects.get()
    before = {box.chain_id: box for box in Box.objects.filter(state="accepted")}
    man, woman = (before[Chain.objects.get(first__text=text).pk] for text in ("a man", "a woman"))
    joined = NewGroup(spans("a man", "a woman").mentions, state="coverage", boxes=(man.rectangle,))
    decision = group(work, [joined, spans("a dog")])
    chain = Chain.objects.get(generation=2)
    box = chain.boxes.get()
    assert (box.judgment, box.decision, box.state) == (man.judgment, None, "accepted")
    man.refresh_from_db()
    woman.refresh_from_db()
    assert man.state == woman.state == "withdrawn"
    assert Item.objects.get(state="open").shown == [box.pk], "coverage shows the box of its own chain"
    check_rules(batch.project)
    # A second regrouping keeps what it does not name, and the box moves once more.
    again = NewGroup(
        spans("a man", "a woman", "a dog").mentions, state="coverage", boxes=(box.rectangle, OWN)
    )
    group(work, [again])
    boxes = Chain.objects.get(generation=4).boxes.order_by("pk")
    assert [(one.judgment, one.decision_id is None) for one in boxes] == [(man.judgment, True), (None, False)]
    check_rules(batch.project)
    assert parse_regrouping(decision.content).to_json() == decision.content
    while Batch.objects.get().state == "running":
        go(batch)
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
    move_batch(batch=batch, action="cancel")
    second = make_batch(batch.project, name="second")
    work = ImageWork.objects.get(batch=second)
    group(work, [NewGroup(((0, 0, 2),)), NewGroup(((1, 0, 3),))], [Cut(0, (Chunk(0, 2),))])
    set_aside_worker(worker_id=worker.pk, stage="link", by="ada", note="", now=NOW, unsupported_only=False)
    before = list(Item.objects.filter(batch=batch).order_by("pk").values_list("pk", "state"))
    advance_pending(now=NOW)
    assert list(Item.objects.filter(batch=batch).order_by("pk").values_list("pk", "state")) == before
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
        ([[MAN], [DOG], [(0, 0, 3)]], [], "chains[2].mentions", "not a mention"),
        ([[MAN], [DOG], []], [], "chains[2].mentions", "at least one mention"),
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


def test_questions_about_chunks_that_are_cut_differently_are_retired() -> None:
    finished([["red shirt"], ["dog"]])
    work = ImageWork.objects.get()
    of_shirt, of_dog = (
        VerificationQuestion.objects.create(
            project=work.batch.project,
            image=work.image,
            stage="requirement",
            source="written",
            kind="written",
            mentions=[mention.pk],
            answer={"requirement": "box"},
            content=mention.text,
            created_at=NOW,
        )
        for mention in Mention.objects.order_by("caption__index")
    )
    group(work, [spans("a dog"), NewGroup(((0, 0, 2),))], [Cut(0, (Chunk(0, 2),))])
    of_shirt.refresh_from_db()
    of_dog.refresh_from_db()
    assert (of_shirt.state, of_shirt.retired) == ("retired", "recut")
    assert of_dog.state == "active"
