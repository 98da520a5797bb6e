"""A hand-made server for tests of simulated workers. It gives prepared replies and keeps the requests."""

import json
from collections.abc import Callable
from typing import Any

import httpx

from simulation.profiles import STAGES

Reply = httpx.Response | Exception

NO_WORK = {"Retry-After": "3"}


def link_page(number: int = 1, items: int = 2) -> dict[str, Any]:
    """Return a page of links between "A man" (caption 0) and "the man" (caption 1) of image 7."""
    question = {
        "image": {"id": "7", "url": None, "width": None, "height": None},
        "captions": [
            {
                "index": 0,
                "segments": [{"text": "A man", "mention": True}, {"text": " runs .", "mention": False}],
            },
            {
                "index": 1,
                "segments": [{"text": "See ", "mention": False}, {"text": "the man", "mention": True}],
            },
        ],
    }
    listed = [{"item": place, "question": question} for place in range(1, items + 1)]
    return {"id": f"page-{number}", "stage": "link", "expires_at": "2026-01-01T00:00:00Z", "items": listed}


def receipt(accepted: int = 2, acknowledged: int = 0) -> httpx.Response:
    return httpx.Response(201, json={"id": "page", "accepted": accepted, "acknowledged": acknowledged})


def account(**standings: str) -> dict[str, Any]:
    """Return the reply of GET /me about a worker who may work everywhere, except as `standings` say."""
    return {"stages": [{"stage": stage, "standing": standings.get(stage, "open")} for stage in STAGES]}


class Script:
    """Gives the replies in their order, then "no work" for ever. `requests` are (path, body) pairs.

    No test is waiting for the worker, and requests that look for one are not kept.
    """

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.requests: list[tuple[str, Any]] = []
        self.tokens: list[str] = []

    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self._reply)

    def _reply(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/me"):
            return httpx.Response(200, json=account())
        self.requests.append((request.url.path, json.loads(request.content or b"null")))
        self.tokens.append(request.headers["Authorization"])
        reply = self._replies.pop(0) if self._replies else httpx.Response(204, headers=NO_WORK)
        if isinstance(reply, Exception):
            raise reply
        return reply


def stop_after(turns: int) -> tuple[Callable[[float], bool], list[float]]:
    """Return a `wait` that says stop after so many pauses, and the list of the pauses."""
    pauses: list[float] = []

    def wait(seconds: float) -> bool:
        if seconds:
            pauses.append(seconds)
        return len(pauses) >= turns

    return wait, pauses
