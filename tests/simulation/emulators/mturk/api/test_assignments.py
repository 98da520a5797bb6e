"""Assignments: who holds them, what is decided about them, and bonuses."""

from __future__ import annotations

import re
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring

from simulation.emulators.mturk.api.hits import DAY
from simulation.emulators.mturk.handle import Handle, RefusedError
from simulation.emulators.mturk.question import ANSWERS
from tests.simulation.emulators.mturk.calls import (
    HOUR,
    REASON,
    counts,
    make_hit,
    make_type,
    refused,
    status,
    submitted,
)


def assignments(turk: Handle, hit: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = turk.client().list_assignments_for_hit(HITId=hit)["Assignments"]
    return found


def test_only_what_was_submitted_is_listed_with_the_answers_as_xml(turk: Handle) -> None:
    hit = make_hit(turk, 2)
    turk.worker("A2").accept(hit_id=hit)
    taken = turk.worker("A1").accept(hit_id=hit)["assignmentId"]
    turk.worker("A1").submit(taken, token="a<b", other="&\x00")
    (told,) = assignments(turk, hit)
    assert (told["AssignmentId"], told["WorkerId"], told["AssignmentStatus"]) == (taken, "A1", "Submitted")
    root = fromstring(told["Answer"])
    texts = [[child.text for child in answer] for answer in root]
    assert root.tag == f"{{{ANSWERS}}}QuestionFormAnswers" and texts == [["token", "a<b"], ["other", "&"]]


@pytest.mark.parametrize("how", ["give_back", "abandon", "deadline"])
def test_the_id_of_an_assignment_that_was_left_goes_to_the_next_worker(turk: Handle, how: str) -> None:
    hit = make_hit(turk)
    first = turk.worker("A1").accept(hit_id=hit)["assignmentId"]
    if how == "deadline":
        turk.set_clock(advance=600)
    else:
        getattr(turk.worker("A1"), how)(first)
    assert counts(turk, hit) == (1, 0, 0)
    assert turk.worker("A2").accept(hit_id=hit)["assignmentId"] == first
    with pytest.raises(RefusedError, match="does not exist"):
        turk.worker("A1").give_back(first)
    turk.worker("A2").submit(first)
    assert [(one["AssignmentId"], one["WorkerId"]) for one in assignments(turk, hit)] == [(first, "A2")]
    how_it_ended = "returned" if how == "give_back" else "abandoned"
    assert [(one["worker"], one["how"]) for one in turk.state()["left"]] == [("A1", how_it_ended)]


def test_a_worker_takes_a_hit_once_and_the_last_place_goes_to_one(turk: Handle) -> None:
    hit = make_hit(turk, 2)
    submitted(turk, hit, "A1")
    with pytest.raises(RefusedError, match="no more"):
        turk.worker("A1").accept(hit_id=hit)
    turk.worker("A2").accept(hit_id=hit)
    with pytest.raises(RefusedError, match="no more"):
        turk.worker("A3").accept(hit_id=hit)


def test_a_page_needs_a_field_of_its_own_and_is_submitted_once(turk: Handle) -> None:
    hit = make_hit(turk)
    taken = turk.worker("A1").accept(hit_id=hit)["assignmentId"]
    with pytest.raises(RefusedError, match="at least one field"):
        turk._post("/api/worker/submit", {"workerId": "A1", "assignmentId": taken, "fields": {}})
    turk.worker("A1").submit(taken)
    with pytest.raises(RefusedError, match="already"):
        turk.worker("A1").submit(taken)


def test_an_assignment_is_approved_once(turk: Handle) -> None:
    one = submitted(turk, make_hit(turk))
    client = turk.client()
    client.approve_assignment(AssignmentId=one)
    for again in (client.approve_assignment, client.reject_assignment):
        with refused("InvalidAssignmentState"):
            again(AssignmentId=one, RequesterFeedback=REASON)
    assert turk.books()["rewards"] == 10
    assert turk.worker("A1").profile()["approved"] == 1


def test_an_unanswered_assignment_approves_itself(turk: Handle) -> None:
    hit = make_hit(turk)
    one = submitted(turk, hit)
    turk.set_clock(advance=5 * HOUR - 1)
    assert assignments(turk, hit)[0]["AssignmentStatus"] == "Submitted"
    turk.set_clock(advance=1)
    (told,) = assignments(turk, hit)
    assert (told["AssignmentId"], told["AssignmentStatus"]) == (one, "Approved")
    assert told["ApprovalTime"] == told["AutoApprovalTime"]
    assert (turk.books()["rewards"], turk.books()["fees"], turk.books()["held"]) == (10, 2, 0)


def test_a_rejection_can_be_overridden_for_thirty_days(turk: Handle) -> None:
    hit = make_hit(turk, 2)
    early, late = (submitted(turk, hit, worker) for worker in ("A1", "A2"))
    client = turk.client()
    for one in (early, late):
        client.reject_assignment(AssignmentId=one, RequesterFeedback=REASON)
    assert (turk.books()["held"], turk.books()["rewards"], status(turk, hit)) == (0, 0, "Reviewable")
    with refused("InvalidAssignmentState"):
        client.approve_assignment(AssignmentId=early)
    turk.set_clock(advance=30 * DAY - 1)
    client.approve_assignment(AssignmentId=early, OverrideRejection=True)
    turk.set_clock(advance=1)
    with refused("InvalidAssignmentState"):
        client.approve_assignment(AssignmentId=late, OverrideRejection=True)
    assert (turk.books()["rewards"], turk.books()["fees"]) == (10, 2)
    assert (turk.worker("A1").profile()["rejected"], turk.worker("A2").profile()["rejected"]) == (0, 1)


def test_a_bonus_with_a_token_is_paid_once_and_without_one_every_time(turk: Handle) -> None:
    one = submitted(turk, make_hit(turk))
    client = turk.client()
    given = {"WorkerId": "A1", "AssignmentId": one, "BonusAmount": "0.25", "Reason": "Thank you"}
    client.send_bonus(**given, UniqueRequestToken="b1")
    with refused("DuplicateRequest") as refusal:
        client.send_bonus(**given, UniqueRequestToken="b1")
    assert re.search("request [0-9A-Z]{30}", refusal.message)
    assert turk.state()["paidTwice"] == []
    client.send_bonus(**given)
    assert turk.state()["paidTwice"] == [one]
    paid = client.list_bonus_payments(AssignmentId=one)["BonusPayments"]
    assert [bonus["BonusAmount"] for bonus in paid] == ["0.25", "0.25"]
    assert (turk.books()["bonuses"], turk.books()["fees"]) == (50, 10)


def test_a_bonus_needs_the_worker_of_the_assignment(turk: Handle) -> None:
    one = submitted(turk, make_hit(turk))
    with refused("InvalidParameterValue"):
        turk.client().send_bonus(WorkerId="A2", AssignmentId=one, BonusAmount="1", Reason="r")


def test_a_pending_assignment_cannot_be_decided(turk: Handle) -> None:
    hit = make_hit(turk, type_id=make_type(turk))
    one = turk.worker("A1").accept(hit_id=hit)["assignmentId"]
    for method in ("approve_assignment", "reject_assignment", "get_assignment"):
        given = {"RequesterFeedback": REASON} if method == "reject_assignment" else {}
        with refused("InvalidAssignmentState"):
            getattr(turk.client(), method)(AssignmentId=one, **given)
