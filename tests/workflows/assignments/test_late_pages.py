"""docs/protocol.md, "Quality control": verification questions on pages that come late."""

from __future__ import annotations

import pytest

from annotation.models import Assignment, Case, Item, Judgment, Standing
from tests.factories import (
    LATER,
    NOW,
    claim_page,
    make_controlled,
    make_worker,
    replies,
    submit_page,
)
from workflows.assignments.leases import expire_leases
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.assignments.worker_account import account_of

pytestmark = pytest.mark.django_db


def left_lying(page: Assignment, *, items: int) -> None:
    """Let the page expire, and let others do so many of its items."""
    expire_leases(now=LATER)
    Item.objects.filter(pk__in=page.items[:items]).update(needed=0, state="done")


@pytest.mark.parametrize("items", [0, 4, 8])
def test_questions_of_a_late_page_are_scored_whatever_became_of_its_items(items: int) -> None:
    """Otherwise a careless worker would keep pages until others have done their items, and would be paid."""
    batch = make_controlled("link", "verification", images=30, control={"set_questions": 2})
    worker = make_worker(batch.project)
    page = claim_page(worker, stage="link")
    left_lying(page, items=items)
    submit_page(page, answering=lambda *_: {"same": False}, now=LATER)
    page.refresh_from_db()
    assert (page.asked, page.right, page.verdict) == (2, 0, "failing")
    assert Standing.objects.get(worker=worker).asked == 2
    assert set(Judgment.objects.filter(question__isnull=False).values_list("correct", flat=True)) == {False}


def test_neither_receipt_nor_account_tell_questions_of_late_pages() -> None:
    """Seconds are sent as powers of two. So a sum of them would tell which answers it includes."""
    batch = make_controlled("link", "verification", images=60)
    for _ in range(5):
        worker = make_worker(batch.project)
        page = claim_page(worker, stage="link")
        left_lying(page, items=4)
        timed = [
            Reply(item=reply.item, answer=reply.answer, seconds=float(2**place), comment="so")
            for place, reply in enumerate(replies(page))
        ]
        receipt = submit(worker_id=worker.pk, assignment_id=page.pk, replies=timed, now=LATER)
        page.refresh_from_db()
        assert page.late is not None
        assert receipt.accepted + receipt.acknowledged == 10 == receipt.accepted + len(page.late)
        shown = account_of(worker_id=worker.pk, now=NOW)
        assert shown and shown["stages"][0]["judgments"] == receipt.accepted
        told = sum(reply.seconds or 0 for reply in timed) - sum(one["seconds"] for one in page.late)
        assert shown["stages"][0]["seconds"] == told
        assert Case.objects.filter(worker=worker, reason="comment").count() == 10, "a remark is there once"
