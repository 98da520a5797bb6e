"""Make publications and sessions of workers without a platform."""

from __future__ import annotations

import json
from datetime import timedelta
from itertools import count
from typing import Any

from django.test import Client

from annotation.models import Assignment, Batch
from tests.factories import NOW
from tests.workflows.http import Api, Reply
from workflows.crowd.models import Publication
from workflows.platforms.accounts import MTurkAccount
from workflows.platforms.provider import Environment
from workflows.workers.models import Participation

ORIGIN = "https://workersandbox.example.org"
ACCOUNT = MTurkAccount(
    endpoint="http://127.0.0.1:1",
    environment=Environment.EMULATOR,
    key_id="K",
    secret="s",
    submit_origins=(ORIGIN,),
)
HERE, ELSEWHERE = "127.0.0.1", "192.0.2.99"
_numbers = count(1)


def make_publication(batch: Batch, stage: str = "link", **fields: Any) -> Publication:
    """Make an open publication of one place that pays five cents."""
    number = next(_numbers)
    return Publication.objects.create(
        **{
            "batch": batch,
            "stage": stage,
            "provider": "mturk",
            "environment": "emulator",
            "token": f"{number:08x}",
            "external_id": f"HIT{number}",
            "state": Publication.State.OPEN,
            "reward": 5,
            "fee": 1,
            "currency": "USD",
            "created_at": NOW,
            "expires_at": NOW + timedelta(days=1),
            **fields,
        }
    )


def body_of(publication: Publication, worker: str = "AW1", assignment: str = "A1") -> dict[str, Any]:
    return {
        "publication": publication.token,
        "stage": publication.stage,
        "assignment": assignment,
        "worker": worker,
        "submit_to": ORIGIN,
    }


def ask(body: dict[str, Any], address: str = HERE) -> Reply:
    """Ask for a session, as anybody may."""
    client = Client(REMOTE_ADDR=address)
    return client.post("/api/v1/crowd/sessions", json.dumps(body), content_type="application/json")


def enter(
    publication: Publication, worker: str = "AW1", assignment: str = "A1", *, address: str = HERE
) -> Api:
    """Return an API client with the token of this worker's session."""
    reply = ask(body_of(publication, worker, assignment), address)
    assert reply.status_code == 200, reply.content
    return Api(None, reply.json()["token"])


def hand_in(
    publication: Publication, worker: str = "AW1", assignment: str = "A1", *, address: str = HERE
) -> Participation:
    """Claim and answer a page in a session."""
    api = enter(publication, worker, assignment, address=address)
    page = api.claim(publication.stage).json()
    assert api.submit(page, {"same": True}).status_code == 201
    return Participation.objects.select_related("assignment").get(assignment=page["id"])


def page_of(participation: Participation) -> Assignment:
    return Assignment.objects.get(participation=participation)
