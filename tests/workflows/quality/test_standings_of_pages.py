"""Trust by sets of pages, and pages that come late or after trust was lost."""

from __future__ import annotations

import pytest

from annotation.domain.answers import DRAWS_BOXES
from annotation.models import (
    Assignment,
    Box,
    Case,
    Decision,
    Item,
    Judgment,
    Standing,
)
from tests.factories import (
    LATER,
    NOW,
    claim_maybe,
    claim_page,
    make_controlled,
    make_worker,
    submit_page,
    willing,
)
from tests.workflows.quality.answered_pages import answer, enter, standing
from workflows.assignments.claim import NotAdmittedError, claim
from workflows.assignments.leases import expire_leases
from workflows.assignments.worker_account import account_of
from workflows.pipeline.advance import advance_pending
from workflows.quality.standings import mark_stale, reassess_stale
from workflows.review.enforcement import enforce_policies

pytestmark = pytest.mark.django_db


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
    assert enforce_policies(now=NOW) == 1 and enforce_policies(now=NOW) == 0
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
    assert enforce_policies(now=NOW) == (policy == "set-aside")
    assert enforce_policies(now=NOW) == 0
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
    expire_leases(now=LATER)
    # All of its items are done meanwhile, so none of its answers counts.
    Item.objects.filter(pk__in=late.items).update(needed=0, state="done")
    receipt = submit_page(late, now=LATER)
    assert (receipt.accepted, receipt.acknowledged) == (0, 10)
    late.refresh_from_db()
    assert late.late is not None
    assert sorted(key for entry in late.late for key in ("item", "question") if key in entry) == [
        *["item"] * 8,
        *["question"] * 2,
    ]
    shown = account_of(worker_id=worker.pk, now=NOW)
    assert shown and shown["stages"][0]["judgments"] == 0


def test_a_late_page_of_which_all_is_needed_counts_as_a_whole() -> None:
    batch = make_controlled("link", "verification", images=30)
    late = claim_page(make_worker(batch.project), stage="link")
    expire_leases(now=LATER)
    assert submit_page(late, now=LATER).accepted == 10
    assert Judgment.objects.filter(question__isnull=False).count() == 2


def test_of_a_late_page_that_counts_in_part_so_do_its_questions_it_is_said() -> None:
    """If they always or never did, the receipt and the account would tell how many there are."""
    batch = make_controlled("link", "verification", images=80, questions=40)
    counted = []
    for _ in range(8):
        late = claim_page(make_worker(batch.project), stage="link")
        expire_leases(now=LATER)
        Item.objects.filter(pk__in=late.items[:4]).update(needed=0, state="done")
        accepted = submit_page(late, now=LATER).accepted
        assert Judgment.objects.filter(assignment=late, question__isnull=False).count() == 2
        counted.append(accepted - 4)
    # A coin is thrown for each of 16: all of them fall alike once in 30,000 runs.
    assert 0 < sum(counted) < 16


@pytest.mark.parametrize("stage", sorted(DRAWS_BOXES))
def test_of_a_set_that_failed_good_boxes_do_not_raise_the_score(stage: str) -> None:
    batch = make_controlled(stage, "verification", images=12, control={"set_questions": 1})
    drawer = make_worker(batch.project)
    answer(claim_page(drawer, stage=stage), wrong=1)
    answer(claim_page(drawer, stage=stage))
    advance_pending(now=NOW)
    Box.objects.update(state="accepted")
    assert sorted(Assignment.objects.filter(worker=drawer).values_list("verdict", flat=True)) == [
        "accepted",
        "failing",
    ]
    mark_stale(worker_ids=[drawer.pk])
    reassess_stale(now=NOW)
    assert standing(drawer)[1:3] == (6, 5), "two answers, and the four boxes of the page that was accepted"


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
