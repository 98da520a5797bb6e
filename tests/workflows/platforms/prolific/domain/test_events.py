"""What counts as an event of Prolific's."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from workflows.platforms.prolific.domain.events import FRESH_SECONDS, Event, EventError, read_event

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECRET = "shared"
BODY = json.dumps({"event_type": "study.status.change", "resource_id": "s1", "status": "ACTIVE"}).encode()


def read(body: bytes = BODY, *, at: datetime = NOW, key: str = SECRET, **fields: Any) -> Event:
    """Read an event signed with `key` at the time `at`; `fields` replace parts of it."""
    timestamp = str(int(at.timestamp()))
    digest = hmac.new(key.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    signature = base64.b64encode(digest).decode()
    given = {"event_id": "e1", "signature": signature, "timestamp": timestamp, "secret": SECRET, "now": NOW}
    return read_event(body=body, **{**given, **fields})


def test_a_signed_event_says_what_it_is_about() -> None:
    one = read()
    assert (one.id, one.kind, one.resource) == ("e1", "study.status.change", "s1")


def test_the_signature_names_an_event_without_an_id() -> None:
    assert read(event_id="").id == read().signature != read(at=NOW - timedelta(seconds=1)).signature


@pytest.mark.parametrize(
    "fields",
    [
        {"key": "another"},
        {"signature": ""},
        {"signature": "é"},
        {"timestamp": str(int(NOW.timestamp()) + 1)},
        {"timestamp": ""},
        {"timestamp": "-1"},
        {"timestamp": "9" * 40},
    ],
)
def test_what_is_not_signed_with_our_secret_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(EventError, match="signature"):
        read(**fields)


def test_without_a_secret_nothing_is_signed() -> None:
    with pytest.raises(EventError, match="signature"):
        read_event(body=BODY, event_id="e", signature="", timestamp="1", secret="", now=NOW)


@pytest.mark.parametrize("seconds", [-FRESH_SECONDS - 1, FRESH_SECONDS + 1])
def test_an_event_of_another_time_is_refused(seconds: int) -> None:
    read(at=NOW + timedelta(seconds=FRESH_SECONDS if seconds > 0 else -FRESH_SECONDS))
    with pytest.raises(EventError, match="too old"):
        read(at=NOW + timedelta(seconds=seconds))


@pytest.mark.parametrize("body", [b"", b"no json", b"[]", b"{}", b'{"event_type": "x", "resource_id": 1}'])
def test_what_is_no_event_is_refused(body: bytes) -> None:
    with pytest.raises(EventError):
        read(body)
