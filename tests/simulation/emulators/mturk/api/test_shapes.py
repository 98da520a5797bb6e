"""Every operation answers, every request and reply fits botocore's model, and every caller has signed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from simulation.emulators.mturk.api import dispatch, shapes
from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.run import emulator
from simulation.emulators.mturk.world import Account, World
from tests.simulation.emulators.mturk.calls import (
    REASON,
    START,
    make_hit,
    make_type,
    question,
    refused,
    submitted,
)


def test_the_emulator_has_every_operation_of_the_model_and_no_other() -> None:
    assert set(dispatch.OPERATIONS["mturk"]) == set(shapes.service("mturk").operation_names)
    assert len(dispatch.OPERATIONS["mturk"]) == 39


def test_every_operation_does_what_a_plain_boto3_asks(turk: Handle) -> None:
    """If a reply does not fit botocore's model, `emulator` fails the test. `kept` has the requests."""
    client = turk.client()
    mine = client.create_qualification_type(Name="Q", Description="d", QualificationTypeStatus="Active")
    mine_id = mine["QualificationType"]["QualificationTypeId"]
    needed = [{"QualificationTypeId": mine_id, "Comparator": "DoesNotExist"}]
    type_id = make_type(turk, QualificationRequirements=needed, Keywords="a,b")
    hit = make_hit(turk, 4, type_id=type_id, RequesterAnnotation="ours", UniqueRequestToken="t1")
    one, two, three = (submitted(turk, hit, worker) for worker in ("A1", "A2", "A3"))
    request = turk.worker("A1").request(mine_id)
    other = turk.worker("A2").request(mine_id)
    notification = {
        "Destination": turk.queue_url,
        "Transport": "SQS",
        "Version": "2006-05-05",
        "EventTypes": ["HITReviewable"],
    }
    asked: list[tuple[str, dict[str, Any]]] = [
        ("get_account_balance", {}),
        ("get_hit", {"HITId": hit}),
        ("list_hits", {}),
        ("list_hits_for_qualification_type", {"QualificationTypeId": mine_id}),
        ("list_assignments_for_hit", {"HITId": hit, "AssignmentStatuses": ["Submitted"]}),
        ("get_assignment", {"AssignmentId": one}),
        ("approve_assignment", {"AssignmentId": one, "RequesterFeedback": "Good"}),
        ("reject_assignment", {"AssignmentId": two, "RequesterFeedback": REASON}),
        ("approve_assignment", {"AssignmentId": two, "OverrideRejection": True}),
        ("send_bonus", {"WorkerId": "A1", "AssignmentId": one, "BonusAmount": "1", "Reason": "r"}),
        ("list_bonus_payments", {"AssignmentId": one}),
        ("list_bonus_payments", {"HITId": hit}),
        ("create_additional_assignments_for_hit", {"HITId": hit, "NumberOfAdditionalAssignments": 1}),
        ("list_review_policy_results_for_hit", {"HITId": hit}),
        (
            "update_notification_settings",
            {"HITTypeId": type_id, "Notification": notification, "Active": True},
        ),
        ("send_test_event_notification", {"Notification": notification, "TestEventType": "HITReviewable"}),
        ("update_hit_type_of_hit", {"HITId": hit, "HITTypeId": make_type(turk, Reward="0.2")}),
        ("update_expiration_for_hit", {"HITId": hit, "ExpireAt": datetime.fromtimestamp(START - 9, UTC)}),
        ("list_reviewable_hits", {}),
        ("update_hit_review_status", {"HITId": hit}),
        ("update_hit_review_status", {"HITId": hit, "Revert": True}),
        ("approve_assignment", {"AssignmentId": three}),
        ("delete_hit", {"HITId": hit}),
        ("list_qualification_requests", {}),
        ("accept_qualification_request", {"QualificationRequestId": request, "IntegerValue": 7}),
        ("reject_qualification_request", {"QualificationRequestId": other, "Reason": "r"}),
        ("associate_qualification_with_worker", {"QualificationTypeId": mine_id, "WorkerId": "A2"}),
        ("get_qualification_score", {"QualificationTypeId": mine_id, "WorkerId": "A1"}),
        ("list_workers_with_qualification_type", {"QualificationTypeId": mine_id}),
        ("disassociate_qualification_from_worker", {"QualificationTypeId": mine_id, "WorkerId": "A2"}),
        ("get_qualification_type", {"QualificationTypeId": mine_id}),
        ("update_qualification_type", {"QualificationTypeId": mine_id, "Description": "other"}),
        ("list_qualification_types", {"MustBeRequestable": True, "MustBeOwnedByCaller": True}),
        ("notify_workers", {"Subject": "s", "MessageText": "m", "WorkerIds": ["A1", "A9"]}),
        ("create_worker_block", {"WorkerId": "A1", "Reason": "r"}),
        ("list_worker_blocks", {}),
        ("delete_worker_block", {"WorkerId": "A1"}),
        ("delete_qualification_type", {"QualificationTypeId": mine_id}),
        ("create_hit", {**_whole_hit(), "UniqueRequestToken": "t2"}),
    ]
    for method, given in asked:
        getattr(client, method)(**given)
    with refused("InvalidParameterValue"):
        client.get_file_upload_url(AssignmentId=one, QuestionIdentifier="file")
    done = {call["operation"] for call in turk.calls() if call["performed"]}
    assert done | {"GetFileUploadURL"} == set(shapes.service("mturk").operation_names)


def _whole_hit() -> dict[str, Any]:
    return {
        "Title": "t",
        "Description": "d",
        "Reward": "0.01",
        "AssignmentDurationInSeconds": 60,
        "LifetimeInSeconds": 60,
        "Question": question(),
    }


def test_a_reply_that_fits_no_shape_is_a_500_and_fails_whoever_runs_the_emulator(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def wrong(world: World, given: object) -> dict[str, Any]:
        return {"AvailableBalance": "ten dollars"}

    monkeypatch.setitem(dispatch.OPERATIONS["mturk"], "GetAccountBalance", wrong)
    with (
        pytest.raises(AssertionError, match="ten dollars"),
        emulator() as turk,
        refused(kind="500", http=500),
    ):
        turk.client().get_account_balance()


@pytest.mark.parametrize(
    ("method", "given", "says"),
    [
        ("get_hit", {"HITId": "no/id"}, "does not match"),
        ("list_hits", {"MaxResults": 101}, "more than 100"),
        (
            "send_bonus",
            {"WorkerId": "A1", "AssignmentId": "3", "BonusAmount": "1.234", "Reason": "r"},
            "match",
        ),
        ("list_assignments_for_hit", {"HITId": "3", "AssignmentStatuses": ["Returned"]}, "none of Submitted"),
    ],
)
def test_a_request_against_the_model_is_refused_also_where_botocore_lets_it_pass(
    turk: Handle, method: str, given: dict[str, Any], says: str
) -> None:
    with refused("", kind="ParameterValidationError") as refusal:
        getattr(turk.client(), method)(**given)
    assert says in refusal.message


def test_only_the_account_is_answered(turk: Handle) -> None:
    def other(key_id: str, secret: str) -> Any:
        return Handle(turk.url, turk.queue_url, Account(key_id, secret)).client()

    with refused(kind="UnrecognizedClientException"):
        other("SOMEBODYELSE", turk.account.secret).get_account_balance()
    with refused(kind="InvalidSignatureException"):
        other(turk.account.key_id, "guessed").get_account_balance()
    target = {"X-Amz-Target": "MTurkRequesterServiceV20170117.GetAccountBalance"}
    assert httpx.post(turk.url, headers=target, content=b"{}").status_code == 400
    assert not any(call["performed"] for call in turk.calls())
