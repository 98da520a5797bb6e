"""Judgments are set aside and reinstated, and what follows from the others is replayed."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from annotation.domain.chain_states import WITHDRAWN
from annotation.models import Assignment, Batch, Box, Chain, Decision, ImageWork, Item, Judgment, Worker
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
    submit_page,
    willing,
)
from tests.selection import and_nightly
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.pipeline.replay.courses import Course
from tests.workflows.pipeline.replay.twins import Names, described, images
from workflows.assignments.leases import expire_leases
from workflows.batches.lifecycle import move_batch
from workflows.pipeline.advance import advance_pending, open_queued
from workflows.pipeline.models import Transition
from workflows.review.set_aside import (
    SettingAsideError,
    reinstate,
    reject_pages,
    set_aside_worker,
    works_about,
)
from workflows.review.set_aside_choice import counting_of, reports_by

pytestmark = pytest.mark.django_db


def aside(worker: Worker, stage: str, *, everything: bool = False, **more: Any) -> Decision | None:
    return set_aside_worker(
        worker_id=worker.pk, stage=stage, by="ada", note="", now=NOW, unsupported_only=not everything, **more
    )


def go(batch: Batch, worker: Worker | None = None, answering: Answering = willing) -> Worker:
    """Let somebody answer one page, then advance."""
    worker = worker or make_worker(batch.project)
    answer_page(worker, answering=answering)
    advance_pending(now=NOW)
    return worker


def done() -> tuple[Batch, dict[str, list[Worker]]]:
    """Return a done image of one chain with one box, and who answered what."""
    batch = make_running([["man"], ["man"]])
    workers: dict[str, list[Worker]] = {}
    while Batch.objects.get(pk=batch.pk).state == Batch.State.RUNNING:
        stage = Item.objects.get(batch=batch, state="open").stage
        workers.setdefault(stage, []).append(go(batch))
    return batch, workers


def state(batch: Batch) -> list[object]:
    return [described(image, Names()) for image in images(batch).values()]


def test_a_drawing_that_is_set_aside_is_asked_again_and_what_came_after_is_withdrawn() -> None:
    batch, workers = done()
    (drawer,) = workers["drawing"]
    decision = aside(drawer, "drawing", everything=True)
    assert decision is not None and decision.kind == "set-aside"
    advance_pending(now=LATER)
    chain = Chain.objects.get()
    assert (chain.state, chain.boxes_accepted, chain.visits) == ("drawing", 0, 2)
    assert Box.objects.get().state == Box.State.WITHDRAWN
    assert dict(Item.objects.values_list("stage", "state")) == {
        "link": "done",
        "verification": "done",
        "drawing": "open",
        "quality": "withdrawn",
        "coverage": "withdrawn",
    }
    assert Item.objects.get(stage="drawing").queued_at == LATER
    assert Judgment.objects.filter(set_aside=decision).get().worker == drawer
    check_promises(batch.project)
    check_rules(batch.project)


def test_the_image_and_its_finished_batch_go_on() -> None:
    batch, workers = done()
    aside(workers["drawing"][0], "drawing", everything=True)
    advance_pending(now=NOW)
    assert ImageWork.objects.get().state == ImageWork.State.BOXING
    assert Batch.objects.get().state == Batch.State.RUNNING
    last = list(Transition.objects.order_by("pk").values_list("rule", "source", "target"))[-3:]
    assert last == [
        ("replayed", "done", "boxing"),
        ("replayed", "done", "drawing"),
        ("batch-resumed", "finished", "running"),
    ]
    assert claim_maybe(workers["drawing"][0], stage="drawing") is None, "nobody is asked the same twice"
    while Batch.objects.get().state == Batch.State.RUNNING:
        go(batch)
    assert Chain.objects.get().state == "done"
    check_rules(batch.project)


def test_a_cancelled_batch_stays_cancelled() -> None:
    project = make_project()
    for _ in range(3):
        make_image(project, [["dog"]])
    batch = make_batch(project, items_a_page={"requirement": 1})
    while not ImageWork.objects.filter(state="done").exists():
        go(batch, answering=lambda *_: {"requirement": "nobox"})
    move_batch(batch=batch, action="cancel")
    judgment = Judgment.objects.filter(item__work__state="done").earliest("pk")
    aside(judgment.worker, "requirement", everything=True)
    advance_pending(now=NOW)
    assert Batch.objects.get().state == Batch.State.CANCELLED
    assert not ImageWork.objects.filter(state="done").exists()


def test_supported_judgments_are_kept() -> None:
    _batch, workers = done()
    assert aside(workers["drawing"][0], "drawing") is None, "somebody called the box good"
    assert aside(workers["coverage"][0], "coverage") is None, "two agreed"
    assert aside(workers["quality"][0], "quality") is not None


def test_setting_aside_twice_sets_aside_once() -> None:
    _, workers = done()
    (judge,) = workers["quality"]
    assert aside(judge, "quality") is not None
    assert aside(judge, "quality") is None
    advance_pending(now=NOW)
    assert aside(judge, "quality") is None
    assert Decision.objects.count() == 1


def test_only_the_batch_that_was_named_is_touched() -> None:
    first = make_at_stage("quality")
    make_image(first.project, [["woman"]])
    second = make_batch(first.project, name="second")
    worker = make_worker(first.project)
    answer_page(worker, stage="quality")
    answer_page(worker, stage="drawing")
    advance_pending(now=NOW)
    assert aside(worker, "quality", batch_id=second.pk) is None
    assert aside(worker, "quality", batch_id=first.pk) is not None


def test_the_same_answer_brings_back_all_that_came_after() -> None:
    """About links: what was answered about the chains follows again, row by row."""
    batch, workers = done()
    before = state(batch)
    rows = set(Item.objects.values_list("pk", flat=True)), set(Chain.objects.values_list("pk", flat=True))
    aside(workers["link"][0], "link")
    advance_pending(now=NOW)
    assert Chain.objects.get().state == WITHDRAWN
    assert ImageWork.objects.get().state == ImageWork.State.LINKING
    go(batch)
    assert state(batch) == before
    assert rows == (
        set(Item.objects.values_list("pk", flat=True)),
        set(Chain.objects.values_list("pk", flat=True)),
    )
    assert ("revived", WITHDRAWN, "done") in Transition.objects.values_list("rule", "source", "target")
    check_rules(batch.project)


def test_reinstating_gives_the_state_before() -> None:
    batch, workers = done()
    before = state(batch)
    decision = aside(workers["verification"][0], "verification")
    assert decision is not None
    advance_pending(now=NOW)
    assert state(batch) != before
    again = reinstate(decision_id=decision.pk, by="ada", note="a mistake", now=NOW)
    assert reinstate(decision_id=decision.pk, by="ada", note="", now=NOW) == again
    advance_pending(now=NOW)
    assert state(batch) == before
    assert not Judgment.objects.filter(set_aside__isnull=False).exists()
    check_rules(batch.project)


@pytest.mark.parametrize("seed", and_nightly([0], [1, 2, 3], "other random work"))
def test_reinstating_gives_the_state_before_of_any_image(seed: int) -> None:
    course = Course("greedy_plus", seed)
    course.work(120)
    course.read()
    before = course.state()
    decisions = course.set_aside() + course.set_aside()
    course.read()
    for decision in reversed(decisions):
        reinstate(decision_id=decision.pk, by="ada", note="", now=NOW)
    course.read()
    assert course.state() == before
    course.check()


def test_only_what_was_set_aside_can_be_reinstated() -> None:
    _batch, workers = done()
    decision = aside(workers["quality"][0], "quality")
    assert decision is not None
    again = reinstate(decision_id=decision.pk, by="ada", note="", now=NOW)
    with pytest.raises(SettingAsideError, match="a decision to reinstate"):
        reinstate(decision_id=again.pk, by="ada", note="", now=NOW)
    with pytest.raises(SettingAsideError, match="no decision"):
        reinstate(decision_id=10**6, by="ada", note="", now=NOW)


def test_pages_that_are_rejected_are_asked_again_supported_or_not() -> None:
    _batch, workers = done()
    page = Assignment.objects.get(worker=workers["coverage"][0], stage="coverage")
    receipt = page.receipt
    decision = reject_pages(assignment_ids=[page.pk], by="policy:verification", now=NOW)
    assert decision is not None and decision.worker == page.worker
    assert reject_pages(assignment_ids=[page.pk], by="policy:verification", now=NOW) is None
    advance_pending(now=NOW)
    page.refresh_from_db()
    assert (page.verdict, page.receipt) == ("rejected", receipt)
    item = Item.objects.get(stage="coverage")
    assert (item.state, item.judged, item.needed) == ("open", 1, 2)
    reinstate(decision_id=decision.pk, by="ada", note="", now=NOW)
    page.refresh_from_db()
    assert page.verdict == "accepted"


def test_an_answer_to_a_withdrawn_item_is_kept_for_when_it_follows_again() -> None:
    batch, workers = done()
    aside(workers["coverage"][0], "coverage", everything=True)
    advance_pending(now=NOW)
    page = claim_page(make_worker(batch.project), stage="coverage")
    aside(workers["drawing"][0], "drawing", everything=True)
    advance_pending(now=NOW)
    item = Item.objects.get(stage="coverage")
    assert (item.state, item.leased) == ("withdrawn", 1)
    check_promises(batch.project)
    submit_page(page)
    advance_pending(now=NOW)
    check_promises(batch.project)
    check_rules(batch.project)
    decision = Decision.objects.filter(stage="drawing").get()
    reinstate(decision_id=decision.pk, by="ada", note="", now=NOW)
    advance_pending(now=NOW)
    item.refresh_from_db()
    assert (item.state, item.judged) == ("done", 2)
    assert Chain.objects.get().state == "done"
    check_rules(batch.project)


def test_a_lease_that_runs_out_on_a_withdrawn_item_leaves_nothing_behind() -> None:
    batch, workers = done()
    aside(workers["coverage"][0], "coverage", everything=True)
    advance_pending(now=NOW)
    claim_page(make_worker(batch.project), stage="coverage")
    aside(workers["drawing"][0], "drawing", everything=True)
    advance_pending(now=NOW)
    expire_leases(now=LATER)
    check_promises(batch.project)
    check_rules(batch.project)


def test_images_that_another_batch_has_by_now_are_not_asked_in_two() -> None:
    """A batch that finished at its target has left an image undone.

    It goes on with the images that it has done.
    """
    project = make_project()
    for _ in range(2):
        make_image(project, [["dog"]])
    first = make_batch(project, target=1, items_a_page={"requirement": 1})
    workers = [make_worker(project) for _ in range(2)]
    for worker in workers:
        page = claim_page(worker)
        submit_page(page, answering=lambda *_: {"requirement": "nobox"})
        advance_pending(now=NOW)
    for worker in reversed(workers):
        if Batch.objects.get().state == "running":
            submit_page(claim_page(worker), answering=lambda *_: {"requirement": "nobox"})
            advance_pending(now=NOW)
    assert Batch.objects.get().state == Batch.State.FINISHED
    second = make_batch(project, name="second")
    (left,) = ImageWork.objects.filter(batch=first, active=False)
    for worker in workers:
        aside(worker, "requirement", everything=True, batch_id=first.pk)
    advance_pending(now=NOW)
    open_queued(batch_id=first.pk, now=NOW)
    assert Batch.objects.get(pk=first.pk).state == Batch.State.RUNNING
    asked = Item.objects.filter(state="open", batch=first)
    assert {item.work_id for item in asked} == set(
        ImageWork.objects.filter(batch=first, active=True).values_list("pk", flat=True)
    )
    assert Item.objects.filter(state="open", batch=second, work__image=left.image_id).exists()
    check_rules(project)


@pytest.mark.both_databases
def test_the_images_of_judgments_are_found_by_their_key() -> None:
    pairs = [(make_worker(make_project()).pk, "link")]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Otherwise PostgreSQL would read a table this small as a whole.
            cursor.execute("SET LOCAL enable_seqscan = off")
    plan = works_about(counting_of(pairs, None), reports_by(pairs, None)).explain()
    assert "SubPlan" not in plan and "SCAN annotation_imagework" not in plan
