"""Mechanical Turk's notifications, in each form in which they come."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workflows.platforms.mturk.notifications import read_hints
from workflows.platforms.provider import Hint

EVENT = {"EventType": "AssignmentSubmitted", "EventTimestamp": "2026-03-01T12:00:00Z", "HITId": "H1"}


def document(*events: Any, **fields: Any) -> str:
    return json.dumps({"EventDocId": "doc", "EventDocVersion": "2014-08-15", "Events": events, **fields})


def test_every_event_of_a_message_is_a_hint_of_its_own() -> None:
    assert read_hints(document(EVENT, {**EVENT, "EventType": "HITReviewable"}), "m") == [
        Hint("doc:0", "AssignmentSubmitted", "H1"),
        Hint("doc:1", "HITReviewable", "H1"),
    ]


def test_an_envelope_of_sns_is_opened() -> None:
    body = json.dumps({"Type": "Notification", "MessageId": "x", "Message": document(EVENT)})
    assert read_hints(body, "m") == [Hint("doc:0", "AssignmentSubmitted", "H1")]


def test_a_message_without_an_id_has_that_of_the_queue() -> None:
    assert read_hints(document(EVENT, EventDocId=None), "m") == [Hint("m:0", "AssignmentSubmitted", "H1")]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "no json",
        "[" * 100_000,
        "[]",
        "null",
        document(None, 7, {"EventType": "HITExpired"}, {"HITId": "H1"}, {**EVENT, "HITId": ["H1"]}),
        document({**EVENT, "HITId": "H" * 129}),
        json.dumps({"Events": {"0": EVENT}}),
        json.dumps({"Type": "Notification", "Message": {"Events": [EVENT]}}),
    ],
)
def test_what_cannot_be_read_is_no_hint(body: str) -> None:
    assert read_hints(body, "m") == []


def test_a_message_has_at_most_so_many_events() -> None:
    assert len(read_hints(document(*[EVENT] * 5000), "m")) == 100
