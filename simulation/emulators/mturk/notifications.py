"""Notifications of events, as the platform sends them to a queue or a topic.

The message's form is that of the platform's notification documents, version 2014-08-15. A topic's messages
arrive in the same queue, in the envelope that a queue subscribed to a topic sees.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from simulation.emulators.mturk.api.queue import enqueue
from simulation.emulators.mturk.clock import to_datetime
from simulation.emulators.mturk.errors import bad_value, no_such
from simulation.emulators.mturk.faults import Kind
from simulation.emulators.mturk.state import Hit
from simulation.emulators.mturk.world import QUEUE, Input, Output, World

VERSION = "2014-08-15"
_VERSIONS = (VERSION, "2006-05-05")


def notify(world: World, event: str, hit: Hit, assignment: str = "", *, at: float) -> None:
    """Send a notification of an event if the HIT's type asks for it."""
    settings = world.state.types[hit.type_id]
    wanted = settings.notification if settings.notifying else None
    if wanted and event in wanted["EventTypes"]:
        fields = {"HITTypeId": hit.type_id, "HITId": hit.id}
        _send(world, wanted, event, {**fields, "AssignmentId": assignment} if assignment else fields, at)


def _send(world: World, wanted: dict[str, Any], event: str, about: dict[str, str], at: float) -> None:
    document: dict[str, Any] = {
        "EventDocVersion": wanted["Version"],
        "EventDocId": hashlib.sha256(world.state.new_id().encode()).hexdigest()[:40],
        "CustomerId": world.account.customer_id,
        "Events": [{"EventType": event, "EventTimestamp": f"{to_datetime(at):%Y-%m-%dT%H:%M:%SZ}", **about}],
    }
    body = json.dumps(document)
    if wanted["Transport"] == "SNS":
        body = json.dumps(
            {
                "Type": "Notification",
                "MessageId": world.state.new_id(),
                "TopicArn": wanted["Destination"],
                "Message": body,
                "Timestamp": f"{to_datetime(world.now()):%Y-%m-%dT%H:%M:%S.000Z}",
            }
        )
    fault = world.faults.at_notification(event, document["EventDocId"])
    if fault and fault.kind == Kind.DROP:
        return
    queue = wanted["Destination"] if wanted["Transport"] == "SQS" else QUEUE
    delay = fault.seconds if fault and fault.kind == Kind.DELAY else 0.0
    for _ in range(2 if fault and fault.kind == Kind.DUPLICATE else 1):
        enqueue(world, queue, body, delay=delay)


def update_settings(world: World, given: Input) -> Output:
    hit_type = world.state.types.get(given["HITTypeId"])
    if not hit_type:
        raise no_such("HITType", given["HITTypeId"])
    if "Notification" not in given and "Active" not in given:
        raise bad_value("UpdateNotificationSettings needs a Notification or Active.")
    if "Notification" in given:
        hit_type.notification = _checked(given["Notification"])
    hit_type.notifying = given.get("Active", True)
    if hit_type.notifying and not hit_type.notification:
        raise bad_value("The HIT type has no notification that could be active.")
    return {}


def send_test(world: World, given: Input) -> Output:
    wanted = _checked(given["Notification"], test=True)
    # As on the real platform, the ids are of nothing.
    about = {"HITTypeId": "T" + "0" * 29, "HITId": "H" + "0" * 29, "AssignmentId": "A" + "0" * 29}
    _send(world, wanted, given["TestEventType"], about, world.now())
    return {}


def _checked(wanted: dict[str, Any], *, test: bool = False) -> dict[str, Any]:
    if wanted["Transport"] == "Email":
        raise bad_value("Transport Email is not emulated; use SQS or SNS.")
    if wanted["Version"] not in _VERSIONS:
        raise bad_value(f"Version has to be {VERSION}.")
    if not wanted["Destination"] or not wanted["EventTypes"]:
        raise bad_value("A notification needs a Destination and EventTypes.")
    if "Ping" in wanted["EventTypes"] and not test:
        raise bad_value("Ping is for SendTestEventNotification only.")
    return dict(wanted)
