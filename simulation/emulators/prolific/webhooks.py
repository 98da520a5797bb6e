"""Webhooks: subscriptions, and the delivery of events, which are signed as the reference says."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from simulation.emulators.prolific.errors import MissingError, RefusalError
from simulation.emulators.prolific.faults import Kind
from simulation.emulators.prolific.request_checks import LOOPBACK, texts
from simulation.emulators.prolific.requests import Reply, Request
from simulation.emulators.prolific.world import World

EVENT_TYPES = ("submission.status.change", "study.status.change")
MAX_TRIES = 12
TIMEOUT = 10  # seconds


@dataclass(slots=True)
class Subscription:
    id: str
    event_type: str
    target_url: str
    secret: str
    confirmed: bool = False


@dataclass(slots=True)
class Delivery:
    event_id: str
    target_url: str
    body: bytes
    tries: int = 0


def post(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Post a body. Return the reply's status, or 0 if there was no reply."""
    request = urllib.request.Request(url, body, headers)  # noqa: S310 (subscribing checks the scheme)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as reply:  # noqa: S310
            return int(reply.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    except OSError:
        return 0


@dataclass(slots=True)
class Hooks:
    world: World
    post: Callable[[str, bytes, dict[str, str]], int] = post
    secret: str = ""  # of the workspace: signs every event
    secret_id: str = ""
    subscriptions: dict[str, Subscription] = field(default_factory=dict)
    waiting: list[Delivery] = field(default_factory=list)
    late: list[Delivery] = field(default_factory=list)
    log: list[tuple[str, int]] = field(default_factory=list)  # events and how they were answered

    def secrets(self, world: World, request: Request) -> Reply:
        if request.params.get("workspace_id") != world.workspace:
            raise RefusalError(400, {"workspace_id": ["Is required, and has to be yours."]})
        return Reply(body={"results": [self._secret(world)] if self.secret else []})

    def make_secret(self, world: World, request: Request) -> Reply:
        """Make a new secret. The earlier secret does not sign any more."""
        if texts(request.body, "workspace_id") != [world.workspace]:
            raise RefusalError(400, {"workspace_id": ["Has to be yours."]})
        self.secret, self.secret_id = secrets.token_hex(16), world.new_id()
        return Reply(201, self._secret(world))

    def event_types(self, world: World, request: Request) -> Reply:
        return Reply(body={"results": [{"event_type": one, "description": one} for one in EVENT_TYPES]})

    def subscribe(self, world: World, request: Request) -> Reply:
        workspace, event_type, target = texts(request.body, "workspace_id", "event_type", "target_url")
        parts = urlsplit(target)
        if parts.scheme != "https" and parts.hostname not in LOOPBACK:
            raise RefusalError(400, {"target_url": ["Has to use https."]})
        if workspace != world.workspace or not self.secret or event_type not in EVENT_TYPES:
            raise RefusalError(
                400, "A workspace of yours with a secret, and a known event type, are required."
            )
        one = Subscription(world.new_id(), event_type, target, secrets.token_hex(16))
        self.subscriptions[one.id] = one
        return Reply(201, _shown(world, one), {"X-Hook-Secret": one.secret})

    def confirm(self, world: World, request: Request) -> Reply:
        one = self._one(request)
        if request.body.get("secret") != one.secret:
            raise RefusalError(400, {"secret": ["Does not match."]})
        one.confirmed = True
        return Reply(body=_shown(world, one))

    def every(self, world: World, request: Request) -> Reply:
        """Return the enabled subscriptions, or the disabled ones if the request asks for them."""
        enabled = request.params.get("is_enabled", "true") == "true"
        here = request.params.get("workspace_id", world.workspace) == world.workspace
        rows = [one for one in self.subscriptions.values() if here and one.confirmed == enabled]
        return Reply(body={"results": [_shown(world, one) for one in rows]})

    def delete(self, world: World, request: Request) -> Reply:
        del self.subscriptions[self._one(request).id]
        return Reply(204)

    def deliver(self) -> int:
        """Send waiting events. Return how many were accepted; the others are sent again next time."""
        with self.world.lock:
            self.waiting += self.late
            self.late = []
            for event_type, payload in self.world.events:
                self._queue(event_type, payload)
            self.world.events.clear()
            sending, self.waiting = self.waiting, []
        taken = 0
        for one in sending:
            one.tries += 1
            status = self._send(one)
            self.log.append((one.event_id, status))
            if 200 <= status < 300:
                taken += 1
            elif one.tries < MAX_TRIES:
                self.waiting.append(one)
        return taken

    def signed(self, body: bytes) -> dict[str, str]:
        """Return headers with the time of sending and base64(HMAC-SHA256(secret, timestamp + body))."""
        timestamp = str(int(self.world.clock.now().timestamp()))
        digest = hmac.new(self.secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
        return {
            "X-Prolific-Request-Timestamp": timestamp,
            "X-Prolific-Request-Signature": base64.b64encode(digest).decode(),
        }

    def _queue(self, event_type: str, payload: dict[str, Any]) -> None:
        for one in self.subscriptions.values():
            if not one.confirmed or one.event_type != event_type:
                continue
            fault = self.world.faults.of_event(event_type)
            body = json.dumps({**payload, "event_type": event_type}).encode()
            made = Delivery(self.world.new_id(), one.target_url, body)
            if fault == Kind.LATE:
                self.late.append(made)
            elif fault != Kind.LOSE:
                self.waiting += [made] * (2 if fault == Kind.DOUBLE else 1)

    def _send(self, one: Delivery) -> int:
        headers = {
            "Content-Type": "application/json",
            "X-Event-ID": one.event_id,
            "X-Timestamp": str(int(self.world.clock.now().timestamp())),
            **self.signed(one.body),
        }
        return self.post(one.target_url, one.body, headers)

    def _secret(self, world: World) -> dict[str, str]:
        return {"id": self.secret_id, "value": self.secret, "workspace_id": world.workspace}

    def _one(self, request: Request) -> Subscription:
        if request.ids[0] not in self.subscriptions:
            raise MissingError("The subscription")
        return self.subscriptions[request.ids[0]]


def _shown(world: World, one: Subscription) -> dict[str, Any]:
    return {
        "id": one.id,
        "event_type": one.event_type,
        "target_url": one.target_url,
        "is_enabled": one.confirmed,
        "workspace_id": world.workspace,
    }
