"""docs/protocol.md, "Quality control": with the regime `verification`, all pages are judged, in sets."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import (
    Assignment,
    Batch,
    Case,
    ImageWork,
    Item,
    Judgment,
    Standing,
    VerificationQuestion,
    Worker,
)
from tests.factories import NOW, answer_page, claim_page, make_controlled, make_worker, submit_page
from tests.workflows.threads import at_once
from workflows import tasks
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.batch_completion import finish_if_done
from workflows.quality.page_scores import judge_idle, judge_rest
from workflows.quality.standings import restore_worker
from workflows.quality.void_questions import void_question
from workflows.review.enforcement import enforce_policies

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def wrongly(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
    return {"same": False}


def waiting(**control: Any) -> tuple[Batch, Worker]:
    """Make a worker with one page. Its two answers to questions are wrong, and are too few for a set."""
    batch = make_controlled("link", "verification", images=40, questions=60, control=control)
    worker = make_worker(batch.project)
    answer_page(worker, stage="link", answering=wrongly)
    return batch, worker


def verdicts(worker: Worker) -> list[str]:
    return sorted(Assignment.objects.filter(worker=worker).values_list("verdict", flat=True))


def test_a_submission_writes_its_page_once() -> None:
    batch = make_controlled("link", "verification", images=40, questions=60, control={"set_questions": 4})
    worker = make_worker(batch.project)
    for written in (1, 2):  # the second page fills the set, and the first page is judged with it
        page = claim_page(worker, stage="link")
        with CaptureQueriesContext(connection) as captured:
            submit_page(page)
        updates = [q["sql"] for q in captured if q["sql"].startswith('UPDATE "annotation_assignment"')]
        assert len(updates) == written
    assert verdicts(worker) == ["accepted", "accepted"]


def test_a_set_that_nobody_fills_is_judged_after_a_day() -> None:
    """ "A page set below the minimum is rejected and its items reopened." """
    batch, worker = waiting()
    good = make_worker(batch.project)
    answer_page(good, stage="link")
    assert judge_idle(now=NOW + DAY - timedelta(seconds=1)) == 0
    assert verdicts(worker) == verdicts(good) == ["pending"]
    assert judge_idle(now=NOW + DAY) == 2 and judge_idle(now=NOW + DAY) == 0
    assert (verdicts(worker), verdicts(good)) == (["failing"], ["accepted"])
    items = Assignment.objects.get(worker=worker).items
    enforce_policies(now=NOW)
    advance_pending(now=NOW)
    assert Item.objects.filter(pk__in=items, state="open").count() == len(items), "asked again"


def test_the_batch_says_how_long_a_worker_may_pause() -> None:
    waiting(idle_seconds=60)
    assert judge_idle(now=NOW + timedelta(seconds=59)) == 0
    assert judge_idle(now=NOW + timedelta(seconds=60)) == 1


def test_a_worker_who_goes_on_is_not_judged_early() -> None:
    _, worker = waiting()
    answer_page(worker, stage="link", now=NOW + DAY / 2)
    assert judge_idle(now=NOW + DAY) == 0
    assert verdicts(worker) == ["pending", "pending"]


def test_a_sweep_judges_what_was_left() -> None:
    _, worker = waiting()
    Assignment.objects.update(submitted_at=timezone.now() - 2 * DAY)
    tasks.sweep()
    assert verdicts(worker) == ["rejected"]


def test_a_set_that_is_not_full_costs_no_trust_before_two_are() -> None:
    _, worker = waiting()
    judge_idle(now=NOW + DAY)
    assert Standing.objects.get(worker=worker).state == "entering"
    assert not Case.objects.exists()


def test_after_two_sets_the_rest_counts_as_soon_as_it_is_judged() -> None:
    batch = make_controlled("link", "verification", images=60, control={"set_questions": 4})
    worker = make_worker(batch.project)
    for _ in range(4):
        answer_page(worker, stage="link")
    batch.settings["minimum_score"]["link"] = 0.9
    batch.save()
    answer_page(worker, stage="link", answering=wrongly)
    assert Standing.objects.get().state == "trusted"
    judge_idle(now=NOW + DAY)
    row = Standing.objects.get()
    assert (row.state, row.asked, row.right) == ("lost", 10, 8)
    assert len(Case.objects.get().detail["losses"]) == 1


def test_a_batch_does_not_finish_on_pages_that_nobody_judged() -> None:
    batch, worker = waiting()
    advance_pending(now=NOW)
    ImageWork.objects.filter(batch=batch).update(state="done")
    items = Assignment.objects.get(worker=worker).items
    assert not finish_if_done(batch_id=batch.pk, now=NOW)
    assert verdicts(worker) == ["failing"]
    assert not finish_if_done(batch_id=batch.pk, now=NOW), "its pages are not rejected yet"
    enforce_policies(now=NOW)
    assert not finish_if_done(batch_id=batch.pk, now=NOW), "its images are not asked again yet"
    advance_pending(now=NOW)
    batch.refresh_from_db()
    assert batch.state == "running"
    assert Item.objects.filter(pk__in=items, state="open").count() == len(items)


def test_a_batch_whose_last_pages_are_good_finishes() -> None:
    batch = make_controlled("link", "verification", images=40)
    worker = make_worker(batch.project)
    answer_page(worker, stage="link")
    advance_pending(now=NOW)
    ImageWork.objects.filter(batch=batch).update(state="done")
    assert finish_if_done(batch_id=batch.pk, now=NOW)
    assert verdicts(worker) == ["accepted"]


def test_answers_to_void_questions_reject_nobody() -> None:
    _, worker = waiting(set_questions=4)
    for question in VerificationQuestion.objects.filter(asked=1):
        void_question(question_id=question.pk, by="ada", note="wrong", now=NOW)
    answer_page(worker, stage="link")
    assert verdicts(worker) == ["pending", "pending"], "two answers that count"
    answer_page(worker, stage="link")
    assert verdicts(worker) == ["accepted"] * 3


def test_pages_without_an_answer_that_counts_are_accepted_in_the_end() -> None:
    _, worker = waiting()
    for question in VerificationQuestion.objects.filter(asked=1):
        void_question(question_id=question.pk, by="ada", note="wrong", now=NOW)
    judge_idle(now=NOW + DAY)
    assert verdicts(worker) == ["accepted"]


def test_pages_of_before_a_restore_stay_as_they_were() -> None:
    _, worker = waiting(set_questions=4)
    Standing.objects.update(state="lost")
    restore_worker(worker_id=worker.pk, stage="link", by="ann", note="", now=NOW)
    assert verdicts(worker) == ["accepted"]
    answer_page(worker, stage="link")
    assert verdicts(worker) == ["accepted", "pending"]
    assert Judgment.objects.filter(item__isnull=False, set_aside=None).count() == 16


@pytest.mark.django_db(transaction=True)
def test_sets_judged_while_pages_come_in_are_judged_once() -> None:
    """Sweeps, the end of the batch and submissions happen at once, on SQLite and on PostgreSQL."""
    batch = make_controlled("link", "verification", images=60, control={"set_questions": 4})
    workers = [make_worker(batch.project) for _ in range(3)]
    for worker in workers:
        answer_page(worker, stage="link", answering=wrongly)
    pages = [claim_page(worker, stage="link") for worker in workers]
    calls: list[Any] = [partial(submit_page, page) for page in pages]
    calls += [partial(judge_idle, now=NOW + DAY), partial(judge_rest, batch=batch, now=NOW)] * 2
    at_once(calls)
    judge_rest(batch=batch, now=NOW)
    for worker in workers:
        # The first page alone fails, and so do both together. The second one alone is good.
        assert verdicts(worker) in (["accepted", "failing"], ["failing", "failing"])
    assert set(Standing.objects.values_list("asked", "right", "stale")) == {(4, 2, False)}
