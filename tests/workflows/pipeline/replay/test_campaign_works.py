"""Images of campaigns: their questions are asked, judged, replayed and finished."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Abstention, Batch, Case, Decision, ImageWork, Item, Judgment
from tests.campaigns import (
    CHECK,
    GRADING,
    RELEVANCE,
    WRITING,
    answer_all,
    launched,
    make_captions,
    make_judged,
)
from tests.factories import NOW, answer_page, claim_maybe, claim_page, make_worker, submit_page
from tests.workflows.pipeline.invariants import check_promises, check_rules
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import create_batch
from workflows.batches.pairs import queue_pairs
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.models import JudgedPair, Transition, WrittenCaption
from workflows.pipeline.replay.verify_state import verify
from workflows.review.decide import let_go_on
from workflows.review.set_aside import reinstate, set_aside_worker
from workflows.review.written_captions import rule_on_caption

pytestmark = pytest.mark.django_db

State = WrittenCaption.State


def state_of(batch: Batch) -> str:
    return Batch.objects.get(pk=batch.pk).state


def saying(**answers: Any) -> Any:
    """Return an answering of pages that gives these answers by stage."""
    return lambda stage, question: answers[stage]


def write(batch: Batch, text: str) -> Judgment:
    worker = make_worker(batch.project)
    answer_page(worker, stage=WRITING, answering=saying(writing={"caption": text}))
    advance_pending(now=NOW)
    return Judgment.objects.get(worker=worker, item__stage=WRITING)


def check(batch: Batch, said: str) -> Judgment:
    worker = make_worker(batch.project)
    answer_page(worker, stage=CHECK, answering=saying(caption_check={"caption": said}))
    advance_pending(now=NOW)
    return Judgment.objects.get(worker=worker)


def captions(batch: Batch) -> list[tuple[str, str]]:
    rows = WrittenCaption.objects.filter(work__batch=batch).order_by("judgment")
    return list(rows.values_list("text", "state"))


def verified(batch: Batch) -> None:
    check_promises(batch.project)
    check_rules(batch.project)


def test_five_workers_write_and_others_check_what_they_wrote() -> None:
    batch = make_captions(images=2)
    assert set(ImageWork.objects.values_list("state", "campaign")) == {("asking", "captions")}
    assert set(Item.objects.values_list("stage", "needed")) == {(WRITING, 5)}
    answer_all(batch)
    assert state_of(batch) == Batch.State.FINISHED
    assert {state for _, state in captions(batch)} == {State.ACCEPTED}
    for work in ImageWork.objects.all():
        writers = Judgment.objects.filter(item__work=work, item__stage=WRITING).values_list("worker")
        assert len(set(writers)) == len(writers) == 5
        assert work.state == ImageWork.State.DONE
    assert Item.objects.filter(stage=CHECK, needed=1, judged=1, state="done").count() == 10
    rules = Transition.objects.filter(chain=None).values_list("rule", flat=True)
    assert sorted(rules) == ["opened"] * 2 + ["questions-done"] * 2
    verified(batch)


def test_nobody_is_asked_about_their_own_caption_nor_to_write_twice() -> None:
    batch = make_captions()
    worker = make_worker(batch.project)
    answer_page(worker, stage=WRITING)
    advance_pending(now=NOW)
    assert Item.objects.get(stage=CHECK).author_id == worker.pk
    assert claim_maybe(worker, stage=CHECK) is None
    assert claim_maybe(worker, stage=WRITING) is None
    assert claim_maybe(make_worker(batch.project), stage=CHECK) is not None


def test_a_caption_that_does_not_describe_the_image_is_written_again_by_somebody_else() -> None:
    batch = make_captions(captions={"wanted": 1})
    write(batch, "A cat sleeps well .")
    assert captions(batch) == [("A cat sleeps well .", State.PROPOSED)]
    check(batch, "wrong")
    assert captions(batch) == [("A cat sleeps well .", State.REFUSED)]
    assert state_of(batch) == Batch.State.RUNNING
    assert (Item.objects.get(stage=WRITING).needed, Item.objects.get(stage=WRITING).state) == (2, "open")
    verified(batch)
    write(batch, "A dog runs fast .")
    check(batch, "minor")
    assert captions(batch)[1] == ("A dog runs fast .", State.ACCEPTED)
    assert state_of(batch) == Batch.State.FINISHED
    verified(batch)


def test_not_more_workers_are_asked_than_the_limit_says() -> None:
    batch = make_captions(captions={"wanted": 1, "refused": 2})
    for number in range(3):
        write(batch, f"Cat {number} sleeps well .")
        check(batch, "wrong")
    assert [state for _, state in captions(batch)] == [State.REFUSED] * 3
    assert state_of(batch) == Batch.State.FINISHED
    verified(batch)


def test_without_checks_a_caption_is_accepted_at_once() -> None:
    batch = make_captions(captions={"wanted": 2, "check": False})
    answer_all(batch)
    assert not Item.objects.filter(stage=CHECK).exists()
    assert [state for _, state in captions(batch)] == [State.ACCEPTED] * 2
    assert state_of(batch) == Batch.State.FINISHED
    verified(batch)


def test_a_flagged_caption_waits_for_a_researcher() -> None:
    batch = make_captions(captions={"wanted": 2})
    write(batch, "A dog runs fast .")
    copy = write(batch, "a dog runs fast")
    case = Case.objects.get()
    assert (case.reason, case.judgment, case.worker) == ("caption", copy, copy.worker)
    assert case.detail == {"caption": "a dog runs fast", "flags": ["repeats-other"]}
    assert captions(batch)[1] == ("a dog runs fast", State.FLAGGED)
    assert Item.objects.filter(stage=CHECK).count() == 1, "nobody checks it meanwhile"
    check(batch, "right")
    assert state_of(batch) == Batch.State.RUNNING
    verified(batch)
    decision = rule_on_caption(
        judgment_id=copy.pk, accept=True, text="A brown dog runs .", by="rita", note="edited", now=NOW
    )
    assert decision.content == {"judgment": copy.pk, "accepted": True, "text": "A brown dog runs ."}
    assert captions(batch)[1] == ("A brown dog runs .", State.ACCEPTED)
    assert Case.objects.get().decision == decision
    assert state_of(batch) == Batch.State.FINISHED
    verified(batch)


def test_a_refused_caption_is_written_again() -> None:
    batch = make_captions(captions={"wanted": 1, "check": False})
    first = write(batch, "A dog runs fast .")
    assert state_of(batch) == Batch.State.FINISHED
    rule_on_caption(judgment_id=first.pk, accept=False, text=None, by="rita", note="", now=NOW)
    assert state_of(batch) == Batch.State.RUNNING, "the batch is resumed"
    write(batch, "A cat sleeps well .")
    assert captions(batch) == [("A dog runs fast .", State.REFUSED), ("A cat sleeps well .", State.ACCEPTED)]
    assert state_of(batch) == Batch.State.FINISHED
    verified(batch)


def test_what_a_writer_wrote_is_set_aside_and_counts_again() -> None:
    batch = make_captions(captions={"wanted": 1})
    first = write(batch, "A dog runs fast .")
    check(batch, "right")
    assert state_of(batch) == Batch.State.FINISHED
    decision = set_aside_worker(worker_id=first.worker_id, stage=WRITING, by="rita", note="", now=NOW)
    assert decision is not None
    advance_pending(now=NOW)
    assert captions(batch) == [("A dog runs fast .", State.WITHDRAWN)]
    assert state_of(batch) == Batch.State.RUNNING
    assert Item.objects.get(stage=CHECK).state == Item.State.WITHDRAWN
    verified(batch)
    reinstate(decision_id=decision.pk, by="rita", note="", now=NOW)
    advance_pending(now=NOW)
    assert captions(batch) == [("A dog runs fast .", State.ACCEPTED)]
    assert Item.objects.get(stage=CHECK).state == Item.State.DONE
    assert state_of(batch) == Batch.State.FINISHED
    verified(batch)


def test_a_check_that_is_set_aside_is_asked_again() -> None:
    batch = make_captions(captions={"wanted": 1})
    write(batch, "A dog runs fast .")
    careless = check(batch, "wrong")
    assert Item.objects.get(stage=WRITING).needed == 2
    set_aside_worker(worker_id=careless.worker_id, stage=CHECK, by="rita", note="", now=NOW)
    advance_pending(now=NOW)
    assert captions(batch) == [("A dog runs fast .", State.PROPOSED)]
    assert (Item.objects.get(stage=WRITING).needed, Item.objects.get(stage=WRITING).state) == (1, "done")
    verified(batch)
    check(batch, "right")
    assert state_of(batch) == Batch.State.FINISHED
    verified(batch)


@pytest.mark.parametrize(("stage", "groups"), [(GRADING, 4), (RELEVANCE, 2)])
def test_three_workers_judge_every_caption(stage: str, groups: int) -> None:
    batch = make_judged(stage, images=2, groups=groups)
    items = Item.objects.filter(batch=batch)
    assert set(items.values_list("stage", "needed", "state")) == {(stage, 3, "open")}
    assert items.count() == 2 * groups
    for item in items:
        pairs = JudgedPair.objects.filter(work=item.work, number=item.visit).order_by("place")
        assert item.captions == list(pairs.values_list("caption_id", flat=True))
    answer_all(batch)
    assert state_of(batch) == Batch.State.FINISHED
    for item in items.all():
        assert item.judgments.values("worker").distinct().count() == item.judged == 3
    verified(batch)


def test_a_judgment_that_is_set_aside_is_given_again_by_another_worker() -> None:
    batch = make_judged(RELEVANCE, relevance={"judges": 2})
    careless = make_worker(batch.project)
    answer_page(careless, answering=saying(relevance={"describes": [False, True]}))
    answer_page(make_worker(batch.project))
    advance_pending(now=NOW)
    assert state_of(batch) == Batch.State.FINISHED
    set_aside_worker(worker_id=careless.pk, stage=RELEVANCE, by="rita", note="", now=NOW)
    advance_pending(now=NOW)
    assert state_of(batch) == Batch.State.RUNNING
    assert claim_maybe(careless) is None
    verified(batch)
    answer_page(make_worker(batch.project))
    advance_pending(now=NOW)
    assert state_of(batch) == Batch.State.FINISHED
    verified(batch)


def test_an_image_is_judged_in_several_batches_at_once() -> None:
    first = make_judged(RELEVANCE)
    image = ImageWork.objects.get().image
    pair = JudgedPair.objects.first()
    assert pair is not None
    settings = parse_settings({"protocol": "relevance-expert", "regime": "open"})
    second = create_batch(project=first.project, name="again", settings=settings, images=[image.pk])
    queue_pairs(second, [(image.pk, [pair.caption_id])])
    launched(second)
    answer_all(second)
    answer_all(first)
    assert state_of(first) == state_of(second) == Batch.State.FINISHED
    verified(first)


def test_an_image_rests_if_nobody_can_see_its_photograph() -> None:
    batch = make_judged(RELEVANCE)
    for _ in range(2):
        answer_page(make_worker(batch.project), answering=saying(relevance={"unusable": True}))
    advance_pending(now=NOW)
    work = ImageWork.objects.get()
    assert (work.state, Item.objects.get().state) == ("resting", "withdrawn")
    assert Case.objects.get().reason == Case.Reason.PHOTOGRAPH
    verified(batch)
    let_go_on(work_id=work.pk, by="rita", note="", now=NOW)
    assert (ImageWork.objects.get().state, Item.objects.get().state) == ("asking", "open")
    answer_all(batch)
    assert state_of(batch) == Batch.State.FINISHED
    verified(batch)


def test_an_image_rests_if_two_workers_cannot_tell_an_answer() -> None:
    batch = make_judged(GRADING, unsure_share=0.5)
    for _ in range(2):
        answer_page(make_worker(batch.project), answering=saying(grading={"unsure": True}))
    advance_pending(now=NOW)
    work = ImageWork.objects.get()
    case = Case.objects.get()
    assert (work.state, case.reason, case.stage) == ("resting", Case.Reason.UNSURE, GRADING)
    assert Abstention.objects.count() == 2
    verified(batch)
    let_go_on(work_id=work.pk, by="rita", note="", now=NOW)
    assert ImageWork.objects.get().state == "asking"
    verified(batch)


def test_a_second_read_changes_nothing() -> None:
    batch = make_captions(captions={"wanted": 2})
    write(batch, "A dog runs fast .")
    before = list(Item.objects.order_by("pk").values())
    Item.objects.filter(stage=WRITING).update(unread=True)
    ImageWork.objects.update(replayed=True)
    advance_pending(now=NOW)
    assert list(Item.objects.order_by("pk").values()) == before
    verified(batch)


def test_a_page_in_hand_counts_although_its_question_is_decided() -> None:
    batch = make_captions(captions={"wanted": 2})
    write(batch, "A dog runs fast .")
    check(batch, "wrong")
    write(batch, "A dog sits still .")
    late = claim_page(make_worker(batch.project), stage=WRITING)
    wrong = Judgment.objects.get(item__stage=CHECK)
    set_aside_worker(worker_id=wrong.worker_id, stage=CHECK, by="rita", note="", now=NOW)
    advance_pending(now=NOW)
    item = Item.objects.get(stage=WRITING)
    assert (item.state, item.judged, item.leased, item.needed) == ("done", 2, 1, 3)
    check_promises(batch.project)
    submit_page(late)
    advance_pending(now=NOW)
    assert Item.objects.get(stage=WRITING).judged == 3
    assert len(captions(batch)) == 3
    answer_all(batch)
    assert state_of(batch) == Batch.State.FINISHED
    check_rules(batch.project)


def test_differences_of_stored_rows_are_found() -> None:
    batch = make_captions(captions={"wanted": 1})
    write(batch, "A dog runs fast .")
    check(batch, "right")
    works = list(ImageWork.objects.values_list("pk", flat=True))
    assert verify(works) == []
    WrittenCaption.objects.update(text="A cat runs .", state=State.REFUSED)
    Item.objects.filter(stage=WRITING).update(needed=3)
    ImageWork.objects.update(state=ImageWork.State.ASKING)
    lines = "\n".join(verify(works))
    assert "state is asking, what counts says done" in lines
    assert "A cat runs ." in lines and "needed=3" not in lines
    Item.objects.filter(stage=CHECK).update(leased=0, state="open")
    assert any("caption_check" in line for line in verify(works))


def test_decisions_about_captions_are_stored_once_each() -> None:
    batch = make_captions(captions={"wanted": 1})
    first = write(batch, "A dog runs fast .")
    for accept in (False, True):
        rule_on_caption(judgment_id=first.pk, accept=accept, text=None, by="rita", note="", now=NOW)
    assert Decision.objects.filter(kind=Decision.Kind.WRITTEN).count() == 2
    assert captions(batch) == [("A dog runs fast .", State.ACCEPTED)], "the last one holds"
    verified(batch)
