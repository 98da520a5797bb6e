"""Figures are counted if something changed, not too often, and by one process at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from annotation.models import (
    Abstention,
    Assignment,
    Batch,
    Decision,
    Item,
    Judgment,
    VerificationQuestion,
    Worker,
)
from tests.factories import (
    NOW,
    Answering,
    answer_page,
    claim_page,
    make_at_stage,
    make_controlled,
    make_running,
    make_worker,
    submit_page,
)
from tests.workflows.threads import at_once
from workflows import tasks
from workflows.analysis.counts import outdated_workers, refresh
from workflows.analysis.counts.refresh import count_due
from workflows.analysis.counts.selectors import kept
from workflows.analysis.domain.kept_counts import OF_BATCHES, OF_PROJECTS
from workflows.analysis.models import KeptCounts, WorkerCounts
from workflows.batches.lifecycle import move_batch
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.models import Transition
from workflows.review.set_aside import set_aside_worker

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

LINK = [["man"], ["man"]]
ALL = len(OF_PROJECTS) + 1 + len(OF_BATCHES)  # and the workers of a project


def count_at(time: datetime) -> int:
    return count_due(clock=lambda: time)


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


@pytest.fixture
def batch() -> Batch:
    """Make a running batch with one judgment at NOW, which was read."""
    batch = make_running(LINK)
    answer_page(make_worker(batch.project))
    advance_pending(now=NOW)
    return batch


def test_a_project_and_its_batch_are_counted_once_until_something_happens(batch: Batch) -> None:
    assert count_at(later(90)) == ALL
    assert kept(batch=batch).counted_at == later(90)
    assert count_at(later(110)) == 1  # the review queue
    found = kept(batch=batch)
    assert found.judgments is not None and found.judgments.stages["link"].judgments == 1
    # Nothing happened, so the figures are those of now.
    assert found.counted_at == later(110)


def test_what_happened_is_in_the_next_count_but_not_in_one_too_early(batch: Batch) -> None:
    count_at(later(90))
    answer_page(make_worker(batch.project), now=later(91))
    assert count_at(later(104)) == 0
    assert kept(batch=batch).counted_at == later(90)
    assert count_at(later(106)) > OF_BATCHES.index("money")
    found = kept(batch=batch)
    assert found.judgments is not None and found.judgments.stages["verification"].judgments == 1


def test_what_took_long_to_count_rests_thirty_times_as_long(batch: Batch) -> None:
    count_at(later(90))
    KeptCounts.objects.filter(batch=batch, kind="items").update(seconds=10)
    answer_page(make_worker(batch.project), now=later(91))
    count_at(later(389))
    at = dict(KeptCounts.objects.filter(batch=batch).values_list("kind", "counted_at"))
    assert at.pop("items") == later(90) and set(at.values()) == {later(389)}
    count_at(later(391))
    assert KeptCounts.objects.get(batch=batch, kind="items").counted_at == later(391)


def test_a_late_commit_is_seen_since_the_last_minute_is_looked_at_again(batch: Batch) -> None:
    count_at(later(90))
    answer_page(make_worker(batch.project), now=later(80))
    count_at(later(106))
    found = kept(project=batch.project)
    assert found.items is not None and found.items.stages["verification"].waiting == 1


def test_a_page_in_somebodys_hands_is_counted_when_it_is_gone_too(batch: Batch) -> None:
    worker = make_worker(batch.project)
    claim_page(worker, now=later(80))
    count_at(later(90))
    worker.assignments.update(state="expired")
    count_at(later(106))
    assert KeptCounts.objects.get(batch=batch, kind="items").data["mark"]["held"] == 0


def test_after_the_clock_was_set_back_what_happens_is_counted_at_once(batch: Batch) -> None:
    count_at(later(90))
    back = NOW - timedelta(hours=2)
    answer_page(make_worker(batch.project), now=back)
    first = WorkerCounts.objects.get()
    count_at(back + timedelta(seconds=30))
    found = kept(batch=batch)
    assert found.judgments is not None and found.judgments.stages["verification"].judgments == 1
    assert found.counted_at == back + timedelta(seconds=30), "no time from the future is left"
    assert WorkerCounts.objects.count() == 2
    assert WorkerCounts.objects.get(pk=first.pk).counted_at < first.counted_at


def test_after_an_upgrade_that_changed_a_rule_workers_who_are_idle_are_counted_again(batch: Batch) -> None:
    count_at(later(90))
    WorkerCounts.objects.update(stages={})
    count_at(later(300))
    assert not WorkerCounts.objects.get().stages, "nothing changed"
    row = KeptCounts.objects.get(project=batch.project_id, batch=None, kind="workers")
    row.data["mark"]["rules"] -= 1
    row.save()
    count_at(later(600))
    assert WorkerCounts.objects.get().stages


def test_a_batch_that_is_over_is_counted_once_more_and_then_left_alone(batch: Batch) -> None:
    count_at(later(90))
    move_batch(batch=batch, action="cancel")
    count_at(later(106))
    found = kept(batch=batch)
    assert found.items is not None and found.items.images["released"] == 1
    count_at(later(10_000))
    assert kept(batch=batch).counted_at == later(106)


def decide_about(batch: Batch, at: datetime) -> None:
    Decision.objects.create(
        project=batch.project, batch=batch, kind=Decision.Kind.SET_ASIDE, by="ada", created_at=at
    )


def test_what_happens_to_a_batch_that_is_over_is_counted_though_it_had_to_rest(batch: Batch) -> None:
    move_batch(batch=batch, action="cancel")
    count_at(later(90))
    KeptCounts.objects.filter(batch=batch).update(seconds=20)
    decide_about(batch, later(210))
    for seconds in (211, 500, 689):
        count_at(later(seconds))
        assert kept(batch=batch).counted_at == later(90)
    count_at(later(690))
    assert kept(batch=batch).counted_at == later(690)


def test_what_happens_to_a_batch_that_is_over_while_nobody_counts_is_counted(batch: Batch) -> None:
    move_batch(batch=batch, action="cancel")
    count_at(later(90))
    count_at(later(110))
    decide_about(batch, later(111))
    count_at(later(10_000))
    assert kept(batch=batch).counted_at == later(10_000)
    count_at(later(10_020))
    assert kept(batch=batch).counted_at == later(10_000)


def test_what_happens_to_a_batch_that_is_over_while_it_is_counted_is_not_forgotten(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(target: object, now: datetime) -> object:
        monkeypatch.undo()
        decide_about(batch, later(291))
        count_at(later(295))  # another run, which sees this one and leaves it alone
        return count(target, now)

    move_batch(batch=batch, action="cancel")
    count_at(later(90))
    decide_about(batch, later(200))
    count: Any = refresh.COUNTS["hours"]
    monkeypatch.setattr(refresh, "COUNTS", {**refresh.COUNTS, "hours": slow})
    rows = KeptCounts.objects.filter(batch=batch, kind="hours")
    KeptCounts.objects.exclude(pk=rows.get().pk).update(seconds=1000)
    count_at(later(205))
    assert rows.get().counted_at == later(205)
    count_at(later(10_000))
    assert rows.get().counted_at == later(10_000)


def test_after_a_long_time_without_anybody_counting_all_is_counted(batch: Batch) -> None:
    count_at(later(90))
    assert count_at(later(1000)) == ALL - 1  # nothing was imported


def test_workers_are_counted_when_they_gave_judgments(batch: Batch) -> None:
    count_at(later(90))
    first = WorkerCounts.objects.get()
    second = make_worker(batch.project)
    answer_page(second, now=later(91))
    count_at(later(900))  # however long the count before took on a busy machine
    assert WorkerCounts.objects.get(worker=first.worker_id).counted_at == later(90)
    found = WorkerCounts.objects.get(worker=second)
    assert (found.counted_at, found.judgments, found.last_at) == (later(900), 1, later(91))


def test_hours_of_a_worker_and_of_days_have_what_could_not_be_answered(batch: Batch) -> None:
    count_at(later(90))
    worker, before = Worker.objects.get(), WorkerCounts.objects.get()
    page = Assignment.objects.filter(worker=worker, state="submitted").order_by("pk")[0]
    item = Item.objects.filter(stage=page.stage).order_by("-pk")[0]
    Abstention.objects.create(
        kind="unsure", item=item, work=item.work, worker=worker, assignment=page, after=0, seconds=360,
        created_at=later(91),
    )  # fmt: skip
    count_at(later(900))
    after = WorkerCounts.objects.get()
    more = after.stages[page.stage]["seconds"] - before.stages[page.stage]["seconds"]
    assert more == 360 and after.judgments == before.judgments
    hours = kept(project=batch.project).hours
    assert hours is not None
    of_worker = sum(stage["seconds"] for stage in after.stages.values())
    assert sum(hours.seconds.values()) == pytest.approx(of_worker, abs=0.5)


def test_who_could_answer_nothing_has_hours_too(batch: Batch) -> None:
    """The days counted them, and no worker had them."""
    count_at(later(90))
    worker = make_worker(batch.project)
    page = Assignment.objects.filter(state="submitted").order_by("pk")[0]
    page.pk, page.worker, page._state.adding = uuid4(), worker, True
    page.save()
    item = Item.objects.filter(stage=page.stage).order_by("-pk")[0]
    Abstention.objects.create(
        kind="unsure", item=item, work=item.work, worker=worker, assignment=page, after=0, seconds=360,
        created_at=later(91),
    )  # fmt: skip
    count_at(later(900))
    found = WorkerCounts.objects.get(worker=worker)
    assert (found.judgments, found.last_at, found.through) == (0, None, 0)
    assert found.stages[page.stage]["seconds"] == 360
    hours = kept(project=batch.project).hours
    assert hours is not None
    rows = [stage["seconds"] for one in WorkerCounts.objects.all() for stage in one.stages.values()]
    assert sum(hours.seconds.values()) == pytest.approx(sum(rows), abs=0.5)


def test_answers_to_questions_count_apart_and_those_to_wrong_ones_not_at_all() -> None:
    batch = make_controlled("quality", "verification", images=8, questions=10)
    answer_page(make_worker(batch.project), stage="quality")
    answers = list(Judgment.objects.filter(question__isnull=False))
    assert len(answers) == 2
    VerificationQuestion.objects.filter(judgments=answers[0]).update(retired="void")
    count_due(clock=lambda: NOW, project_id=batch.project_id)
    found = kept(batch=batch).judgments
    assert found is not None
    stage = found.stages["quality"]
    assert (stage.judgments, stage.asked, stage.right) == (8, 1, 1)
    one = WorkerCounts.objects.get(stages__has_key="quality")
    assert (one.judgments, one.questions, one.right) == (8, 1, 1)


def test_one_that_cannot_be_counted_stops_no_other_and_is_tried_again(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(refresh, "COUNTS", {**refresh.COUNTS, "items": fail})
    with pytest.raises(ExceptionGroup):
        count_at(later(90))
    assert kept(batch=batch).items is None and kept(batch=batch).money is not None
    monkeypatch.undo()
    assert count_at(later(119)) == 1  # the review queue: the count that failed waits
    assert count_at(later(121)) == 2
    assert kept(batch=batch).items is not None
    assert "failed" not in KeptCounts.objects.get(batch=batch, kind="items").data


def test_what_fails_again_and_again_rests_longer_each_time(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[datetime] = []

    def fail(_: object, now: datetime) -> None:
        tried.append(now)
        raise ValueError("broken")

    monkeypatch.setattr(refresh, "COUNTS", {**refresh.COUNTS, "queue": fail})
    for seconds in range(90, 310, 15):
        with contextlib.suppress(ExceptionGroup):
            count_at(later(seconds))
    assert tried == [later(90), later(120), later(180), later(300)]


def test_a_run_that_is_full_leaves_the_rest_to_the_next(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "RUN_SECONDS", -1)
    assert count_at(later(90)) == 0
    monkeypatch.undo()
    assert count_at(later(90)) == ALL


def test_who_was_taken_for_dead_writes_nothing(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(target: object, now: datetime) -> object:
        KeptCounts.objects.filter(kind="queue").update(
            data={"claim": {"by": "another", "at": NOW.isoformat()}}
        )
        return count(target, now)

    count: Any = refresh.COUNTS["queue"]
    monkeypatch.setattr(refresh, "COUNTS", {**refresh.COUNTS, "queue": slow})
    count_at(later(90))
    assert KeptCounts.objects.get(kind="queue").data["claim"]["by"] == "another"


def test_a_task_counts_what_is_due(batch: Batch) -> None:
    tasks.refresh_counts()
    assert kept(project=batch.project).corpus is not None


@pytest.mark.django_db(transaction=True)
def test_runs_at_the_same_moment_count_everything_once() -> None:
    batch = make_running(LINK)
    submit_page(claim_page(make_worker(batch.project)))
    counted: Iterator[int] = iter(at_once([lambda: count_at(later(90))] * 3))
    assert sum(counted) == ALL
    assert KeptCounts.objects.count() == ALL
    assert not KeptCounts.objects.filter(data__has_key="claim").exists()


def test_who_drew_boxes_is_counted_again_when_they_were_judged() -> None:
    batch = make_at_stage("drawing")
    drawer = make_worker(batch.project)
    answer_page(drawer, stage="drawing", now=later(80))
    advance_pending(now=later(81))
    count_at(later(90))
    assert WorkerCounts.objects.get(worker=drawer).agreement is None
    answer_page(make_worker(batch.project), stage="quality", now=later(300))
    count_at(later(301))
    assert WorkerCounts.objects.get(worker=drawer).agreement is None
    advance_pending(now=later(500))
    count_at(later(501))
    assert WorkerCounts.objects.get(worker=drawer).agreement == 1
    # They are counted once more, for what may have been committed late, and then not again.
    for seconds in (600, 900):
        count_at(later(seconds))
    assert WorkerCounts.objects.get(worker=drawer).counted_at == later(600)


def test_who_answered_is_counted_again_when_others_answer_or_their_answers_are_set_aside() -> None:
    batch = make_at_stage("requirement")
    first, second = make_worker(batch.project), make_worker(batch.project)

    def says(answer: str) -> Answering:
        return lambda stage, question: {"requirement": answer}

    answer_page(first, stage="requirement", answering=says("scene"), now=later(80))
    advance_pending(now=later(81))
    count_at(later(90))
    assert WorkerCounts.objects.get(worker=first).agreement is None
    answer_page(second, stage="requirement", answering=says("scene"), now=later(300))
    advance_pending(now=later(301))
    count_at(later(302))
    assert WorkerCounts.objects.get(worker=first).agreement == 1
    set_aside_worker(
        worker_id=second.pk, stage="requirement", by="ada", note="", now=later(500), unsupported_only=False
    )
    advance_pending(now=later(501))
    count_at(later(502))
    found = WorkerCounts.objects.get(worker=first)
    assert (found.counted_at, found.agreement) == (later(502), None)


def test_rows_are_looked_through_so_many_at_a_time_and_none_is_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outdated_workers, "ROWS", 2)
    batch = make_at_stage("drawing")
    drawer = make_worker(batch.project)
    answer_page(drawer, stage="drawing")
    advance_pending(now=NOW)
    WorkerCounts.objects.create(worker=drawer, project=batch.project, counted_at=NOW)
    answer_page(make_worker(batch.project), stage="quality", now=later(200))
    advance_pending(now=later(201))
    marks: dict[str, int] = {}
    WorkerCounts.objects.update(counted_at=later(120))
    found = []
    for _ in range(Transition.objects.count()):
        workers, marks = outdated_workers.reached_workers(batch.project_id, marks, later(300))
        found += sorted(workers)
    assert found == [drawer.pk]
    assert marks == outdated_workers.newest_marks(later(300))


def test_setting_aside_what_nobody_supports_does_not_raise_the_agreement() -> None:
    """Issue 14: a worker agreed with everybody once only what others supported was left."""
    batch = make_at_stage("quality", images=4, items_a_page={"drawing": 4, "quality": 1})
    drawer = Judgment.objects.filter(item__stage="drawing").first()
    assert drawer is not None
    for good in (True, False, False, False):
        judge = make_worker(batch.project)
        answer_page(judge, stage="quality", answering=lambda *_, good=good: {"good": good}, now=NOW)
        advance_pending(now=NOW)
    count_at(later(100))
    assert WorkerCounts.objects.get(worker=drawer.worker).agreement == 0.25
    assert set_aside_worker(worker_id=drawer.worker_id, stage="drawing", by="ada", note="", now=later(200))
    advance_pending(now=later(201))
    count_at(later(300))
    assert Judgment.objects.filter(worker=drawer.worker, set_aside=None).count() == 1
    assert WorkerCounts.objects.get(worker=drawer.worker).agreement == 0.25
