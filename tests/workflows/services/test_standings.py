"""docs/protocol.md, "Quality control": what answers to verification questions do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from annotation.models import (
    Assignment,
    Box,
    Case,
    Decision,
    Item,
    Judgment,
    Standing,
    VerificationQuestion,
    Worker,
)
from tests.factories import (
    LATER,
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_controlled,
    make_worker,
    replies,
    submit_page,
    willing,
)
from tests.workflows.http import Api, check_problem
from tests.workflows.invariants import check_promises
from tests.workflows.tested import make_tested, take
from workflows.accounts import account
from workflows.services.advance import advance_pending
from workflows.services.dispatch import NotAdmittedError, claim
from workflows.services.leases import expire
from workflows.services.settling import settle
from workflows.services.standings import RestoreError, mark_stale, reassess_stale, refresh, restore
from workflows.services.submit import Reply, SubmissionError, submit

pytestmark = pytest.mark.django_db

WRONG: Mapping[str, dict[str, Any]] = {
    "link": {"same": False},
    "verification": {"same": False},
    "requirement": {"requirement": "nobox"},
    "drawing": {"box": [300, 200, 400, 300]},
    "quality": {"good": False},
    "coverage": {"complete": False},
}


def answer(held: Assignment, wrong: int = 0) -> None:
    """Submit the page with so many of its verification questions answered wrongly, the first ones."""
    bad = {place + 1 for place, _ in held.checks[:wrong]}
    given = [
        Reply(item=reply.item, answer=WRONG[held.stage] if reply.item in bad else reply.answer)
        for reply in replies(held)
    ]
    submit(worker_id=held.worker_id, assignment_id=held.pk, replies=given, now=NOW)


def enter(worker: Worker, stage: str, wrong: int = 0) -> None:
    while True:
        held = claim_page(worker, stage=stage)
        if held.items:
            return
        now = min(wrong, len(held.checks))
        answer(held, now)
        wrong -= now
        if Standing.objects.get(worker=worker).state != "entering":
            return


def standing(worker: Worker) -> tuple[str, int, int, int, int]:
    row = Standing.objects.get(worker=worker)
    return row.state, row.asked, row.right, row.recent_asked, row.recent_right


# table 3: the least number of right answers of 30
LEAST = {"link": 24, "verification": 25, "requirement": 25, "drawing": 21, "quality": 24, "coverage": 24}


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
    assert held.receipt == {"accepted": 10, "acknowledged": 0}
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


def test_a_set_of_pages_is_accepted_or_rejected_as_one() -> None:
    """ "A page set below the minimum is rejected and its items reopened." """
    batch = make_controlled("link", "verification", images=60, control={"set_questions": 4})
    good, bad = make_worker(batch.project), make_worker(batch.project)
    for worker, wrong in ((good, 0), (bad, 1)):
        answer(claim_page(worker, stage="link"), wrong=wrong)
        assert Assignment.objects.get(worker=worker).verdict == "pending"
        answer(claim_page(worker, stage="link"))
    assert set(Assignment.objects.filter(worker=good).values_list("verdict", flat=True)) == {"accepted"}
    failing = Assignment.objects.filter(worker=bad)
    assert set(failing.values_list("verdict", flat=True)) == {"failing"}
    items = [item for held in failing for item in held.items]
    assert settle(now=NOW) == 1 and settle(now=NOW) == 0
    advance_pending(now=NOW)
    assert set(failing.values_list("verdict", flat=True)) == {"rejected"}
    assert Judgment.objects.filter(set_aside__kind="reject", item__in=items).count() == len(items) == 16
    assert Item.objects.filter(pk__in=items, state="open").count() == 16, "asked again"
    assert not Item.objects.filter(pk__in=claim_page(bad, stage="link").items).filter(pk__in=items).exists()
    others = claim_page(make_worker(batch.project), stage="link")
    assert others.items


def test_two_bad_sets_end_the_work_in_the_batch() -> None:
    """ "Scored per worker and batch." """
    batch = make_controlled("link", "verification", images=60, control={"set_questions": 4})
    worker = make_worker(batch.project)
    for number in range(4):
        answer(claim_page(worker, stage="link"), wrong=1 if number < 2 else 0)
    assert standing(worker) == ("lost", 8, 6, 4, 4)
    assert Case.objects.get().detail["losses"][0]["batch"] == batch.pk
    with pytest.raises(NotAdmittedError):
        claim_maybe(worker, stage="link")


@pytest.mark.parametrize("policy", ["keep", "set-aside"])
def test_by_policy_what_a_lost_worker_said_alone_is_set_aside(policy: str) -> None:
    batch = make_controlled(
        "link", "trusted", images=40, control={"trusted_share": 0.5, "recent": 5, "on_loss": policy}
    )
    worker = make_worker(batch.project)
    enter(worker, "link")
    given = submit_page(claim_page(worker, stage="link"), answering=lambda *_: {"same": False})
    assert given.accepted == 10 and Standing.objects.get(worker=worker).state == "lost"
    before = Judgment.objects.filter(item__isnull=False, worker=worker).count()
    assert settle(now=NOW) == (policy == "set-aside")
    assert settle(now=NOW) == 0
    aside = Judgment.objects.filter(set_aside__isnull=False)
    case = Case.objects.get(reason="trust")
    if policy == "keep":
        assert not aside.exists() and case.closed_at is None
    else:
        assert aside.count() == before == 5
        assert case.closed_at and case.decision == Decision.objects.get()
        assert Decision.objects.get().by == "policy:control.on_loss"


def test_of_a_late_page_nothing_tells_which_answers_were_to_questions() -> None:
    batch = make_controlled("link", "verification", images=30)
    worker = make_worker(batch.project)
    late = claim_page(worker, stage="link")
    expire(now=LATER)
    # All of its items are done meanwhile: none of its answers counts.
    Item.objects.filter(pk__in=late.items).update(needed=0, state="done")
    receipt = submit_page(late, now=LATER)
    assert (receipt.accepted, receipt.acknowledged) == (0, 10)
    late.refresh_from_db()
    assert late.late is not None
    assert sorted(key for entry in late.late for key in ("item", "question") if key in entry) == [
        *["item"] * 8,
        *["question"] * 2,
    ]
    shown = account(worker_id=worker.pk, now=NOW)
    assert shown and shown["stages"][0]["judgments"] == 0


def test_a_late_page_of_which_all_is_needed_counts_as_a_whole() -> None:
    batch = make_controlled("link", "verification", images=30)
    late = claim_page(make_worker(batch.project), stage="link")
    expire(now=LATER)
    assert submit_page(late, now=LATER).accepted == 10
    assert Judgment.objects.filter(question__isnull=False).count() == 2


def test_of_a_late_page_that_counts_in_part_so_do_its_questions_it_is_said() -> None:
    """Were it always or never so, the receipt and the account would tell how many they are."""
    batch = make_controlled("link", "verification", images=80, questions=40)
    counted = []
    for _ in range(8):
        late = claim_page(make_worker(batch.project), stage="link")
        expire(now=LATER)
        Item.objects.filter(pk__in=late.items[:4]).update(needed=0, state="done")
        accepted = submit_page(late, now=LATER).accepted
        assert Judgment.objects.filter(assignment=late, question__isnull=False).count() == 2
        counted.append(accepted - 4)
    assert 3 <= sum(counted) <= 13, "about half of 16"


def test_an_account_counts_answers_to_questions_like_all_others() -> None:
    batch = make_controlled("link", "verification", images=30)
    worker = make_worker(batch.project)
    submit_page(claim_page(worker, stage="link"))
    shown = account(worker_id=worker.pk, now=NOW)
    assert shown and shown["stages"][0]["judgments"] == 10
    assert "asked" not in str(shown) and "right" not in str(shown)


def test_boxes_that_quality_rejects_cost_trust() -> None:
    """ "For box drawing the share of the worker's boxes that pass box quality counts as well." """
    batch = make_controlled(
        "drawing", "trusted", images=12, control={"entrance": 5, "recent": 5, "trusted_share": 0}
    )
    drawer = make_worker(batch.project)
    enter(drawer, "drawing")
    held = claim_page(drawer, stage="drawing")
    submit_page(held)
    advance_pending(now=NOW)
    for _ in range(2):
        judge = make_worker(batch.project)
        quality = claim(worker_id=judge.pk, stage="quality", now=NOW)
        if quality:
            submit_page(quality.assignment, answering=lambda *_: {"good": False})
            advance_pending(now=NOW)
    assert Box.objects.filter(state="rejected").count() == 5
    mark_stale(worker_ids=[drawer.pk])
    assert Standing.objects.get(worker=drawer).stale
    with pytest.raises(NotAdmittedError):
        claim_maybe(drawer, stage="drawing")
    assert reassess_stale(now=NOW) == 1 and reassess_stale(now=NOW) == 0
    assert standing(drawer) == ("lost", 10, 5, 5, 0), "5 answers and 5 boxes"
    # Verdicts that are undone give back what they took; the case keeps the score at which trust was lost.
    Box.objects.update(state="accepted")
    mark_stale(worker_ids=[drawer.pk])
    refresh(worker_id=drawer.pk, now=NOW)
    assert standing(drawer) == ("trusted", 10, 10, 5, 5)
    (loss,) = Case.objects.get(reason="trust").detail["losses"]
    assert (loss["asked"], loss["right"]) == (10, 5)


def test_of_a_set_that_failed_good_boxes_do_not_raise_the_score() -> None:
    batch = make_controlled("drawing", "verification", images=12, control={"set_questions": 1})
    drawer = make_worker(batch.project)
    answer(claim_page(drawer, stage="drawing"), wrong=1)
    answer(claim_page(drawer, stage="drawing"))
    advance_pending(now=NOW)
    Box.objects.update(state="accepted")
    assert sorted(Assignment.objects.filter(worker=drawer).values_list("verdict", flat=True)) == [
        "accepted",
        "failing",
    ]
    mark_stale(worker_ids=[drawer.pk])
    reassess_stale(now=NOW)
    assert standing(drawer)[1:3] == (6, 5), "two answers, and the four boxes of the page that was accepted"


def test_a_void_question_counts_in_no_score() -> None:
    batch = make_controlled("link", "trusted")
    worker = make_worker(batch.project)
    enter(worker, "link", wrong=7)
    assert standing(worker)[0] == "lost"
    wrong = Judgment.objects.filter(correct=False).values("question_id")[:2]
    VerificationQuestion.objects.filter(pk__in=list(wrong.values_list("question_id", flat=True))).update(
        state="retired", retired="void"
    )
    mark_stale(worker_ids=[worker.pk], stage="link")
    assert reassess_stale(now=NOW) == 1
    assert standing(worker) == ("entering", 28, 23, 28, 23), "two more will decide"


def test_who_is_restored_enters_again_and_nothing_is_deleted() -> None:
    batch = make_controlled("link", "trusted", questions=100)
    worker = make_worker(batch.project)
    enter(worker, "link", wrong=30)
    judgments = Judgment.objects.count()
    decision = restore(worker_id=worker.pk, stage="link", by="ann", note="a bad day", now=LATER)
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
    decision = restore(worker_id=worker.pk, stage="link", by="ann", note="a bad day", now=LATER)
    case = Case.objects.get(reason="trust")
    assert (case.closed_at, case.decision) == (LATER, decision)
    with pytest.raises(RestoreError, match="nothing to restore"):
        restore(worker_id=worker.pk, stage="link", by="ann", note="again", now=LATER)
    assert Decision.objects.count() == 1


def test_trust_that_was_earned_is_not_wiped_by_restoring_it() -> None:
    batch = make_controlled("link", "trusted")
    worker, other = make_worker(batch.project), make_worker(batch.project)
    with pytest.raises(RestoreError, match="nothing to restore in link"):
        restore(worker_id=other.pk, stage="link", by="ann", note="", now=NOW)
    enter(worker, "link")
    lost = Standing.objects.create(
        worker=worker, stage="link", batch=batch, state="lost", asked=9, changed_at=NOW
    )
    restore(worker_id=worker.pk, stage="link", by="ann", note="", now=NOW)
    lost.refresh_from_db()
    assert (lost.state, lost.asked) == ("entering", 0)
    with pytest.raises(RestoreError):
        restore(worker_id=worker.pk, stage="link", by="ann", note="", now=NOW)
    trusted = Standing.objects.get(batch=None)
    assert (trusted.state, trusted.asked, trusted.counted_from) == ("trusted", 30, 0)


def test_who_failed_the_test_gets_the_tries_back_once() -> None:
    worker = make_worker(make_tested(tries=1).project)
    with pytest.raises(RestoreError):
        restore(worker_id=worker.pk, stage="link", by="ann", note="", now=NOW)
    take(worker, right=0)
    restore(worker_id=worker.pk, stage="link", by="ann", note="", now=LATER)
    with pytest.raises(RestoreError):
        restore(worker_id=worker.pk, stage="link", by="ann", note="", now=LATER)
    take(worker, now=LATER)
    with pytest.raises(RestoreError):
        restore(worker_id=worker.pk, stage="link", by="ann", note="", now=LATER)


def test_a_page_in_hand_when_trust_is_lost_can_be_submitted_and_shows_in_the_queue() -> None:
    batch = make_controlled("link", "trusted", images=40, control={"trusted_share": 0.5, "recent": 5})
    worker = make_worker(batch.project)
    enter(worker, "link")
    pages = [claim(worker_id=worker.pk, stage="link", now=NOW, key=key) for key in ("a", "b")]
    assert pages[0] and pages[1]
    submit_page(pages[0].assignment, answering=lambda *_: {"same": False})
    Case.objects.update(closed_at=NOW)
    assert submit_page(pages[1].assignment, answering=willing).accepted == 10
    assert Case.objects.filter(reason="trust", closed_at=None).count() == 1
    assert Standing.objects.get().state == "lost"


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
