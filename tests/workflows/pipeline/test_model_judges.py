"""A model answers joint checks before workers: what its answers may do to a chain, and what they may not."""

from __future__ import annotations

import random

import pytest

from annotation.models import Batch, Box, Chain, Decision, ImageWork, Item, Judgment, ModelAnswer
from tests.entities_fast import ONE, TWO, answer, drawn, said, unsteady
from tests.factories import (
    NOW,
    claim_maybe,
    claim_page,
    make_batch,
    make_controlled,
    make_project,
    make_random_image,
    make_worker,
    submit_page,
)
from tests.judging_models import JUDGE, SURE, count_for, held, judge_all, make_judge, make_judged, reply_to
from tests.workflows.pipeline.invariants import check_promises, check_rules, is_over
from tests.workflows.quality.answered_pages import enter, standing
from workflows.judges.answers import take_model_answers
from workflows.judges.versions import find_model
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.replay import request_replay
from workflows.pipeline.replay.verify_state import verify
from workflows.quality.standings import mark_stale, refresh_standings
from workflows.review.set_aside import set_aside_worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch() -> Batch:
    """A batch whose only chain has two new boxes, which wait for the model."""
    batch = make_judged()
    answer(batch, drawn(ONE, TWO))
    return batch


def state() -> str:
    return Chain.objects.get().state


def agrees() -> bool:
    """Return whether one step at a time and a replay of everything say the same."""
    check_rules(ImageWork.objects.get().batch.project)
    return True


@pytest.mark.both_databases
def test_nobody_is_asked_until_the_model_has_answered(batch: Batch) -> None:
    (item,) = held()
    assert (item.stage, item.judged, item.needed) == ("check", 0, 0)
    assert claim_maybe(make_worker(batch.project)) is None
    assert agrees()
    judge_all(batch)
    assert not held()
    assert claim_maybe(make_worker(batch.project)) is not None
    assert agrees()


@pytest.mark.both_databases
def test_a_sealed_answer_changes_nothing(batch: Batch) -> None:
    """Whatever the model says: workers decide as if it had not answered."""
    judge_all(batch, "wrong", "wrong", missing=True)
    for _ in range(2):
        answer(batch, said("good", "loose"))
    assert list(Box.objects.order_by("pk").values_list("state", flat=True)) == ["accepted", "rejected"]
    assert state() == "boxes"
    assert agrees()


@pytest.mark.both_databases
def test_an_answer_that_counts_settles_a_good_and_complete_chain_alone(batch: Batch) -> None:
    count_for(held()[0], SURE, SURE, complete=SURE)
    assert state() == "done"
    item = Item.objects.get(stage="check")
    assert (item.state, item.needed, item.judged) == ("done", 0, 0)
    assert ImageWork.objects.get().state == "done"
    assert agrees()


@pytest.mark.parametrize(
    ("boxes", "complete"), [((-SURE, -SURE), SURE), ((SURE, -SURE), SURE), ((SURE, SURE), -SURE)]
)
def test_no_answer_of_a_model_alone_rejects_a_box_or_asks_for_one(
    batch: Batch, boxes: tuple[float, ...], complete: float
) -> None:
    count_for(held()[0], *boxes, complete=complete)
    assert state() == "check"
    assert claim_maybe(make_worker(batch.project)) is not None
    assert set(Box.objects.values_list("state", flat=True)) == {"proposed"}
    assert agrees()


def test_one_worker_and_the_model_decide_where_they_agree(batch: Batch) -> None:
    """Two workers are asked without a model where one box is bad."""
    count_for(held()[0], SURE, -SURE, complete=SURE)
    answer(batch, said("good", "loose"))
    assert list(Box.objects.order_by("pk").values_list("state", flat=True)) == ["accepted", "rejected"]
    assert (state(), len(held())) == ("boxes", 0)
    assert agrees()


@pytest.mark.both_databases
def test_an_answer_that_is_set_aside_counts_no_more(batch: Batch) -> None:
    """The chain that it settled alone is asked of workers, and not of the model again."""
    count_for(held()[0], SURE, SURE, complete=SURE)
    decision = Decision.objects.create(project=batch.project, kind="distrust", by="ada", created_at=NOW)
    ModelAnswer.objects.update(set_aside=decision)
    request_replay(judgments=[], works=[ImageWork.objects.get().pk])
    Item.objects.filter(stage="check").update(unread=True)
    advance_pending(now=NOW)
    assert (state(), held()) == ("check", [])
    answer(batch, said("good", "good"))
    assert state() == "done"
    assert agrees()


@pytest.mark.both_databases
def test_a_check_whose_boxes_are_gone_is_held_no_more(batch: Batch) -> None:
    drawer = Judgment.objects.get().worker
    set_aside_worker(worker_id=drawer.pk, stage="boxes", by="ada", note="", now=NOW, unsupported_only=False)
    advance_pending(now=NOW)
    assert (state(), held()) == ("boxes", [])
    answer(batch, drawn(ONE))
    assert [item.stage for item in held()] == ["check"], "the model is asked about the new box"
    judge_all(batch)
    answer(batch, said("good"))
    assert state() == "done"
    assert agrees()


@pytest.mark.both_databases
def test_a_worker_earns_no_trust_by_boxes_that_only_a_model_judged() -> None:
    control = {"entrance": 5, "recent": 5, "trusted_share": 0}
    batch = make_controlled("boxes", "trusted", images=12, control=control)
    make_judge(batch.project)
    Batch.objects.update(settings={**batch.settings, "judge": {"model": JUDGE}})
    drawer = make_worker(batch.project)
    enter(drawer, "boxes")
    submit_page(claim_page(drawer, stage="boxes"))
    advance_pending(now=NOW)
    others = held()[1:]
    assert others
    for item in others:
        count_for(item, SURE, complete=SURE)
    assert Box.objects.filter(state="accepted").count() == len(others)
    mark_stale(worker_ids=[drawer.pk])
    refresh_standings(worker_id=drawer.pk, now=NOW)
    assert standing(drawer)[:3] == ("trusted", 5, 5), "by questions alone"
    judge_all(batch)
    submit_page(claim_page(make_worker(batch.project), stage="check"))
    advance_pending(now=NOW)
    mark_stale(worker_ids=[drawer.pk])
    refresh_standings(worker_id=drawer.pk, now=NOW)
    assert standing(drawer)[:3] == ("trusted", 6, 6), "and by the box that a worker judged"


@pytest.mark.both_databases
def test_the_stored_state_is_a_fold_whatever_models_and_workers_say() -> None:
    rng = random.Random(33)
    project = make_project()
    for _ in range(3):
        make_random_image(project, rng)
    make_judge(project)
    make_batch(project, protocol="entities-fast", judge={"model": JUDGE})
    model = find_model(project_id=project.pk, named=JUDGE)
    assert model is not None
    workers = [make_worker(project) for _ in range(8)]
    for step in range(600):
        page = claim_maybe(rng.choice(workers), now=NOW)
        if page is not None:
            submit_page(page.assignment, answering=unsteady(rng))
        if waiting := held():
            item = rng.choice(waiting)
            number = len(reply_to(item).answer["boxes"])
            if rng.random() < 0.5:
                weights = [rng.uniform(-SURE, SURE) for _ in range(number)]
                count_for(item, *weights, complete=rng.uniform(-SURE, SURE))
            else:
                take_model_answers(model=model, replies=[reply_to(item)], now=NOW)
        if step % 3 == 0:
            advance_pending(now=NOW)
            check_promises(project)
            check_rules(project)
        if step == 100:
            worker = rng.choice(workers)
            set_aside_worker(
                worker_id=worker.pk, stage="check", by="ada", note="", now=NOW, unsupported_only=False
            )
        if is_over(project):
            break
    else:
        raise AssertionError("the work does not end")
    advance_pending(now=NOW)
    assert verify(list(ImageWork.objects.values_list("pk", flat=True))) == []
    assert Item.objects.filter(stage="check", state="done", judged=0).exists(), "the model settled some alone"
