"""Mechanical Turk's notifications, read from an SQS queue. They only say where to look."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from workflows.platforms.mturk.client import Requester, make_client
from workflows.platforms.provider import Hint, RefusedError

AT_ONCE, MAX_ROUNDS = 10, 30  # messages in one reply, and replies in one call of `hints`
MAX_EVENTS, MAX_TEXT = 100, 128  # events of a message, and characters of an id


class Notifications(Requester):
    """The part of MTurk that reads notifications."""

    @cached_property
    def queue(self) -> Any:
        """The client of the service that has the queue."""
        parts = urlsplit(self.account.queue_url)
        return make_client("sqs", self.account, f"{parts.scheme}://{parts.netloc}")

    def hints(self) -> list[Hint]:
        """Return waiting notifications and delete them from the queue.

        Those that are lost if this process dies now were only hints.
        """
        taken: list[Hint] = []
        for _ in range(MAX_ROUNDS if self.account.queue_url else 0):
            messages = self._receive()
            for message in messages:
                taken += read_hints(message.get("Body", ""), message.get("MessageId", ""))
            self._delete([message["ReceiptHandle"] for message in messages])
            if len(messages) < AT_ONCE:
                break
        return taken

    def _receive(self) -> list[dict[str, Any]]:
        reply = self.ask_by(
            self.queue,
            "ReceiveMessage",
            "",
            QueueUrl=self.account.queue_url,
            MaxNumberOfMessages=AT_ONCE,
            WaitTimeSeconds=0,
        )
        return list(reply.get("Messages", ()))

    def _delete(self, receipts: list[str]) -> None:
        """Delete messages from the queue. Those that remain come again, and are recognised."""
        if receipts:
            entries = [{"Id": str(number), "ReceiptHandle": one} for number, one in enumerate(receipts)]
            with suppress(RefusedError):
                self.ask_by(
                    self.queue,
                    "DeleteMessageBatch",
                    "",
                    QueueUrl=self.account.queue_url,
                    Entries=entries,
                )


def read_hints(body: str, message_id: str) -> list[Hint]:
    """Return a message's events, also from the envelope that SNS adds; none if it cannot be read."""
    document = _object(body)
    if document.get("Type") == "Notification":
        document = _object(document.get("Message"))
    named = str(document.get("EventDocId") or message_id)[:MAX_TEXT]
    return [
        Hint(f"{named}:{number}", kind[:48], publication_id)
        for number, kind, publication_id in _events(document)
    ]


def _events(document: dict[str, Any]) -> Iterator[tuple[int, str, str]]:
    events = document.get("Events")
    for number, event in enumerate(events[:MAX_EVENTS] if isinstance(events, list) else ()):
        kind, hit = (event.get("EventType"), event.get("HITId")) if isinstance(event, dict) else (None, None)
        if isinstance(kind, str) and isinstance(hit, str) and len(hit) <= MAX_TEXT:
            yield number, kind, hit


def _object(text: object) -> dict[str, Any]:
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
