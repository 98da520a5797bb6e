"""A worker's side of the API, by Django's test client: every middleware, parser and renderer is used."""

from __future__ import annotations

import json
from typing import Any, Protocol

from django.test import Client

from annotation.models import Worker
from workflows.api.authentication import make_token


class Reply(Protocol):
    """What tests read of Django's response."""

    status_code: int
    content: bytes
    headers: Any

    def json(self) -> Any: ...


class Api:
    """The client of one worker. `token` replaces the worker's own token."""

    def __init__(self, worker: Worker | None, token: str | None = None) -> None:
        token = make_token(worker) if token is None and worker is not None else token
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self.client = Client(headers=headers, raise_request_exception=True)

    def get(self, path: str) -> Reply:
        return self.client.get(f"/api/v1/{path}")

    def post(self, path: str, body: object = None, *, raw: bytes | None = None, kind: str = "json") -> Reply:
        data = json.dumps({} if body is None else body).encode() if raw is None else raw
        return self.client.post(f"/api/v1/{path}", data, content_type=f"application/{kind}")

    def claim(self, stage: str | None = None, **body: Any) -> Reply:
        return self.post("assignments", {"stage": stage, **body})

    def submit(self, page: dict[str, Any], answer: dict[str, Any], **body: Any) -> Reply:
        """Submit the same answer to every item of the page."""
        answers = [{"item": entry["item"], "answer": answer} for entry in page["items"]]
        return self.post(f"assignments/{page['id']}/submission", {"answers": answers, **body})


def check_problem(reply: Reply, status: int) -> dict[str, Any]:
    """Assert that the reply is a problem (RFC 9457) of this status, and return it."""
    assert reply.status_code == status, reply.content
    assert reply.headers["Content-Type"] == "application/problem+json"
    problem: dict[str, Any] = reply.json()
    assert problem["status"] == status
    assert problem["type"] == "about:blank"
    assert problem["title"] and problem["detail"]
    assert set(problem) <= {"type", "title", "status", "detail", "errors"}
    return problem
