"""`verify_state` finds rows that say something else than the decisions."""

from __future__ import annotations

import pytest
from django.db.models import QuerySet

from annotation.models import Assignment, Batch, Decision, Judgment, Worker
from tests.factories import NOW, answer_page, make_running, make_worker
from tests.unguarded import unguarded
from workflows.pipeline.advance import advance_pending
from workflows.review.decided_rows import wrongly_decided
from workflows.review.set_aside import reinstate, reject_pages, set_aside_worker
from workflows.workers.enrolment import block_worker, unblock_worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch() -> Batch:
    batch = make_running([["man", "dog"], ["man", "dog"]])
    answer_page(make_worker(batch.project))
    advance_pending(now=NOW)
    return batch


def aside(worker: Worker) -> Decision:
    decision = set_aside_worker(
        worker_id=worker.pk, stage="link", by="ada", note="", now=NOW, unsupported_only=False
    )
    assert decision is not None
    return decision


def test_what_decisions_set_aside_and_reinstated_is_right(batch: Batch) -> None:
    decision = aside(Worker.objects.get())
    assert list(wrongly_decided()) == []
    reinstate(decision_id=decision.pk, by="ada", note="", now=NOW)
    assert list(wrongly_decided(batch.project_id)) == []


def test_a_judgment_that_was_hidden_or_brought_back_by_hand_is_named(batch: Batch) -> None:
    judgment = Judgment.objects.order_by("pk")[0]
    decision = aside(judgment.worker)
    with unguarded():
        QuerySet(Judgment).filter(pk=judgment.pk).update(set_aside=None)
    (line,) = wrongly_decided()
    assert line == (
        f"judgment {judgment.pk}: it is set aside by None, and by decision {decision.pk} as the decisions say"
    )
    reinstate(decision_id=decision.pk, by="ada", note="", now=NOW)
    assert list(wrongly_decided()) == []
    Judgment.objects.filter(pk=judgment.pk).update(set_aside=decision)
    (line,) = wrongly_decided(batch.project_id)
    assert line.endswith("and by no decision as the decisions say")


def test_a_page_is_rejected_exactly_if_a_decision_says_so(batch: Batch) -> None:
    page = Assignment.objects.get()
    Assignment.objects.update(verdict="rejected")
    assert list(wrongly_decided()) == [f"page {page.pk}: it is rejected, and no decision says so"]
    Assignment.objects.update(verdict="")
    reject_pages(assignment_ids=[page.pk], by="ada", now=NOW)
    assert list(wrongly_decided()) == []
    Assignment.objects.update(verdict="accepted")
    assert list(wrongly_decided()) == [f"page {page.pk}: it is not rejected, and a decision says so"]


def test_a_worker_is_blocked_exactly_if_a_decision_says_so(batch: Batch) -> None:
    worker = Worker.objects.get()
    Worker.objects.update(blocked=True)
    assert list(wrongly_decided()) == [f"worker {worker.pk}: blocked, and no decision says so"]
    Worker.objects.update(blocked=False)
    block_worker(worker_id=worker.pk, by="ada", note="", now=NOW)
    assert list(wrongly_decided()) == []
    Worker.objects.update(blocked=False)
    assert list(wrongly_decided()) == [f"worker {worker.pk}: not blocked, and no decision says so"]
    Worker.objects.update(blocked=True)
    unblock_worker(worker_id=worker.pk, by="ada", note="", now=NOW)
    assert list(wrongly_decided()) == []
