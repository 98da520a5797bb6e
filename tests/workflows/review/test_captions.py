"""A caption can be edited, withdrawn and brought back, and what does not rest on its change holds."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from typing import Any
from unittest.mock import patch

import pytest
from django.db import IntegrityError, transaction

from annotation.exporting.crowd import Crowd
from annotation.exporting.gold import Gold
from annotation.exporting.images import read_drafts
from annotation.exporting.raw import LeftOut
from annotation.models import (
    Assignment,
    Batch,
    Box,
    Caption,
    Case,
    Chain,
    Decision,
    GoldChain,
    Image,
    ImageWork,
    Item,
    Judgment,
    Mention,
    Project,
)
from tests.factories import (
    LATER,
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_at_stage,
    make_batch,
    make_image,
    make_project,
    make_questions,
    make_running,
    make_worker,
    replies,
    submit_page,
)
from tests.selection import and_nightly
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.review.annotating import drawn, store
from workflows.analysis.counts.results import count_corpus
from workflows.analysis.counts.targets import Target
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.batches.lifecycle import move_batch
from workflows.core.record_seals import seal_records, verify_records
from workflows.pipeline.advance import advance_pending, open_queued
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.pipeline.replay.verify_state import differences
from workflows.review.annotate import image_version
from workflows.review.caption_effects import effect_of, suggest
from workflows.review.captions import change_caption, undo_change
from workflows.review.decide import StaleDecisionError
from workflows.review.domain.captions import Wording, read_marked
from workflows.review.image_withdrawals import withdraw_image
from workflows.review.selectors import active_work, captions_of, undoable_now
from workflows.review.undo_effects import effect_of_undo

pytestmark = pytest.mark.django_db


def caption_of(image: Image, index: int = 0) -> Caption:
    """Return the version of a caption that is in use, or the one that was withdrawn."""
    return next(caption for caption in captions_of(image.pk) if caption.index == index)


def worded(caption: Caption, marked: str, **places: str) -> Wording:
    """Return what the page suggests for a caption in brackets. `places` are chains, by last word."""
    found = suggest(
        caption, read_marked(marked, caption.text, caption.tokens.split(" ")), active_work(caption.image_id)
    )
    return replace(
        found,
        phrases=tuple(
            replace(phrase, place=places.get(found.tokens[phrase.end - 1], phrase.place))
            for phrase in found.phrases
        ),
    )


def edit(image: Image, marked: str | None, index: int = 0, **places: str) -> Decision:
    caption = caption_of(image, index)
    return change_caption(
        caption_id=caption.pk,
        wording=None if marked is None else worded(caption, marked, **places),
        by="ada",
        note="",
        now=LATER,
        version=image_version(image.pk),
    )


def undo(decision: Decision) -> Decision:
    return undo_change(decision_id=decision.pk, by="ada", note="", now=LATER)


def check(project: Project) -> None:
    check_rules(project)
    check_promises(project)
    assert verify_records().mistakes == [], "our code keeps what it changes in sealed rows"
    seal_records(clock=lambda: NOW)


def go(batch: Batch, steps: int, **more: Any) -> None:
    for _ in range(steps):
        answer_page(make_worker(batch.project), **more)
        advance_pending(now=NOW)


def finish(batch: Batch, **more: Any) -> None:
    while claim_maybe(worker := make_worker(batch.project)):
        answer_page(worker, **more)
        advance_pending(now=NOW)


def finished(captions: list[list[str]]) -> Batch:
    batch = make_running(captions)
    finish(batch)
    assert Batch.objects.get(pk=batch.pk).state == "finished"
    return batch


def chains() -> dict[str, Chain]:
    """Return the chains in use, by the texts of their mentions."""
    texts = dict(Mention.objects.values_list("pk", "text"))
    rows = Chain.objects.exclude(state__in=("withdrawn", "split"))
    return {" + ".join(texts[pk] for pk in chain.members): chain for chain in rows}


def rows_of(project: Project) -> list[object]:
    """Return everything that a change may move, apart from the log and times."""
    return [
        list(Caption.objects.in_use().order_by("pk").values_list()),
        list(Mention.objects.filter(superseded=False).order_by("pk").values_list()),
        list(Chain.objects.exclude(state="withdrawn").order_by("pk").values_list()),
        list(Box.objects.exclude(state="withdrawn").order_by("pk").values_list()),
        list(
            Item.objects.exclude(state="withdrawn")
            .order_by("pk")
            .values_list("pk", "state", "judged", "visit")
        ),
        list(GoldChain.objects.filter(superseded=False).order_by("pk").values_list()),
        list(ImageWork.objects.values_list("pk", "state", "active")),
    ]


def exported(image: Image) -> Any:
    return next(read_drafts([image.pk], Crowd(batch=None, unfinished=True), LeftOut()))


@pytest.mark.both_databases
def test_before_a_batch_an_edit_is_a_new_version_and_the_first_stays() -> None:
    image = make_image(make_project(), [["man", "dog"]])
    man, dog = Mention.objects.order_by("pk")
    decision = edit(image, "[a man] feeds [a brown dog]")
    first, second = Caption.objects.order_by("version")
    assert (first.text, first.superseded, second.text, second.superseded) == (
        "a man a dog",
        True,
        "a man feeds a brown dog",
        False,
    )
    man.refresh_from_db()
    dog.refresh_from_db()
    assert (man.caption, man.superseded, dog.caption, dog.superseded) == (second, False, first, True)
    new = Mention.objects.get(text="a brown dog")
    assert (new.start, new.end, new.head, new.types, new.caption) == (3, 6, "dog", "animals", second)
    assert (decision.work, decision.image, decision.content["action"]) == (None, image, "edit")


@pytest.mark.both_databases
def test_no_caption_has_two_versions_in_use() -> None:
    image = make_image(make_project(), [["man"]])
    edit(image, "[a man] walks")
    with pytest.raises(IntegrityError), transaction.atomic():
        Caption.objects.filter(version=0).update(superseded=False)
    with pytest.raises(IntegrityError), transaction.atomic():
        Caption.objects.create(image=image, index=0, version=1, text="x", tokens="x", superseded=True)


def test_the_version_that_somebody_saw_decides_whether_an_edit_is_stored() -> None:
    image = make_image(make_project(), [["man"]])
    version, caption = image_version(image.pk), caption_of(image)
    edit(image, "[a man] walks")
    with pytest.raises(StaleDecisionError):
        change_caption(caption_id=caption.pk, wording=None, by="bob", note="", now=NOW, version=version)
    assert Decision.objects.count() == 1


def test_an_edit_that_changes_nothing_is_refused() -> None:
    image = make_image(make_project(), [["man"]])
    with pytest.raises(DecisionError, match="nothing to save"):
        edit(image, "[a man]")


def test_a_phrase_cannot_join_a_chain_of_another_image() -> None:
    batch = finished([["man"]])
    other = make_image(batch.project, [["dog"]])
    with pytest.raises(DecisionError, match="somebody changed the image meanwhile"):
        edit(other, "[a cat]", cat=f"c{Chain.objects.get().pk}")


def test_captions_of_a_withdrawn_image_wait_until_it_comes_back() -> None:
    image = make_image(make_project(), [["man"]])
    withdraw_image(image_id=image.pk, by="ada", note="stray", now=NOW)
    with pytest.raises(DecisionError, match="bring it back first"):
        edit(image, None)


def test_a_spelling_correction_at_any_moment_changes_nothing_but_words() -> None:
    batch = make_running([["man", "dog"], ["man"]])
    image, words = Image.objects.get(), ""
    while claim_maybe(worker := make_worker(batch.project)):
        words += " soon"
        before = rows_of(batch.project)[2:]
        edit(image, f"{words} [a man] feeds [a dog] .")
        assert rows_of(batch.project)[2:] == before
        check(batch.project)
        answer_page(worker)
        advance_pending(now=NOW)
    assert not Mention.objects.filter(superseded=True).exists()
    assert set(chains()) == {"a man + a man", "a dog"}
    check(batch.project)


CHANGES = ["[a man] feeds [a cat]", "[a man] feeds a dog", None]


@pytest.mark.parametrize(
    "changes",
    and_nightly([CHANGES], [[marked] for marked in CHANGES], "each of the changes at every moment"),
    ids=["in turn", "another phrase", "no phrase", "withdrawn"],
)
def test_a_change_at_any_moment_replays_and_its_undo_gives_everything_back(
    changes: list[str | None],
) -> None:
    batch = make_running([["man", "dog"], ["man", "dog"]])
    project, image = batch.project, Image.objects.get()
    states = set()
    for marked in cycle(changes):
        if Batch.objects.get().state != "running":
            break
        before = rows_of(project)
        decision = edit(image, marked)
        if marked is not None:
            states.add(ImageWork.objects.get().state)
        check(project)
        assert "a dog + a dog" not in chains()
        undo(decision)
        assert rows_of(project) == before
        check(project)
        go(batch, 1)
    assert states == {"linking", "boxing"} or changes == [None]
    for marked in changes:
        decision = edit(image, marked)
        finish(batch)
        check(project)
        assert ImageWork.objects.get().state == "done"
        assert not [chain for chain in chains() if chain.count("a dog") > 1]
        undo(decision)


def test_a_changed_phrase_keeps_its_chain_and_the_boxes_of_their_authors() -> None:
    batch = finished([["man", "dog"], ["man"]])
    before = chains()
    box = Box.objects.get(chain=before["a man + a man"], state="accepted")
    image = Image.objects.get()
    decision = edit(image, "[a young man] feeds [a dog]")
    after = chains()
    assert after["a dog"] == before["a dog"], "other chains go on as they were"
    chain = after["a young man + a man"]
    assert (chain.state, Batch.objects.get().state) == ("done", "finished")
    kept = Box.objects.get(chain=chain, state="accepted")
    assert (kept.judgment, kept.rectangle) == (box.judgment, box.rectangle)
    record = exported(image).record
    of_chain = next(one for one in record.chains if len(one.mentions) == 2)
    assert of_chain.decisions == (decision.pk,)
    assert box.judgment_id in record.boxes[of_chain.boxes[0]].judgments
    check(batch.project)


def test_a_phrase_can_be_put_into_another_chain() -> None:
    batch = finished([["man", "dog"], ["man"]])
    dog = chains()["a dog"]
    edit(Image.objects.get(), "[a puppy] feeds [a dog]", puppy=f"c{dog.pk}")
    assert set(chains()) == {"a puppy + a dog", "a man"}
    check(batch.project)


def test_workers_are_asked_about_a_phrase_with_a_chain_of_its_own() -> None:
    batch = finished([["man"], ["man"]])
    edit(Image.objects.get(), "[a man] with [a dog]")
    assert Batch.objects.get().state == "running"
    assert {item.chain.representative.text for item in Item.objects.filter(state="open") if item.chain} == {
        "a dog"
    }
    finish(batch)
    assert (Batch.objects.get().state, chains()["a dog"].state) == ("finished", "done")
    check(batch.project)


def test_an_image_that_rests_with_chains_keeps_them() -> None:
    batch = make_at_stage("verification")
    page = claim_page(make_worker(batch.project))
    unusable = [Reply(one.item, {"unusable": True}) for one in replies(page)]
    submit(worker_id=page.worker_id, assignment_id=page.pk, replies=unusable, now=NOW)
    advance_pending(now=NOW)  # one report is enough: the server finds no file
    work = ImageWork.objects.get()
    before = chains()
    assert work.state == "resting" and before
    decision = edit(work.image, "[a man] with [a woman]")
    assert ImageWork.objects.get().state == "resting"
    assert chains() == before | {"a woman": chains()["a woman"]}
    undo(decision)
    assert chains() == before
    check(batch.project)


def test_in_the_batch_by_hand_such_a_phrase_waits_for_a_researcher() -> None:
    image = make_image(make_project(), [["man"]])
    store(image, drawn(image))
    edit(image, "[a man] with [a dog]")
    assert (chains()["a man"].state, chains()["a dog"].state) == ("done", "review")
    case = Case.objects.get(chain=chains()["a dog"], closed_at=None)
    assert case.reason == "flag"
    assert not Item.objects.exists()
    store(image, drawn(image, key="k2"))
    assert (chains()["a dog"].state, Batch.objects.get().state) == ("done", "finished")
    check(image.project)


def test_a_withdrawn_caption_leaves_exports_and_its_chains_go_on_without_it() -> None:
    batch = finished([["man", "dog"], ["man"]])
    image = Image.objects.get()
    edit(image, None)
    assert set(chains()) == {"a man"}
    assert chains()["a man"].state == "done"
    draft = exported(image)
    assert [(index, text) for _, index, text, _ in draft.captions] == [(1, "a man")]
    assert len(draft.record.chains) == len(draft.record.boxes) == 1
    counts = count_corpus(Target(batch.project_id, None, ()), NOW)
    assert (counts.captions, counts.mentions) == (1, 1)
    check(batch.project)


def test_an_image_without_captions_is_left_out() -> None:
    batch = finished([["man"]])
    image = Image.objects.get()
    decision = edit(image, None)
    left = LeftOut()
    assert list(read_drafts([image.pk], Crowd(batch=None, unfinished=True), left)) == []
    assert left.images["without captions"] == 1
    check(batch.project)
    undo(decision)
    assert set(chains()) == {"a man"}
    check(batch.project)


def test_a_withdrawn_caption_can_be_brought_back_after_the_image_was_annotated() -> None:
    batch = finished([["man"], ["man"]])
    image = Image.objects.get()
    decision = edit(image, None)
    store(image, drawn(image))
    assert decision.pk not in undoable_now(image.pk, active_work(image.pk))
    with pytest.raises(DecisionError, match="changed since"):
        undo(decision)
    (chain,) = chains().values()
    back = edit(image, "[a man]", man=f"c{chain.pk}")
    assert back.content["action"] == "bring-back"
    assert set(chains()) == {"a man + a man"}
    assert Caption.objects.in_use().count() == 2
    check(batch.project)


def test_changes_are_undone_the_last_first() -> None:
    batch = finished([["man"], ["man"]])
    image, before = Image.objects.get(), rows_of(batch.project)
    first, second = edit(image, "[a boy]"), edit(image, None, 1)
    with pytest.raises(DecisionError):
        undo(first)
    undo(second)
    with pytest.raises(DecisionError):
        undo(second)
    undo(first)
    assert rows_of(batch.project) == before
    assert undoable_now(image.pk, active_work(image.pk)) == []
    edit(image, "[a girl]")
    assert set(chains()) == {"a girl + a man"}
    check(batch.project)


def test_a_researcher_can_annotate_an_image_after_a_caption_was_withdrawn() -> None:
    """The screen counts captions by place, and decisions by index."""
    batch = finished([["man"], ["dog"], ["man"]])
    image = Image.objects.get()
    edit(image, None, 1)
    store(image, drawn(image))
    assert set(chains()) == {"a man + a man"}
    check(batch.project)


def test_a_page_in_hand_is_taken_and_counts_if_the_change_is_undone() -> None:
    batch = make_running([["man"], ["man"]])
    worker = make_worker(batch.project)
    page = claim_page(worker)
    decision = edit(Image.objects.get(), "[a boy]")
    submit_page(page)
    advance_pending(now=NOW)
    assert Assignment.objects.get(pk=page.pk).state == "submitted"
    assert Item.objects.get(pk=page.items[0]).state == "withdrawn"
    check(batch.project)
    undo(decision)
    assert Item.objects.get(pk=page.items[0]).state == "done"
    check(batch.project)


def test_a_page_in_hand_about_words_that_stay_counts() -> None:
    batch = make_running([["man"], ["man"]])
    page = claim_page(make_worker(batch.project))
    edit(Image.objects.get(), "soon [a man] walks")
    submit_page(page)
    advance_pending(now=NOW)
    assert Judgment.objects.filter(item__state="done").count() == 1
    check(batch.project)


def test_questions_about_a_phrase_that_is_gone_are_retired_and_others_stay() -> None:
    project = make_project()
    first, second = make_questions(project, "drawing", images=2)
    edit(first.image, "[a boy]")
    edit(second.image, "soon [a man] walks")
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, first.retired, second.state) == ("retired", "recut", "active")


def test_known_chains_follow_a_caption_and_its_undo() -> None:
    image = make_image(make_project(), [["man", "dog"], ["man"]])
    man, dog, other = Mention.objects.order_by("pk")
    both = GoldChain.objects.create(image=image, number=1, members=[man.pk, other.pk], boxes=[[1, 1, 9, 9]])
    alone = GoldChain.objects.create(image=image, number=2, members=[dog.pk], boxes=[[20, 20, 90, 90]])
    before = rows_of(image.project)
    decision = edit(image, "[a young man] feeds [a dog]")
    known = GoldChain.objects.filter(superseded=False).order_by("number")
    new = Mention.objects.get(text="a young man")
    assert [(row.pk == alone.pk, row.members, row.boxes) for row in known] == [
        (True, [dog.pk], [[20, 20, 90, 90]]),
        (False, [new.pk, other.pk], both.boxes),
    ]
    undo(decision)
    assert rows_of(image.project) == before
    edit(image, None)
    assert [row.members for row in known.all()] == [[other.pk]]
    assert len(Gold(unfinished=False).chains([image.pk], LeftOut())[image.pk]) == 1


def test_an_edit_of_an_image_that_waits_in_a_batch_asks_about_the_new_words() -> None:
    image = make_image(make_project(), [["man"], ["man"]])
    batch = make_batch(image.project, launch=False)
    edit(image, "[a boy]")
    assert ImageWork.objects.get().state == "queued"
    with patch("workflows.batches.launch_checks.cap_of", return_value=None):
        move_batch(batch=batch, action="launch")
    open_queued(batch_id=batch.pk, now=NOW)
    item = Item.objects.get()
    assert item.mention_a is not None and item.mention_a.text == "a boy"
    check(image.project)


def test_a_released_image_stays_as_it_was_when_a_caption_is_edited() -> None:
    batch = make_running([["man"], ["man"]])
    go(batch, 1)
    image = Image.objects.get()
    move_batch(batch=batch, action="cancel")
    assert active_work(image.pk) is None
    edit(image, "[a boy] with [a dog]")
    left = LeftOut()
    (found,) = read_drafts([image.pk], Crowd(batch=batch, unfinished=True), left)
    assert (found.record.chains, left.chains["about earlier words"]) == ((), 1)
    check_promises(batch.project)
    assert list(differences(list(ImageWork.objects.all()))) == []


def test_what_a_change_would_do_is_told() -> None:
    finished([["man", "dog"], ["man"]])
    caption, work = caption_of(Image.objects.get()), active_work(Image.objects.get().pk)
    told = effect_of(caption, worded(caption, "[a young man] feeds [a dog] and [a ball]"), work)
    assert (told.gone, told.count_no_more > 0) == (("a man",), True)
    assert [(one.text, one.keeps, one.joins, one.ends) for one in told.chains] == [("a man", 1, 1, False)]
    assert (told.kept, told.alone, told.linked, told.begun) == (1, 1, True, True)
    gone = effect_of(caption, None, work)
    assert [(one.text, one.ends) for one in gone.chains] == [("a man", False), ("a dog", True)]
    assert effect_of(caption, worded(caption, "[a man] feeds [a dog]"), work).is_nothing


@pytest.mark.parametrize("marked", [None, "[a young man] feeds [a dog] and [a ball]"])
@pytest.mark.parametrize("steps", [1, 2, 6, None])
def test_a_change_and_its_undoing_tell_of_as_many_judgments(steps: int | None, marked: str | None) -> None:
    """Before the change, only answers about links were counted, and before its undoing all others."""
    captions = [["man", "dog"]] * (3 if steps == 1 else 2)  # after one page of three, links are asked about
    if steps is None:
        finished(captions)
    else:
        go(make_running(captions=captions), steps)
    image = Image.objects.get()
    caption = caption_of(image)
    wording = None if marked is None else worded(caption, marked)
    told = effect_of(caption, wording, active_work(image.pk))
    decision = edit(image, marked)
    assert told.linked == (steps != 1)
    assert told.count_no_more == effect_of_undo(decision).count_again > 0


def test_a_case_of_a_chain_that_is_gone_closes_and_opens_again() -> None:
    batch = finished([["man"], ["dog"]])
    dog = chains()["a dog"]
    case = Case.objects.create(project=batch.project, reason="flag", work=dog.work, chain=dog, opened_at=NOW)
    decision = edit(Image.objects.get(), None, 1)
    case.refresh_from_db()
    assert (case.closed_at, case.decision) == (LATER, decision)
    undo(decision)
    case.refresh_from_db()
    assert case.closed_at is None
    check(batch.project)
