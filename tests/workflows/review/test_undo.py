"""A decision is undone by a new one, and the image is as if it had never been made."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.geometry import Box as Rectangle
from annotation.exporting.dataset import ExportOptions, export_dataset
from annotation.models import (
    Batch,
    Box,
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
    SuggestionStop,
    VerificationQuestion,
)
from tests.factories import (
    NOW,
    answer_page,
    make_at_stage,
    make_image,
    make_project,
    make_running,
    make_worker,
)
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.review.annotating import drawn, said, store
from workflows.cases.review_queue import CaseError, close_case, close_cases, flag_chain
from workflows.core.record_seals import verify_records
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.questions.make import make_from_gold
from workflows.review.annotate import image_version
from workflows.review.annotation_queue import progress_of
from workflows.review.captions import change_caption
from workflows.review.decide import StaleDecisionError, decide_chain, version_of
from workflows.review.image_withdrawals import withdraw_image
from workflows.review.models import AnnotationQueue
from workflows.review.selectors import active_work, captions_of, undoable_now
from workflows.review.set_aside import set_aside_worker
from workflows.review.undo import undo_decision
from workflows.review.undo_effects import effect_of_undo
from workflows.workers.enrolment import block_worker, unblock_worker

pytestmark = pytest.mark.django_db

DRAWN = Rectangle(10, 20, 110, 220)
OWN = Rectangle(300, 20, 400, 220)
MOMENT = timedelta(minutes=1)


def decide(chain: Chain, state: str, *boxes: Rectangle, flag: str = "", at: int = 0) -> Decision:
    return decide_chain(
        chain_id=chain.pk,
        by="ada",
        note="so",
        now=NOW + at * MOMENT,
        state=state,
        boxes=boxes,
        flag=flag,
        version=version_of(chain.work),
    )


def undo(decision: Decision, at: int = 9, **more: Any) -> Decision:
    return undo_decision(decision_id=decision.pk, by="bob", note="", now=NOW + at * MOMENT, **more)


def go(batch: Batch, **more: Any) -> None:
    answer_page(make_worker(batch.project), **more)
    advance_pending(now=NOW)


def check(project: Project) -> None:
    check_rules(project)
    check_promises(project)
    assert verify_records().mistakes == []


def rows_of(project: Project) -> list[object]:
    """Return everything that a decision may move, apart from the log, times and what is withdrawn."""
    items = Item.objects.exclude(state="withdrawn").order_by("pk")
    return [
        list(Mention.objects.filter(superseded=False).order_by("pk").values_list()),
        list(Chain.objects.exclude(state="withdrawn").order_by("pk").values_list()),
        list(Box.objects.exclude(state="withdrawn").order_by("pk").values_list()),
        list(items.values_list("pk", "stage", "state", "judged", "needed", "visit", "shown")),
        list(GoldChain.objects.filter(superseded=False).order_by("pk").values_list()),
        list(ImageWork.objects.filter(active=True).order_by("pk").values_list("pk", "state")),
        list(Batch.objects.filter(project=project, by_hand=False).values_list("state", flat=True)),
        list(Case.objects.filter(closed_at=None).order_by("pk").values_list("pk", flat=True)),
    ]


def exported(project: Project, folder: Path) -> dict[str, bytes]:
    """Return the files of an export with unfinished images, without what says when it was made."""
    options = ExportOptions(include_unfinished=True)
    export_dataset(project=project, format="jsonl", out=folder, options=options)
    return {one.name: one.read_bytes() for one in sorted(folder.glob("*.jsonl"))}


@pytest.mark.parametrize(
    ("state", "boxes", "flag"),
    [
        ("done", [DRAWN], ""),
        ("done", [OWN], ""),
        ("done", [DRAWN, OWN], ""),
        ("nonvisual", [], "scene"),
        ("drawing", [], ""),
        ("requirement", [], ""),
        ("coverage", [OWN], ""),
        ("review", [OWN], ""),
    ],
)
@pytest.mark.both_databases
def test_every_decision_about_a_chain_goes_back(
    state: str, boxes: list[Rectangle], flag: str, tmp_path: Path
) -> None:
    batch = make_at_stage("coverage")
    before, files = rows_of(batch.project), exported(batch.project, tmp_path / "before")
    decision = decide(Chain.objects.get(), state, *boxes, flag=flag)
    assert rows_of(batch.project) != before
    undone = undo(decision)
    assert rows_of(batch.project) == before
    assert exported(batch.project, tmp_path / "after") == files
    assert (undone.kind, undone.by, undone.content) == (
        "undo",
        "bob",
        {"undoes": decision.pk, "kind": "chain"},
    )
    assert Decision.objects.count() == 2, "nothing is deleted"
    check(batch.project)
    go(batch)
    go(batch)
    assert Chain.objects.get().state == "done", "work goes on where it stood"
    check(batch.project)


@pytest.mark.both_databases
def test_verifying_a_chain_again_goes_back_with_the_chains_that_it_was_split_into() -> None:
    batch = make_at_stage("verification")
    go(batch)
    before = rows_of(batch.project)
    decision = decide(Chain.objects.get(), "verification")
    for _ in range(3):
        if Chain.objects.count() == 1:
            go(batch, answering=lambda *_: {"same": False})
    assert Chain.objects.get(state="split").pk == decision.chain_id
    effect = effect_of_undo(decision)
    assert effect.count_no_more > 0
    assert {(one.before, one.after) for one in effect.chains} >= {("split", "drawing")}
    undo(decision)
    assert rows_of(batch.project) == before
    check(batch.project)


def test_judgments_that_a_decision_made_pointless_count_again() -> None:
    batch = make_at_stage("coverage")
    go(batch)
    decision = decide(Chain.objects.get(), "done", OWN)
    assert effect_of_undo(decision).count_again == 1
    undo(decision)
    assert Item.objects.get(stage="coverage", chain=Chain.objects.get()).judged == 1
    check(batch.project)


def test_judgments_on_what_the_decision_asked_are_kept_and_do_not_count() -> None:
    batch = make_at_stage("coverage")
    decision = decide(Chain.objects.get(), "drawing")
    go(batch, answering=lambda *_: {"box": [1, 1, 90, 90]})
    given = Judgment.objects.latest("pk")
    effect = effect_of_undo(decision)
    assert (effect.count_no_more, effect.boxes_back) == (1, 1)
    undo(decision)
    assert given.item is not None
    given.item.refresh_from_db()
    assert (given.item.state, given.set_aside) == ("withdrawn", None)
    assert [box.rectangle for box in Box.objects.filter(state="accepted")] == [DRAWN]
    check(batch.project)


def test_a_finished_batch_goes_on_if_what_finished_it_is_undone() -> None:
    batch = make_at_stage("drawing")
    decision = decide(Chain.objects.get(), "nonvisual", flag="scene")
    assert Batch.objects.get(pk=batch.pk).state == "finished"
    effect = effect_of_undo(decision)
    assert (effect.resumed, effect.image, effect.asked) == (True, ("done", "boxing"), 1)
    undo(decision)
    assert Batch.objects.get(pk=batch.pk).state == "running"
    check(batch.project)


def test_only_the_last_decision_about_a_chain_can_be_undone() -> None:
    batch = make_at_stage("coverage")
    chain = Chain.objects.get()
    before = rows_of(batch.project)
    first, second = decide(chain, "done", OWN), decide(chain, "drawing", OWN)
    with pytest.raises(DecisionError, match="later decision about this chain"):
        undo(first)
    undo(second)
    with pytest.raises(DecisionError, match="undone already"):
        undo(second)
    undo(first)
    assert rows_of(batch.project) == before
    check(batch.project)


def test_decisions_about_two_chains_are_undone_in_any_order() -> None:
    batch = make_running([["man", "dog"]])
    man, dog = Chain.objects.order_by("pk")
    first, second = decide(man, "done", OWN), decide(dog, "done", DRAWN)
    assert undoable_now(man.work.image_id, active_work(man.work.image_id)) == [first.pk, second.pk]
    undo(first)
    dog.refresh_from_db()
    assert dog.state == "done"
    undo(second)
    check(batch.project)


def test_a_decision_about_a_part_of_a_split_chain_rests_on_the_decision_before() -> None:
    batch = make_at_stage("verification")
    go(batch)
    first = decide(Chain.objects.get(), "verification")
    while Chain.objects.count() == 1:
        go(batch, answering=lambda *_: {"same": False})
    part = Chain.objects.exclude(state="split").earliest("pk")
    second = decide(part, "nonvisual", flag="scene")
    with pytest.raises(DecisionError, match="later decision"):
        undo(first)
    undo(second)
    undo(first)
    check(batch.project)


def test_a_decision_that_changed_since_it_was_shown_is_not_undone() -> None:
    batch = make_at_stage("coverage")
    decision = decide(Chain.objects.get(), "drawing")
    shown = version_of(ImageWork.objects.get())
    go(batch)
    with pytest.raises(StaleDecisionError):
        undo(decision, version=shown)
    undo(decision, version=version_of(ImageWork.objects.get()))
    check(batch.project)


def test_a_box_of_an_undone_decision_is_a_new_box_if_it_is_drawn_again() -> None:
    batch = make_at_stage("coverage")
    chain = Chain.objects.get()
    undo(decide(chain, "done", OWN))
    again = decide(chain, "done", OWN)
    assert Box.objects.get(state="accepted").decision == again
    check(batch.project)


def test_setting_judgments_aside_and_undoing_do_not_depend_on_their_order() -> None:
    batch = make_at_stage("coverage")
    drawer = Judgment.objects.get(item__stage="drawing").worker_id
    decision = decide(Chain.objects.get(), "done", OWN)
    set_aside_worker(worker_id=drawer, stage="drawing", by="ada", note="", now=NOW, unsupported_only=False)
    advance_pending(now=NOW)
    undo(decision)
    assert Chain.objects.get().state == "drawing"
    check(batch.project)


@pytest.mark.both_databases
def test_cases_that_the_decision_closed_are_open_again() -> None:
    batch = make_at_stage("coverage")
    chain = Chain.objects.get()
    flag_chain(chain_id=chain.pk, by="cy", note="look", now=NOW)
    case = Case.objects.get()
    decision = decide(chain, "done", OWN)
    close_cases(cases=[case.pk], by="ada", now=NOW, decision=decision)
    undo(decision)
    case.refresh_from_db()
    assert (case.closed_at, case.decision) == (None, None)
    check(batch.project)


@pytest.mark.both_databases
def test_a_case_stays_closed_if_the_same_is_in_the_queue_again() -> None:
    make_at_stage("coverage")
    chain = Chain.objects.get()
    flag_chain(chain_id=chain.pk, by="cy", note="look", now=NOW)
    decision = decide(chain, "done", OWN)
    close_cases(cases=[Case.objects.get().pk], by="ada", now=NOW, decision=decision)
    flag_chain(chain_id=chain.pk, by="cy", note="again", now=NOW + MOMENT)
    undo(decision)
    assert Case.objects.get(closed_at=None).detail["note"] == "again"


def test_the_case_of_a_chain_that_a_decision_left_in_review_goes_with_it() -> None:
    batch = make_at_stage("coverage")
    decision = decide(Chain.objects.get(), "review", OWN, at=1)
    assert Case.objects.get().closed_at is None
    undone = undo(decision)
    assert Case.objects.get().decision == undone
    check(batch.project)


def test_a_chain_that_is_in_review_again_is_in_the_queue() -> None:
    batch = make_running([["man"]], limits={"returns": 1})
    go(batch, answering=lambda *_: {"box": None})
    chain, case = Chain.objects.get(), Case.objects.get()
    assert chain.state == "review"
    decision = decide(chain, "nonvisual", flag="scene")
    close_case(case_id=case.pk, by="cy", note="", now=NOW)
    undo(decision)
    assert Chain.objects.get().state == "review"
    assert Case.objects.filter(chain=chain, closed_at=None).exists()
    check(batch.project)


def test_a_decision_that_is_undone_while_its_cases_are_closed_leaves_them_open() -> None:
    make_at_stage("coverage")
    chain = Chain.objects.get()
    flag_chain(chain_id=chain.pk, by="cy", note="look", now=NOW)
    decision = decide(chain, "done", OWN)
    undo(decision)
    assert close_cases(cases=[Case.objects.get().pk], by="ada", now=NOW, decision=decision) == 1
    assert Case.objects.get().closed_at is None


# Annotations of whole images


def joined(image: Image, key: str = "k1", purpose: str = "final") -> dict[str, Any]:
    """Return an annotation that cuts the first caption anew, and joins all of its phrases to one chain."""
    data = drawn(image, purpose, key=key)
    data["captions"][0]["phrases"] = [{"start": 1, "end": 2, "types": ["people"], "chain": "C0"}]
    used = {one["chain"] for caption in data["captions"] for one in caption["phrases"]} - {""}
    data["chains"] = [one for one in data["chains"] if one["name"] in used]
    return data


@pytest.mark.parametrize("purpose", ["final", "gold", "correction"])
@pytest.mark.both_databases
def test_an_annotation_goes_back_with_phrases_chains_and_known_answers(purpose: str, tmp_path: Path) -> None:
    batch = make_running([["man", "dog"], ["man"]])
    for _ in range(4):
        go(batch)
    image = Image.objects.get()
    before, files = rows_of(batch.project), exported(batch.project, tmp_path / "before")
    decision = store(image, joined(image, purpose=purpose))
    assert Mention.objects.filter(superseded=True).exists()
    effect = effect_of_undo(decision)
    assert (effect.phrases, effect.let_go) == ((2, 1), False)
    undo(decision)
    assert rows_of(batch.project) == before
    assert exported(batch.project, tmp_path / "after") == files
    check(batch.project)


@pytest.mark.both_databases
def test_an_image_that_was_annotated_by_hand_is_in_no_batch_again() -> None:
    image = make_image(make_project(), [["man", "dog"], ["man"]])
    before = rows_of(image.project)
    decision = store(image, joined(image))
    assert effect_of_undo(decision).let_go
    undo(decision)
    assert rows_of(image.project) == before
    assert Batch.objects.get(by_hand=True).state == "finished"
    assert not Item.objects.filter(state="open").exists(), "nobody is asked by hand"
    check(image.project)
    again = store(image, drawn(image, key="k2"))
    assert again.work is not None and again.work.active
    check(image.project)
    with pytest.raises(DecisionError, match="undone already"):
        undo(decision)
    undo(again)
    assert rows_of(image.project) == before


def test_annotations_of_one_image_are_undone_the_last_first() -> None:
    image = make_image(make_project(), [["man", "dog"], ["man"]])
    first = store(image, drawn(image))
    between = rows_of(image.project)
    second = store(image, joined(image, "k2"))
    with pytest.raises(DecisionError, match="as a whole was changed since"):
        undo(first)
    undo(second)
    assert rows_of(image.project) == between
    undo(first)
    check(image.project)


def test_a_decision_about_a_chain_is_undone_before_the_annotation_that_made_it_and_after_none() -> None:
    image = make_image(make_project(), [["man", "dog"]])
    first = store(image, drawn(image))
    chain = Chain.objects.earliest("pk")
    decided = decide(chain, "done", OWN)
    with pytest.raises(DecisionError, match="later decision about this chain"):
        undo(first)
    last = store(image, joined(image, "k2"))
    with pytest.raises(DecisionError, match="as a whole was changed since"):
        undo(decided)
    for one in (last, decided, first):
        undo(one)
    assert not ImageWork.objects.filter(active=True).exists()
    check(image.project)


def test_a_change_of_a_caption_is_undone_before_the_annotation() -> None:
    image = make_image(make_project(), [["man", "dog"], ["man"]])
    annotated = store(image, drawn(image))
    caption = next(one for one in captions_of(image.pk) if one.index == 1)
    version = image_version(image.pk)
    changed = change_caption(caption_id=caption.pk, wording=None, by="ada", note="", now=NOW, version=version)
    with pytest.raises(DecisionError, match="caption was changed since"):
        undo(annotated)
    assert effect_of_undo(changed).phrases == (1, 0)
    undo(changed)
    undo(annotated)
    check(image.project)


def test_an_annotation_is_stored_again_under_its_key_after_it_was_undone() -> None:
    """What was not saved is still in the browser, under the same key."""
    image = make_image(make_project(), [["man"]])
    data = drawn(image)
    first = store(image, data)
    undo(first)
    with pytest.raises(StaleDecisionError):
        store(image, data)  # a request that was sent twice and arrives late
    again = store(image, {**data, "version": image_version(image.pk)})
    assert again != first
    check(image.project)


def test_an_annotation_that_does_not_say_what_was_before_is_refused() -> None:
    image = make_image(make_project(), [["man"]])
    decision = store(image, drawn(image))
    content = {name: value for name, value in decision.content.items() if name not in ("gone", "new")}
    old = Decision.objects.create(
        project=image.project, kind="annotate", by="ada", content=content, work=decision.work, created_at=NOW
    )
    with pytest.raises(DecisionError, match="before annotations kept what was there"):
        undo(old)


def test_questions_made_from_an_undone_annotation_are_retired() -> None:
    image = make_image(make_project(), [["man"]])
    decision = store(image, drawn(image, "gold"))
    make_from_gold(project=image.project, images=1, now=NOW)
    active = VerificationQuestion.objects.filter(state="active")
    asked = active.count()
    assert asked and effect_of_undo(decision).questions == asked
    undo(decision)
    assert not active.exists()
    assert not GoldChain.objects.filter(superseded=False).exists()


def test_an_image_is_in_its_queue_again() -> None:
    image = make_image(make_project(), [["man"]])
    queue = AnnotationQueue.objects.create(
        project=image.project, purpose="final", images=[image.pk], by="ada", created_at=NOW
    )
    decision = store(image, drawn(image))
    assert progress_of(queue).done == {image.pk}
    undo(decision)
    assert progress_of(queue).done == set()


def test_a_resting_image_rests_again_if_its_annotation_is_undone() -> None:
    batch = make_running([["man"], ["man"]])
    go(batch, answering=lambda *_: {"unusable": True})  # the file of this photograph is missing
    image = Image.objects.get()
    before = rows_of(batch.project)
    assert ImageWork.objects.get().state == "resting"
    undo(store(image, drawn(image)))
    assert rows_of(batch.project) == before
    check(batch.project)


def test_a_decision_about_an_image_that_its_batch_released_is_not_undone() -> None:
    make_at_stage("coverage")
    decision = decide(Chain.objects.get(), "done", OWN)
    withdraw_image(image_id=Image.objects.get().pk, by="ada", note="", now=NOW)
    assert "released the image" in effect_of_undo(decision).why_not
    with pytest.raises(DecisionError, match="released the image"):
        undo(decision)


def test_decisions_of_other_kinds_have_an_opposite_and_are_not_undone() -> None:
    batch = make_at_stage("coverage")
    decision = Decision.objects.create(project=batch.project, kind="block", by="ada", created_at=NOW)
    with pytest.raises(DecisionError, match="no decision"):
        undo(decision)


# Closed cases


def closed() -> tuple[Case, Decision]:
    make_at_stage("coverage")
    flag_chain(chain_id=Chain.objects.get().pk, by="cy", note="look", now=NOW)
    case = Case.objects.get()
    close_case(case_id=case.pk, by="ada", note="fine", now=NOW)
    case.refresh_from_db()
    assert case.decision is not None
    return case, case.decision


@pytest.mark.both_databases
def test_a_closed_case_is_open_again() -> None:
    case, decision = closed()
    assert effect_of_undo(decision).cases == (case,)
    undone = undo(decision)
    case.refresh_from_db()
    assert (case.closed_at, case.decision) == (None, None)
    assert (undone.kind, undone.content["undoes"], undone.chain) == ("undo", decision.pk, case.chain)
    with pytest.raises(CaseError, match="open again already"):
        undo(decision)
    check(case.project)


@pytest.mark.both_databases
def test_a_case_that_is_in_the_queue_again_is_not_opened_twice() -> None:
    case, decision = closed()
    flag_chain(chain_id=Chain.objects.get().pk, by="cy", note="again", now=NOW)
    with pytest.raises(CaseError, match="in the queue again already"):
        undo(decision)
    assert Case.objects.filter(closed_at=None).exclude(pk=case.pk).count() == 1


def test_the_case_of_a_chain_that_is_gone_stays_closed() -> None:
    case, decision = closed()
    image = Image.objects.get()
    data = said(image)
    data["captions"][0]["phrases"][0]["chain"] = ""
    data["chains"] = []
    store(image, data)
    assert case.chain is not None and Chain.objects.get(pk=case.chain.pk).state == "withdrawn"
    with pytest.raises(CaseError, match="not in use any more"):
        undo(decision)


def test_the_case_of_a_worker_who_is_blocked_stays_closed() -> None:
    batch = make_at_stage("coverage")
    worker = make_worker(batch.project)
    case = Case.objects.create(
        project=batch.project, reason="pace", worker=worker, stage="drawing", opened_at=NOW
    )
    close_case(case_id=case.pk, by="ada", note="", now=NOW)
    decision = Decision.objects.get()
    block_worker(worker_id=worker.pk, by="ada", note="", now=NOW)
    with pytest.raises(CaseError, match="blocked"):
        undo(decision)
    unblock_worker(worker_id=worker.pk, by="ada", note="", now=NOW)
    undo(decision)
    case.refresh_from_db()
    assert case.closed_at is None


def test_a_case_that_a_setting_closed_stays_closed() -> None:
    batch = make_at_stage("coverage")
    flag_chain(chain_id=Chain.objects.get().pk, by="cy", note="", now=NOW)
    close_case(case_id=Case.objects.get().pk, by="policy:control.on_loss", note="", now=NOW)
    with pytest.raises(CaseError, match="setting of the batch"):
        undo(Decision.objects.get(project=batch.project))


def closed_case(project: Project, reason: str, **about: Any) -> Decision:
    """Open a case about this, and close it without a change."""
    case = Case.objects.create(project=project, reason=reason, opened_at=NOW, **about)
    close_case(case_id=case.pk, by="ada", note="", now=NOW)
    return Decision.objects.get(content__case=case.pk)


def test_the_case_of_a_worker_who_was_restored_stays_closed() -> None:
    project = make_project()
    worker = make_worker(project)
    decision = closed_case(project, "trust", worker=worker, stage="drawing")
    Decision.objects.create(
        project=project, kind="restore", by="ada", worker=worker, stage="drawing", created_at=NOW
    )
    with pytest.raises(CaseError, match="restored since"):
        undo(decision)


def test_the_case_of_a_caption_that_was_changed_stays_closed() -> None:
    image = make_image(make_project(), [["man"]])
    caption = image.captions.get()
    decision = closed_case(image.project, "unrelated", caption=caption)
    change_caption(
        caption_id=caption.pk, wording=None, by="ada", note="", now=NOW, version=image_version(image.pk)
    )
    with pytest.raises(CaseError, match="caption that was changed since"):
        undo(decision)


def test_the_case_of_an_image_that_was_withdrawn_stays_closed() -> None:
    batch = make_at_stage("coverage")
    work = ImageWork.objects.get()
    decision = closed_case(batch.project, "photograph", work=work)
    withdraw_image(image_id=work.image_id, by="ada", note="", now=NOW)
    with pytest.raises(CaseError, match="withdrawn: bring the image back first"):
        undo(decision)


def test_the_case_of_suggestions_that_are_shown_again_stays_closed() -> None:
    project = make_project()
    worker = make_worker(project)
    decision = closed_case(project, "suggestions", worker=worker)
    resumed = Decision.objects.create(project=project, kind="resume", by="ada", created_at=NOW)
    SuggestionStop.objects.create(
        reason="worker", figures={}, worker=worker, case=Case.objects.get(), resumed=resumed, created_at=NOW
    )
    with pytest.raises(CaseError, match="suggestions are shown again"):
        undo(decision)
