"""docs/protocol.md, "Quality control": what answers to verification questions do."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import (
    Box,
    Case,
    Decision,
    Judgment,
    Standing,
    VerificationQuestion,
)
from tests.factories import (
    LATER,
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_controlled,
    make_running,
    make_worker,
    submit_page,
)
from tests.query_plans import plan_of
from tests.workflows.http import Api, check_problem
from tests.workflows.pipeline.invariants import check_promises
from tests.workflows.qualification.tested_workers import make_tested, take
from tests.workflows.quality.answered_pages import answer, enter, standing
from workflows.assignments.claim import NotAdmittedError, claim
from workflows.assignments.submit import SubmissionError
from workflows.assignments.worker_account import account_of
from workflows.pipeline.advance import advance_pending
from workflows.quality.gates import standings_of
from workflows.quality.standings import (
    RestoreError,
    mark_stale,
    reassess_stale,
    refresh_standings,
    restore_worker,
)

pytestmark = pytest.mark.django_db


# table 3: the least number of right answers of 30; for the joint stages [ours]
LEAST = {
    **{"link": 24, "verification": 25, "requirement": 25, "drawing": 21, "quality": 24, "coverage": 24},
    **{"boxes": 21, "check": 19},
}
DRAWN_AND_JUDGED: list[tuple[str, str, dict[str, Any]]] = [
    ("drawing", "quality", {"good": False}),
    ("boxes", "check", {"boxes": ["wrong"], "missing": True}),
]
"""The stages in which boxes are drawn and judged, and the answer that rejects one."""


@pytest.mark.parametrize("stage", LEAST)
@pytest.mark.parametrize("enough", [True, False])
def test_the_entrance_is_passed_at_the_minimum_score_of_table_3(stage: str, enough: bool) -> None:
    batch = make_controlled(stage, "trusted", images=3)
    worker = make_worker(batch.project)
    right = LEAST[stage] if enough else LEAST[stage] - 1
    enter(worker, stage, wrong=30 - right)
    assert standing(worker) == ("trusted" if enough else "lost", 30, right, 30, right)


def test_answers_to_questions_are_judgments_and_are_counted() -> None:
    batch = make_controlled("link", "verification")
    held = claim_page(make_worker(batch.project), stage="link")
    answer(held, wrong=1)
    given = Judgment.objects.filter(question__isnull=False).order_by("pk")
    assert list(given.values_list("question_id", "correct")) == [
        (held.checks[0][1], False),
        (held.checks[1][1], True),
    ]
    questions = VerificationQuestion.objects.filter(exposures=1)
    assert sorted(questions.values_list("asked", "right", "good_asked")) == [(1, 0, 0), (1, 1, 0)]
    held.refresh_from_db()
    assert (held.asked, held.right, held.verdict) == (2, 1, "pending")
    assert held.receipt is not None
    assert (held.receipt["accepted"], held.receipt["acknowledged"]) == (10, 0)
    check_promises(batch.project)


def test_good_workers_are_counted_apart() -> None:
    batch = make_controlled("link", "trusted", control={"entrance": 10, "trusted_share": 0.5})
    worker = make_worker(batch.project)
    enter(worker, "link")
    assert not VerificationQuestion.objects.exclude(good_asked=0).exists()
    answer(claim_page(worker, stage="link"))
    assert VerificationQuestion.objects.filter(good_asked=1, good_right=1).count() == 5


def test_a_box_on_a_question_is_cut_and_checked_like_any() -> None:
    batch = make_controlled("drawing", "trusted", images=2)
    held = claim_page(make_worker(batch.project), stage="drawing")
    with pytest.raises(SubmissionError, match="smaller than 3 pixels"):
        submit_page(held, answering=lambda *_: {"box": [10, 20, 11, 220]})
    submit_page(held, answering=lambda *_: {"box": [-5, 10.4, 700, 220]})
    assert Judgment.objects.latest("pk").answer == {"box": [0, 10, 640, 220]}


def test_lost_trust_opens_a_case_and_stops_new_work_at_once() -> None:
    batch = make_controlled("link", "trusted")
    worker = make_worker(batch.project)
    enter(worker, "link", wrong=7)
    case = Case.objects.get()
    assert (case.reason, case.worker, case.stage, case.closed_at) == ("trust", worker, "link", None)
    score = {"asked": 30, "right": 23, "recent_asked": 30, "recent_right": 23, "minimum": 0.8}
    assert case.detail == {"losses": [score]}
    with pytest.raises(NotAdmittedError):
        claim_maybe(worker, stage="link")


def test_trust_is_lost_over_the_most_recent_answers_too() -> None:
    """ "The score must hold both overall and over the most recent 30." """
    batch = make_controlled(
        "link", "trusted", images=40, questions=120, control={"trusted_share": 0.5, "recent": 10}
    )
    worker = make_worker(batch.project)
    enter(worker, "link")
    answer(claim_page(worker, stage="link"), wrong=2)
    assert standing(worker) == ("trusted", 35, 33, 10, 8)
    answer(claim_page(worker, stage="link"), wrong=1)
    assert standing(worker)[0] == "lost", "37 of 40 overall, but 7 of the last 10"


def test_a_short_entrance_is_judged_with_the_page_it_ends_on() -> None:
    batch = make_controlled("quality", "trusted", control={"entrance": 3})
    worker = make_worker(batch.project)
    answer(claim_page(worker, stage="quality"), wrong=1)
    assert standing(worker) == ("trusted", 10, 9, 10, 9) and not Case.objects.exists()


def test_the_case_keeps_the_score_at_which_trust_was_lost_within_a_page() -> None:
    batch = make_controlled(
        "quality",
        "trusted",
        images=40,
        questions=120,
        control={"entrance": 10, "trusted_share": 0.5, "recent": 3},
    )
    worker = make_worker(batch.project)
    enter(worker, "quality")
    answer(claim_page(worker, stage="quality"), wrong=1)
    assert standing(worker) == ("lost", 15, 14, 3, 3), "by the first answer of the page: two of three"
    (loss,) = Case.objects.get(reason="trust").detail["losses"]
    assert loss == {"asked": 11, "right": 10, "recent_asked": 3, "recent_right": 2, "minimum": 0.78}


def test_an_account_counts_answers_to_questions_like_all_others() -> None:
    batch = make_controlled("link", "verification", images=30)
    worker = make_worker(batch.project)
    submit_page(claim_page(worker, stage="link"))
    shown = account_of(worker_id=worker.pk, now=NOW)
    assert shown and shown["stages"][0]["judgments"] == 10
    assert "asked" not in str(shown) and "right" not in str(shown)


@pytest.mark.parametrize(("stage", "judging", "bad"), DRAWN_AND_JUDGED)
def test_boxes_that_are_rejected_cost_trust(stage: str, judging: str, bad: dict[str, Any]) -> None:
    """ "For box drawing the share of the worker's boxes that pass box quality counts as well." """
    batch = make_controlled(
        stage, "trusted", images=12, control={"entrance": 5, "recent": 5, "trusted_share": 0}
    )
    drawer = make_worker(batch.project)
    enter(drawer, stage)
    held = claim_page(drawer, stage=stage)
    submit_page(held)
    advance_pending(now=NOW)
    while Box.objects.filter(state="proposed").exists():
        judge = make_worker(batch.project)
        quality = claim(worker_id=judge.pk, stage=judging, now=NOW)
        if quality:
            submit_page(quality.assignment, answering=lambda *_: bad)
            advance_pending(now=NOW)
    assert Box.objects.filter(state="rejected").count() == 5
    mark_stale(worker_ids=[drawer.pk])
    assert Standing.objects.get(worker=drawer).stale
    with pytest.raises(NotAdmittedError):
        claim_maybe(drawer, stage=stage)
    assert reassess_stale(now=NOW) == 1 and reassess_stale(now=NOW) == 0
    assert standing(drawer) == ("lost", 10, 5, 5, 0), "5 answers and 5 boxes"
    # If verdicts are undone, they give back what they took. The case keeps the score at which trust was lost.
    Box.objects.update(state="accepted")
    mark_stale(worker_ids=[drawer.pk])
    refresh_standings(worker_id=drawer.pk, now=NOW)
    assert standing(drawer) == ("trusted", 10, 10, 5, 5)
    (loss,) = Case.objects.get(reason="trust").detail["losses"]
    assert (loss["asked"], loss["right"]) == (10, 5)


def test_a_void_question_counts_in_no_score() -> None:
    batch = make_controlled("link", "trusted")
    worker = make_worker(batch.project)
    enter(worker, "link", wrong=7)
    assert standing(worker)[0] == "lost"
    wrong = Judgment.objects.filter(correct=False).values("question_id")[:2]
    VerificationQuestion.objects.filter(pk__in=list(wrong.values_list("question_id", flat=True))).update(
        state="retired", retired="void"
    )
    mark_stale(worker_ids=[worker.pk], stages=("link",))
    assert reassess_stale(now=NOW) == 1
    assert standing(worker) == ("entering", 28, 23, 28, 23), "two more will decide"


def test_who_is_restored_enters_again_and_nothing_is_deleted() -> None:
    batch = make_controlled("link", "trusted", questions=100)
    worker = make_worker(batch.project)
    enter(worker, "link", wrong=30)
    judgments = Judgment.objects.count()
    decision = restore_worker(worker_id=worker.pk, stage="link", by="ann", note="a bad day", now=LATER)
    assert (decision.kind, decision.worker, decision.stage) == ("restore", worker, "link")
    assert standing(worker) == ("entering", 0, 0, 0, 0)
    assert Standing.objects.get().changed_at == LATER
    assert Judgment.objects.count() == judgments
    enter(worker, "link")
    assert standing(worker) == ("trusted", 30, 30, 30, 30)


def test_who_is_restored_has_the_case_about_it_closed_by_that_decision() -> None:
    batch = make_controlled("link", "trusted", questions=100)
    worker = make_worker(batch.project)
    enter(worker, "link", wrong=30)
    decision = restore_worker(worker_id=worker.pk, stage="link", by="ann", note="a bad day", now=LATER)
    case = Case.objects.get(reason="trust")
    assert (case.closed_at, case.decision) == (LATER, decision)
    with pytest.raises(RestoreError, match="nothing to restore"):
        restore_worker(worker_id=worker.pk, stage="link", by="ann", note="again", now=LATER)
    assert Decision.objects.count() == 1


def test_trust_that_was_earned_is_not_wiped_by_restoring_it() -> None:
    batch = make_controlled("link", "trusted")
    worker, other = make_worker(batch.project), make_worker(batch.project)
    with pytest.raises(RestoreError, match="nothing to restore in link"):
        restore_worker(worker_id=other.pk, stage="link", by="ann", note="", now=NOW)
    enter(worker, "link")
    lost = Standing.objects.create(
        worker=worker, stage="link", batch=batch, state="lost", asked=9, changed_at=NOW
    )
    restore_worker(worker_id=worker.pk, stage="link", by="ann", note="", now=NOW)
    lost.refresh_from_db()
    assert (lost.state, lost.asked) == ("entering", 0)
    with pytest.raises(RestoreError):
        restore_worker(worker_id=worker.pk, stage="link", by="ann", note="", now=NOW)
    trusted = Standing.objects.get(batch=None)
    assert (trusted.state, trusted.asked, trusted.counted_from) == ("trusted", 30, 0)


def test_who_failed_the_test_gets_the_tries_back_once() -> None:
    worker = make_worker(make_tested(tries=1).project)
    with pytest.raises(RestoreError):
        restore_worker(worker_id=worker.pk, stage="link", by="ann", note="", now=NOW)
    take(worker, right=0)
    restore_worker(worker_id=worker.pk, stage="link", by="ann", note="", now=LATER)
    with pytest.raises(RestoreError):
        restore_worker(worker_id=worker.pk, stage="link", by="ann", note="", now=LATER)
    take(worker, now=LATER)
    with pytest.raises(RestoreError):
        restore_worker(worker_id=worker.pk, stage="link", by="ann", note="", now=LATER)


def test_the_api_says_how_a_worker_stands() -> None:
    batch = make_controlled("link", "trusted")
    worker = make_worker(batch.project)
    enter(worker, "link", wrong=30)
    api = Api(worker)
    reply = api.claim("link")
    problem = reply.json()
    assert reply.status_code == 403
    assert (problem["standing"], problem["retry_in"]) == ("closed", None)
    (link, *others) = api.get("me").json()["stages"]
    assert (link["standing"], link["waiting"]) == ("closed", False)
    assert {stage["standing"] for stage in others} == {"open"}
    assert api.claim().status_code == 204
    worker.blocked = True
    worker.save()
    assert "standing" not in check_problem(api.claim("link"), 403)


def test_open_stages_have_neither_questions_nor_standings() -> None:
    batch = make_controlled("link", "open")
    worker = make_worker(batch.project)
    answer_page(worker, stage="link")
    assert not Standing.objects.exists()
    assert not Judgment.objects.filter(question__isnull=False).exists()


@pytest.mark.both_databases
def test_the_standings_of_a_worker_are_read_by_an_index() -> None:
    """Each claim reads them, of all batches: it must not read those of all other workers, too."""
    worker = make_worker(make_running([["man"], ["man"]]).project)
    with CaptureQueriesContext(connection) as captured:
        standings_of(worker.pk)
    (statement,) = captured
    assert "standing_of_worker" in plan_of(statement["sql"])
