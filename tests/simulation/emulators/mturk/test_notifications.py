"""Notifications: which events, in which form, and a queue that delivers at least once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simulation.emulators.mturk.api import shapes
from simulation.emulators.mturk.handle import Handle
from tests.simulation.emulators.mturk.calls import HOUR, make_hit, make_type, refused, submitted

EVENTS = shapes.service("mturk").shape_for("EventType").metadata["enum"]
EVERY = [event for event in EVENTS if event != "Ping"]


def notified_type(turk: Handle, events: list[str], **changed: str) -> str:
    type_id = make_type(turk)
    wanted = {"Destination": turk.queue_url, "Transport": "SQS", "Version": "2014-08-15", **changed}
    turk.client().update_notification_settings(
        HITTypeId=type_id, Notification={**wanted, "EventTypes": events}, Active=True
    )
    return type_id


def received(turk: Handle, **changed: int) -> list[dict[str, Any]]:
    given = {"MaxNumberOfMessages": 10, **changed}
    found = turk.client("sqs").receive_message(QueueUrl=turk.queue_url, **given)
    return list(found.get("Messages", []))


def events(turk: Handle) -> list[tuple[str, str]]:
    """Take what waits out of the queue. Return event types with assignments' ids."""
    told = []
    while messages := received(turk):
        for message in messages:
            (event,) = json.loads(message["Body"])["Events"]
            told.append((event["EventType"], event.get("AssignmentId", "")))
            turk.client("sqs").delete_message(QueueUrl=turk.queue_url, ReceiptHandle=message["ReceiptHandle"])
    return told


def test_every_event_is_told_in_the_order_it_happened(turk: Handle) -> None:
    hit = make_hit(turk, 4, type_id=notified_type(turk, EVERY))
    client = turk.client()
    first = turk.worker("A1").accept(hit_id=hit)["assignmentId"]
    turk.worker("A1").give_back(first)
    one, two = submitted(turk, hit, "A1"), submitted(turk, hit, "A2")
    left = turk.worker("A3").accept(hit_id=hit)["assignmentId"]
    client.approve_assignment(AssignmentId=one)
    client.reject_assignment(AssignmentId=two, RequesterFeedback="r")
    client.create_additional_assignments_for_hit(HITId=hit, NumberOfAdditionalAssignments=1)
    turk.set_clock(advance=HOUR)
    client.delete_hit(HITId=hit)
    assert first == one
    assert events(turk) == [
        ("HITCreated", ""),
        ("AssignmentAccepted", one),
        ("AssignmentReturned", one),
        ("AssignmentAccepted", one),
        ("AssignmentSubmitted", one),
        ("AssignmentAccepted", two),
        ("AssignmentSubmitted", two),
        ("AssignmentAccepted", left),
        ("AssignmentApproved", one),
        ("AssignmentRejected", two),
        ("HITExtended", ""),
        ("AssignmentAbandoned", left),
        ("HITExpired", ""),
        ("HITReviewable", ""),
        ("HITDisposed", ""),
    ]


def test_a_notification_has_the_form_of_the_platforms_documents(turk: Handle) -> None:
    type_id = notified_type(turk, ["HITCreated"])
    hit = make_hit(turk, type_id=type_id)
    (message,) = received(turk)
    told = json.loads(message["Body"])
    assert (told["EventDocVersion"], told["CustomerId"]) == ("2014-08-15", "AREQUESTER00000000000")
    assert told["EventDocId"] and told["Events"] == [
        {
            "EventType": "HITCreated",
            "EventTimestamp": "2026-09-21T14:13:20Z",
            "HITTypeId": type_id,
            "HITId": hit,
        }
    ]


def test_a_topic_s_notification_comes_in_its_envelope(turk: Handle) -> None:
    topic = "arn:aws:sns:us-east-1:000000000000:crowd"
    make_hit(turk, type_id=notified_type(turk, ["HITCreated"], Transport="SNS", Destination=topic))
    (message,) = received(turk)
    envelope = json.loads(message["Body"])
    assert (envelope["Type"], envelope["TopicArn"]) == ("Notification", topic)
    assert json.loads(envelope["Message"])["Events"][0]["EventType"] == "HITCreated"


def test_settings_can_be_switched_off_and_a_test_goes_anyway(turk: Handle) -> None:
    type_id = notified_type(turk, ["HITCreated"])
    turk.client().update_notification_settings(HITTypeId=type_id, Active=False)
    make_hit(turk, type_id=type_id)
    assert events(turk) == []
    where = {"Destination": turk.queue_url, "Transport": "SQS", "Version": "2014-08-15"}
    wanted = {**where, "EventTypes": ["Ping"]}
    turk.client().send_test_event_notification(Notification=wanted, TestEventType="Ping")
    assert [event for event, _ in events(turk)] == ["Ping"]
    with refused("InvalidParameterValue"):
        turk.client().update_notification_settings(HITTypeId=type_id, Notification=wanted)


def test_a_message_that_is_not_deleted_comes_again_with_another_receipt(turk: Handle) -> None:
    queue = turk.client("sqs")
    queue.send_message(QueueUrl=turk.queue_url, MessageBody="hello")
    (first,) = received(turk)
    assert received(turk) == []
    turk.set_clock(advance=30)
    (second,) = received(turk)
    assert first["MessageId"] == second["MessageId"] and first["ReceiptHandle"] != second["ReceiptHandle"]
    queue.delete_message(QueueUrl=turk.queue_url, ReceiptHandle=first["ReceiptHandle"])
    turk.set_clock(advance=30)
    (third,) = received(turk, VisibilityTimeout=0)
    entries = [{"Id": "1", "ReceiptHandle": third["ReceiptHandle"]}]
    queue.delete_message_batch(QueueUrl=turk.queue_url, Entries=entries)
    assert received(turk) == []


@pytest.mark.parametrize(
    ("fault", "now", "later"),
    [
        ({"kind": "drop"}, 0, 0),
        ({"kind": "duplicate"}, 2, 2),
        ({"kind": "delay", "seconds": 60.0}, 0, 1),
        ({"kind": "drop", "operation": "HITExpired"}, 1, 1),
    ],
)
def test_notifications_are_lost_doubled_and_late_when_asked_for(
    turk: Handle, fault: dict[str, Any], now: int, later: int
) -> None:
    turk.set_faults(fault)
    make_hit(turk, type_id=notified_type(turk, ["HITCreated"]))
    messages = received(turk, VisibilityTimeout=0)
    assert len(messages) == now
    assert len({json.loads(message["Body"])["EventDocId"] for message in messages}) == min(now, 1)
    turk.set_clock(advance=60)
    assert len(received(turk)) == later
