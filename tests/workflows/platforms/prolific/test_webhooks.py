"""Replies about webhooks in the shapes that Prolific's reference shows, where it shows several."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from typing import Any

import httpx
import pytest

from tests.workflows.platforms.prolific.stage import hasty
from workflows.platforms.accounts import ProlificAccount
from workflows.platforms.prolific.provider import Prolific
from workflows.platforms.provider import Environment, UnavailableError

pytestmark = pytest.mark.django_db
KIND, URL = "study.status.change", "https://g.example/hook"
NEW = {"id": "new", "event_type": KIND, "target_url": URL, "is_enabled": False, "workspace_id": "w"}
OLD = {**NEW, "id": "old", "is_enabled": True}
CONFIRM = {"X-Hook-Secret": "once"}


def prolific(answer: Callable[[httpx.Request], httpx.Response]) -> closing[Prolific]:
    def reply(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/projects/p/"):
            return httpx.Response(200, json={"workspace": "w"})
        return answer(request)

    account = ProlificAccount("https://api.example", Environment.EMULATOR, "t0ken", project="p")
    return closing(Prolific(account, pace=hasty(), transport=httpx.MockTransport(reply)))


@pytest.mark.parametrize("made", [NEW, {"results": [NEW]}, {"results": [OLD, NEW]}])
def test_the_new_subscription_is_found_in_the_reply_and_confirmed(made: dict[str, Any]) -> None:
    confirmed: list[tuple[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/subscriptions/"):
            return httpx.Response(201, json=made, headers=CONFIRM)
        confirmed.append((request.url.path, json.loads(request.content)))
        return httpx.Response(200, json=NEW)

    with prolific(answer) as provider:
        provider.webhooks.subscribe(KIND, URL)
    assert confirmed == [("/api/v1/hooks/subscriptions/new/", {"secret": "once"})]


@pytest.mark.parametrize(
    ("made", "headers"), [({"results": [NEW, {**NEW, "id": "x"}]}, CONFIRM), (NEW, {}), ({}, CONFIRM)]
)
def test_a_reply_that_cannot_be_confirmed_is_an_error(made: Any, headers: dict[str, str]) -> None:
    with (
        prolific(lambda request: httpx.Response(201, json=made, headers=headers)) as provider,
        pytest.raises(UnavailableError),
    ):
        provider.webhooks.subscribe(KIND, URL)


@pytest.mark.parametrize(
    "told",
    [
        {"results": [{"id": "1", "value": "s", "workspace_id": "w"}]},
        {"0": {"id": "1", "value": "s", "workspace_id": "w"}},
        {"results": [{"value": "s", "workspace_id": "w"}, {"value": "other", "workspace_id": "v"}]},
    ],
)
def test_secrets_are_those_of_the_workspace(told: Any) -> None:
    with prolific(lambda request: httpx.Response(200, json=told)) as provider:
        assert provider.webhooks.secrets() == ["s"]
