"""Prolific's events: whether one is Prolific's, and what it is about.

Signed with base64(HMAC-SHA256(secret, timestamp + body)), where the timestamp is that of sending (API
reference, "Verifying"). One that is older than five minutes is not taken: it may have been kept by somebody.
Prolific sends again what was not taken, and signs it anew; what is lost so is found by asking.
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
MOST_ID = 120  # characters of any id


class EventError(ValueError):
    """Not an event of Prolific's, or not one of now. The message says why; it quotes nothing."""


class About(StrEnum):
    SUBMISSION = "submission.status.change"
    STUDY = "study.status.change"


@dataclass(frozen=True, slots=True)
class Event:
    id: str
    signature: str  # known again however the event is named
    kind: str
    resource: str  # the study or submission


def read_event(
    *, body: bytes, event_id: str, signature: str, timestamp: str, secret: str, now: datetime
) -> Event:
    """Raises EventError."""
    if not is_signed(body=body, signature=signature, timestamp=timestamp, secret=secret):
        raise EventError("The signature is not Prolific's.")
    if abs(now.timestamp() - int(timestamp)) > FRESH_SECONDS:
        raise EventError("The event is too old, or of another time.")
    try:
        told = json.loads(body)
    except ValueError as error:
        raise EventError("The event is not JSON.") from error
    kind = told.get("event_type") if isinstance(told, dict) else None
    resource = told.get("resource_id") if isinstance(told, dict) else None
    if not _is_id(kind) or not _is_id(resource):
        raise EventError("The event names no event_type and resource_id.")
    digest = hashlib.sha256(signature.encode()).hexdigest()
    return Event(event_id[:MOST_ID] or digest, digest, str(kind), str(resource))


def is_signed(*, body: bytes, signature: str, timestamp: str, secret: str) -> bool:
    if not secret or not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return hmac.compare_digest(base64.b64encode(digest), signature.encode())


def _is_id(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MOST_ID
