"""docs/protocol.md, "Quality control": if verification questions run out, control does not end."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Assignment, Case, Exposure, Item
from tests.factories import (
    NOW,
    claim_maybe,
    claim_page,
    forget_page,
    make_controlled,
    make_questions,
    make_worker,
    submit_page,
)
from tests.workflows.assignments.test_mixed_pages import enter
from workflows.assignments.leases import return_page
from workflows.cases.review_queue import close_case

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("regime", "questions", "control", "pages", "left", "needed"),
    [
        ("trusted", 25, {}, 2, 5, 10),  # at the entrance
        ("trusted", 15, {"entrance": 10, "trusted_share": 0.1}, 6, 0, 1),  # after the entrance, one a page
        ("trusted", 30, {"entrance": 30}, 3, 0, 1),  # 2%: most pages have none, and yet one is needed
        ("verification", 10, {}, 5, 0, 2),
    ],
)
def test_work_waits_where_questions_run_out(
    caplog: pytest.LogCaptureFixture,
    regime: str,
    questions: int,
    control: dict[str, Any],
    pages: int,
    left: int,
    needed: int,
) -> None:
    """docs/protocol.md, "Quality control": 2%, or 20%, "of every page" are verification questions."""
    batch = make_controlled("link", regime, images=60, questions=questions, control=control)
    worker = make_worker(batch.project)
    for _ in range(pages):
        held = claim_page(worker, stage="link")
        assert held.checks
        submit_page(held)
    for _ in range(3):
        assert claim_maybe(worker, stage="link") is None
    assert claim_maybe(worker) is None, "any work is this"
    (said,) = [record.message for record in caplog.records if "waits in link" in record.message]
    assert f"takes {needed} verification questions and {left} are left" in said
    assert not Item.objects.exclude(leased=0).exists()
    case = Case.objects.get()
    assert (case.reason, case.stage, case.question, case.worker) == ("question", "link", None, worker)
    assert (case.detail["left"], case.detail["needed"], case.detail["unanswered"]) == (left, needed, 0)
    assert claim_maybe(make_worker(batch.project), stage="link"), "others go on"


def test_work_goes_on_once_there_are_questions_and_the_case_may_come_again() -> None:
    batch = make_controlled("link", "verification", images=60, questions=5)
    worker, other = make_worker(batch.project), make_worker(batch.project)
    for one in (worker, other):
        for _ in range(2):
            submit_page(claim_page(one, stage="link"))
        assert claim_maybe(one, stage="link") is None
    close_case(case_id=Case.objects.get().pk, by="ada", note="", now=NOW)
    make_questions(batch.project, "link", images=1)
    assert len(claim_page(worker, stage="link").checks) == 2
    assert Case.objects.filter(closed_at=None).count() == 0
    assert len(claim_page(other, stage="link").checks) == 2
    page = Assignment.objects.get(worker=other, state="live")
    return_page(worker_id=other.pk, assignment_id=page.pk)
    forget_page(page)
    assert claim_maybe(other, stage="link") is None
    assert Case.objects.filter(closed_at=None).count() == 1


def test_where_nothing_is_to_be_asked_questions_are_not_missed() -> None:
    batch = make_controlled(
        "link", "trusted", images=20, questions=30, control={"trusted_share": 0, "entrance": 30}
    )
    worker = make_worker(batch.project)
    enter(worker)
    assert len(claim_page(worker, stage="link").items) == 10
    assert not Case.objects.exists()


def test_returning_pages_does_not_lead_to_pages_without_questions() -> None:
    """A question that was shown without an answer is not shown again.

    So it is useless to give pages back.
    """
    batch = make_controlled("link", "verification", images=60, questions=20)
    worker = make_worker(batch.project)
    while held := claim_maybe(worker, stage="link"):
        assert held.assignment.checks
        return_page(worker_id=worker.pk, assignment_id=held.assignment.pk)
        forget_page(held.assignment)
    assert Case.objects.get().detail["unanswered"] == Exposure.objects.count() == 20


def test_images_known_from_the_entrance_are_not_mixed_in_where_no_others_are_left() -> None:
    batch = make_controlled("link", "trusted", images=60, questions=40, control={"trusted_share": 0.2})
    worker = make_worker(batch.project)
    enter(worker)
    known = set(Exposure.objects.values_list("question__image_id", flat=True))
    while held := claim_maybe(worker, stage="link"):
        assert len(held.assignment.checks) == 2 and known.isdisjoint(held.assignment.images)
        submit_page(held.assignment)
    assert Exposure.objects.count() == 40 and Case.objects.exists()
