"""Prolific's events: check that Prolific has sent an event, and read what it is about.

An event is signed with base64(HMAC-SHA256(secret, timestamp + body)); the timestamp is when it was sent (API
reference, "Verifying"). An event older than five minutes is refused: somebody may have recorded it. Prolific
signs and sends a refused event again, and rounds find what is lost nevertheless.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

FRESH_SECONDS = 300
MAX_ID = 120  # characters of an id


class EventError(ValueError):
    """It is not an event that Prolific has just sent. The message says why, and quotes nothing of it."""


class About(StrEnum):
    """The types of events that we take, by what they are about."""

    SUBMISSION = "submission.status.change"
    STUDY = "study.status.change"


@dataclass(frozen=True, slots=True)
class Event:
    """An event that Prolific has sent."""

    id: str
    signature: str  # the SHA-256 of it, by which a replayed event is recognised under any id
    kind: str
    resource: str  # the id of the study or submission


def read_event(
    *, body: bytes, event_id: str, signature: str, timestamp: str, secret: str, now: datetime
) -> Event:
    """Return the event in a request's body. Raises EventError if Prolific has not just sent it."""
    if not is_signed(body=body, signature=signature, timestamp=timestamp, secret=secret):
        raise EventError("The signature is not Prolific's.")
    if abs(now.timestamp() - int(timestamp)) > FRESH_SECONDS:
        raise EventError("The event is too old, or of another time.")
    try:
        event = json.loads(body)
    except ValueError as error:
        raise EventError("The event is not JSON.") from error
    kind = event.get("event_type") if isinstance(event, dict) else None
    resource = event.get("resource_id") if isinstance(event, dict) else None
    if not _is_id(kind) or not _is_id(resource):
        raise EventError("The event names no event_type and resource_id.")
    digest = hashlib.sha256(signature.encode()).hexdigest()
    return Event(event_id[:MAX_ID] or digest, digest, str(kind), str(resource))


def is_signed(*, body: bytes, signature: str, timestamp: str, secret: str) -> bool:
    """Return whether the body was signed with the secret at this timestamp, in seconds."""
    if not secret or not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return hmac.compare_digest(base64.b64encode(digest), signature.encode())


def _is_id(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_ID
