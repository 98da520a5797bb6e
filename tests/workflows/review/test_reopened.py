"""Images that were done and are reopened, in batches that are over or soon will be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from annotation.models import Batch, Chain, Decision, Image, ImageWork, Item, Judgment
from annotation.transactions import write_transaction
from tests.factories import (
    NOW,
    answer_page,
    claim_page,
    make_batch,
    make_image,
    make_project,
    make_worker,
    submit_page,
)
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.threads import at_once
from workflows.batches.lifecycle import BatchError, move_batch
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.batch_completion import finish_if_done
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.pipeline.replay.replay import resume_batches
from workflows.questions.images import free_images
from workflows.review.decide import decide_chain, version_of
from workflows.review.set_aside import reinstate, set_aside_worker

pytestmark = pytest.mark.django_db


def work(batch: Batch, done: int) -> None:
    """Let everybody say that no box can be drawn until so many images are done."""
    while ImageWork.objects.filter(batch=batch, state="done").count() < done:
        answer_page(make_worker(batch.project), answering=lambda *_: {"requirement": "nobox"})
        advance_pending(now=NOW)


def begun(images: int = 2, **settings: Any) -> Batch:
    project = make_project()
    for _ in range(images):
        make_image(project, [["dog"]])
    return make_batch(project, items_a_page={"requirement": 1}, **settings)


def cancelled() -> tuple[Batch, ImageWork]:
    """Make a cancelled batch with one image that is done."""
    batch = begun()
    work(batch, 1)
    move_batch(batch=batch, action="cancel")
    return batch, ImageWork.objects.get(state="done")


def reopen(done: ImageWork) -> Decision:
    judgment = Judgment.objects.filter(item__work=done).earliest("pk")
    decision = set_aside_worker(
        worker_id=judgment.worker_id,
        stage="requirement",
        by="ada",
        note="",
        now=NOW,
        unsupported_only=False,
    )
    assert decision is not None
    advance_pending(now=NOW)
    return decision


def free(batch: Batch) -> set[int]:
    return set(free_images(batch.project).values_list("pk", flat=True))


def test_a_cancelled_batch_lets_go_of_an_image_that_is_not_done_any_more() -> None:
    batch, done = cancelled()
    assert done.image_id not in free(batch)
    reopen(done)
    done.refresh_from_db()
    assert (done.state, done.active) == ("boxing", False)
    assert free(batch) == set(Image.objects.values_list("pk", flat=True))
    assert not Item.objects.filter(work=done, state="open").exists(), "nobody is asked in a cancelled batch"
    check_promises(batch.project)
    check_rules(batch.project)
    work(make_batch(batch.project, name="second"), 2)
    check_rules(batch.project)


def test_an_image_that_was_let_go_comes_back_with_the_judgments() -> None:
    batch, done = cancelled()
    decision = reopen(done)
    reinstate(decision_id=decision.pk, by="ada", note="", now=NOW)
    advance_pending(now=NOW)
    done.refresh_from_db()
    assert (done.state, done.active) == ("done", True)
    assert done.image_id not in free(batch)
    check_rules(batch.project)


@pytest.mark.parametrize("ends", ["cancelled", "finished"])
def test_an_image_that_is_given_up_while_it_is_asked_anew_stays_what_follows(ends: str) -> None:
    """What was open when the batch ended stays open, and accepts a page that comes late."""
    batch = begun(images=3, target=1 if ends == "finished" else None)
    careless = make_worker(batch.project)
    answer_page(careless, answering=lambda *_: {"requirement": "box"})
    advance_pending(now=NOW)
    set_aside_worker(
        worker_id=careless.pk, stage="requirement", by="ada", note="", now=NOW, unsupported_only=False
    )
    advance_pending(now=NOW)
    anew = ImageWork.objects.get(replayed=True)
    last = claim_page(make_worker(batch.project))
    if ends == "finished":
        work(batch, 1)
    else:
        move_batch(batch=batch, action="cancel")
    batch.refresh_from_db()
    anew.refresh_from_db()
    assert (batch.state, anew.active, anew.state) == (ends, False, "boxing")
    check_promises(batch.project)
    check_rules(batch.project)
    submit_page(last)
    advance_pending(now=NOW)
    check_rules(batch.project)


def test_an_image_that_another_batch_has_by_now_stays_there() -> None:
    batch, done = cancelled()
    decision = reopen(done)
    second = make_batch(batch.project, name="second")
    reinstate(decision_id=decision.pk, by="ada", note="", now=NOW)
    advance_pending(now=NOW)
    assert ImageWork.objects.get(image=done.image_id, active=True).batch == second
    check_rules(batch.project)


def decide(done: ImageWork, state: str) -> None:
    decide_chain(
        chain_id=Chain.objects.get(work=done).pk,
        by="ada",
        note="",
        now=NOW,
        state=state,
        boxes=[],
        flag="scene" if state == "nonvisual" else "",
        version=version_of(done),
    )


def test_a_decision_that_finishes_an_image_keeps_it_in_its_cancelled_batch() -> None:
    batch, done = cancelled()
    decide(done, "nonvisual")
    done.refresh_from_db()
    assert (done.state, done.active) == ("done", True)
    check_rules(batch.project)


def test_an_image_that_is_sent_back_in_a_cancelled_batch_is_free() -> None:
    batch, done = cancelled()
    decide(done, "drawing")
    assert done.image_id in free(batch)
    check_rules(batch.project)
    with pytest.raises(DecisionError, match="has released the image"):
        decide(done, "nonvisual")


def test_what_a_batch_was_cancelled_over_is_let_go_by_the_next_sweep() -> None:
    """The image was reopened during the cancellation, to which it was still done."""
    batch, done = cancelled()
    Batch.objects.update(state="running")
    reopen(done)
    Batch.objects.update(state="cancelled")
    resume_batches(now=NOW)
    done.refresh_from_db()
    assert not done.active
    check_rules(batch.project)


def test_a_batch_with_a_target_waits_for_an_image_that_was_reopened() -> None:
    batch = begun(4, target=2)
    work(batch, 2)
    batch.refresh_from_db()
    assert batch.state == "finished"
    done = ImageWork.objects.filter(state="done").earliest("pk")
    ImageWork.objects.filter(active=False).update(state="done", active=True)  # more images than the target
    reopen(done)
    batch.refresh_from_db()
    assert not finish_if_done(batch_id=batch.pk, now=NOW)
    assert (batch.state, ImageWork.objects.filter(active=False).count()) == ("running", 0)
    work(batch, 4)
    batch.refresh_from_db()
    assert batch.state == "finished"


def test_an_image_that_is_reopened_while_its_batch_finishes_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batch = begun(2)
    work(batch, 2)
    Batch.objects.update(state="running")
    done = ImageWork.objects.earliest("pk")

    def meanwhile() -> object:
        if not Decision.objects.exists():
            reopen(done)
        return write_transaction()

    monkeypatch.setattr("workflows.pipeline.batch_completion.write_transaction", meanwhile)
    finish_if_done(batch_id=batch.pk, now=NOW)
    done.refresh_from_db()
    assert done.active
    monkeypatch.undo()
    resume_batches(now=NOW)
    batch.refresh_from_db()
    assert batch.state == "running"


def test_an_image_that_is_done_again_by_then_resumes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = begun(1)
    work(batch, 1)
    ImageWork.objects.update(state="boxing")  # as a process saw it that looks for batches to resume

    def meanwhile() -> object:
        ImageWork.objects.update(state="done")
        return write_transaction()

    monkeypatch.setattr("workflows.pipeline.replay.replay.write_transaction", meanwhile)
    assert resume_batches(now=NOW) == 0
    batch.refresh_from_db()
    assert batch.state == "finished"
    assert not Transition.objects.filter(rule="batch-resumed").exists()


@pytest.mark.django_db(transaction=True)
def test_a_batch_that_is_cancelled_at_that_moment_lets_go_of_the_image() -> None:
    batch = begun(4)
    work(batch, 3)
    given = Judgment.objects.filter(item__work__state="done").order_by("pk")
    workers = set(given.values_list("worker_id", flat=True))
    aside = partial(set_aside_worker, stage="requirement", by="ada", note="", now=NOW, unsupported_only=False)
    calls: list[Callable[[], object]] = [partial(aside, worker_id=worker) for worker in sorted(workers)]
    calls += [partial(move_batch, batch=batch, action="cancel"), *[partial(advance_pending, now=NOW)] * 3]
    at_once(calls)
    advance_pending(now=NOW)
    resume_batches(now=NOW)  # like the sweep
    assert free(batch) == set(Image.objects.values_list("pk", flat=True))
    check_promises(batch.project)
    check_rules(batch.project)


@pytest.mark.django_db(transaction=True)
def test_an_image_that_comes_back_while_another_batch_takes_it_is_in_one() -> None:
    batch, done = cancelled()
    decision = reopen(done)
    reinstate(decision_id=decision.pk, by="ada", note="", now=NOW)

    def take() -> None:
        try:
            make_batch(batch.project, name="second", launch=False)
        except BatchError:
            assert ImageWork.objects.get(pk=done.pk).active, "the other one had it"

    calls: list[Callable[[], object]] = [partial(advance_pending, now=NOW), take]
    at_once(calls)
    assert ImageWork.objects.filter(image=done.image_id, active=True).count() == 1
    done.refresh_from_db()
    assert done.state == "done"
    check_rules(batch.project)
