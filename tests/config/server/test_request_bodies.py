"""Bodies are received within a time and a limit, and only so many at once from an address."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from io import BufferedReader
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver

from config.server import request_bodies
from config.server.request_bodies import (
    AT_ONCE,
    Bodies,
    BodyError,
    Message,
    Streamed,
    has_body,
    lacks_token,
    received,
    refusal,
)
from config.server.wsgi_calls import REFUSED
from tests.factories import make_project, make_worker
from workflows.api.authentication import make_bound_token, make_token


class Connection:
    """Gives these messages of a client, and then nothing more."""

    def __init__(self, *pieces: bytes | None, last: bool = True) -> None:
        self.messages: list[Message] = [_message(piece, more=True) for piece in pieces]
        if last:
            self.messages.append(_message(b"", more=False))
        self.asked = 0

    async def receive(self) -> Message:
        self.asked += 1
        if not self.messages:
            await asyncio.Event().wait()
        return self.messages.pop(0)


def _message(piece: bytes | None, *, more: bool) -> Message:
    if piece is None:
        return {"type": "http.disconnect"}
    return {"type": "http.request", "body": piece, "more_body": more}


def read(connection: Connection, limit: int = 100) -> bytes:
    return asyncio.run(received(connection.receive, limit))


def test_a_body_in_pieces_is_received_whole() -> None:
    assert read(Connection(b"12", b"", b"345")) == b"12345"
    assert read(Connection()) == b""


def test_no_more_is_read_than_shows_that_a_body_is_too_long() -> None:
    connection = Connection(*[b"x" * 60] * 10)
    assert len(read(connection)) == 120
    assert connection.asked == 2


def test_a_body_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "BODY_SECONDS", 0.05)
    monkeypatch.setattr(request_bodies, "BYTES_PER_SECOND", 10_000)
    with pytest.raises(BodyError, match="did not arrive within") as refused:
        read(Connection(b"1", last=False))
    assert refused.value.status == 408


def test_a_client_that_goes_is_noticed() -> None:
    with pytest.raises(BodyError, match="ended before") as refused:
        read(Connection(b"1", None, last=False))
    assert refused.value.status == 400


async def arrive(bodies: Bodies, address: str | None, *, slowly: int, at_once: int) -> list[object]:
    """Return what becomes of bodies that come whole while so many from the same address never end."""
    slow = [
        asyncio.ensure_future(
            bodies.receive(Connection(b"1", last=False).receive, 100, address, lambda: True)
        )
        for _ in range(slowly)
    ]
    await asyncio.sleep(3 * request_bodies.SOON)
    receivers = [
        bodies.receive(Connection(b"12").receive, 100, address, lambda: False) for _ in range(at_once)
    ]
    found: list[object] = [*await asyncio.gather(*receivers, return_exceptions=True)]
    found += [one.done() and one.exception() for one in slow]
    for one in slow:
        one.cancel()
    await asyncio.gather(*slow, return_exceptions=True)
    return found


def test_an_address_sends_only_so_many_bodies_slowly(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(request_bodies, "SOON", 0.05)
    found = asyncio.run(arrive(Bodies(), "192.0.2.1", slowly=AT_ONCE + 3, at_once=0))
    refused = [one for one in found if isinstance(one, BodyError)]
    assert len(refused) == 3 and {one.status for one in refused} == {503}
    assert "set GROUNDCREW_PROXIES" in caplog.text


def test_bodies_that_come_whole_are_never_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "SOON", 0.05)
    found = asyncio.run(arrive(Bodies(), "192.0.2.1", slowly=AT_ONCE, at_once=200))
    assert found[:200] == [b"12"] * 200


def test_a_slow_body_that_nobody_reads_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "SOON", 0.05)
    coming = Connection(b"1", last=False)
    assert asyncio.run(Bodies().receive(coming.receive, 100, "192.0.2.1", lambda: False)) == b""


def test_an_unknown_address_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "SOON", 0.05)
    found = asyncio.run(arrive(Bodies(), None, slowly=AT_ONCE + 3, at_once=0))
    assert not any(found)


def test_a_process_keeps_only_so_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "MAX_BYTES", 100)
    bodies = Bodies()
    with bodies.room(60), bodies.room(40), bodies.room(0):
        with pytest.raises(BodyError) as refused, bodies.room(1):
            raise AssertionError("there is room")
        assert refused.value.status == 503
    with bodies.room(100):
        pass


@pytest.mark.parametrize(
    ("headers", "http_version", "expected"),
    [
        ({}, "1.1", False),
        ({"content-length": "0"}, "1.1", False),
        ({"content-length": "7"}, "1.1", True),
        ({"transfer-encoding": "chunked"}, "1.1", True),
        ({}, "2", True),
        ({"content-length": "0"}, "2", False),
    ],
)
def test_whether_a_body_follows(headers: dict[str, str], http_version: str, expected: bool) -> None:
    assert has_body(headers, http_version) is expected


CORPUS = "/admin/projects/17/import/"


@pytest.mark.parametrize(
    ("path", "length", "chunked", "status"),
    [
        ("/admin/", "", False, None),
        ("/admin/", "100", False, None),
        ("/admin/", "101", False, 413),
        ("/admin/", "9" * 30, False, 413),
        ("/admin/", "-1", False, 400),
        ("/admin/", "²", False, 400),
        ("/admin/", "", True, 411),
        ("/api/v1/assignments", "", True, None),
        ("/api/v1/assignments", "101", False, 413),
        ("/api/v1/assignments", "-1", False, 400),
        (CORPUS, "101", False, None),
        (CORPUS, "9" * 30, False, 413),
        (CORPUS, "", True, 411),
    ],
)
def test_what_is_refused_by_its_headers(path: str, length: str, chunked: bool, status: int | None) -> None:
    refused = refusal(path, length, chunked=chunked, limit=100)
    assert (refused.status if refused else None) == status


@pytest.mark.django_db
def test_where_a_token_is_needed_and_there_is_none_of_ours() -> None:
    worker = make_worker(make_project())
    own, bound = make_token(worker), make_bound_token(worker.pk, 7)
    for token, lacks in ((own, False), (bound, False), (f"{own}x", True), ("", True)):
        assert lacks_token("/api/v1/assignments", f"Bearer {token}") is lacks
    assert lacks_token("/api/v1/assignments", f"Basic {own}")
    assert lacks_token("/api/v1/assignments", "")
    for path in ("invitation", "joining", "crowd/sessions", "nothing"):
        assert not lacks_token(f"/api/v1/{path}", "")
    assert not lacks_token("/admin/", "")


def test_every_address_of_the_api_says_whether_it_needs_a_token() -> None:
    views: list[Any] = [pattern.callback for pattern in get_resolver("workflows.api.urls").url_patterns]
    assert len(views) > 10
    for view in views:
        assert isinstance(view.cls.authentication_classes, Iterable)


def test_a_thread_reads_an_upload_as_it_comes() -> None:
    async def read_in_a_thread(connection: Connection) -> bytes:
        body = BufferedReader(Streamed(connection.receive, asyncio.get_running_loop()))
        return await asyncio.to_thread(lambda: body.read(3) + body.read())

    assert asyncio.run(read_in_a_thread(Connection(b"12", b"", b"345", b"6"))) == b"123456"
    with pytest.raises(ConnectionResetError):
        asyncio.run(read_in_a_thread(Connection(b"1234", None, last=False)))


def test_an_upload_that_stops_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "PIECE_SECONDS", 0.05)

    async def read_in_a_thread(connection: Connection) -> bytes:
        body = Streamed(connection.receive, asyncio.get_running_loop())
        return await asyncio.to_thread(body.read)

    with pytest.raises(TimeoutError):
        asyncio.run(read_in_a_thread(Connection(b"1", last=False)))


@pytest.mark.parametrize(
    ("status", "title"), [(400, "Bad Request"), (408, "Request Timeout"), (503, "Service Unavailable")]
)
def test_why_a_body_was_refused_is_said(status: int, title: str) -> None:
    error: dict[str, Any] = {REFUSED: BodyError(status, "It came too slowly.")}
    reply = Client().post("/api/v1/assignments", **error)
    assert (reply.status_code, reply["Content-Type"]) == (status, "application/problem+json")
    assert json.loads(reply.content) == {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": "It came too slowly.",
    }
    page = Client().post("/admin/login/", **error)
    assert (page.status_code, page.content) == (status, b"It came too slowly.\n")
    assert ("Retry-After" in page) is (status != 400)
