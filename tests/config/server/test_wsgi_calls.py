"""What the WSGI application is told about a request of the ASGI server, and how its replies are sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any
from wsgiref.util import FileWrapper

import pytest

from config.server import wsgi_calls
from config.server.request_bodies import Message
from config.server.wsgi_calls import call, environ, headers_of
from workflows.core.byte_ranges import Part, PartResponse

SCOPE: dict[str, Any] = {
    "type": "http",
    "method": "POST",
    "scheme": "https",
    "path": "/médias/ö.jpg",
    "query_string": b"a=1&b=%C3%B6",
    "http_version": "1.1",
    "server": ("127.0.0.1", 8000),
    "client": ("192.0.2.1", 5000),
    "headers": [],
    "extensions": {"http.response.pathsend": {}},
}
Result = Iterable[bytes]


def sent(make: Callable[[], Result], headers: Iterable[tuple[str, str]] = (), **scope: Any) -> list[Message]:
    """Return the messages that are sent if the application returns this."""
    messages: list[Message] = []

    async def send(message: Message) -> None:
        messages.append(message)

    def application(_: dict[str, Any], start: Any) -> Result:
        start("200 OK", list(headers))
        return make()

    async def run() -> None:
        with ThreadPoolExecutor(1) as threads:
            await call(application, {**SCOPE, **scope}, BytesIO(), send, threads)

    asyncio.run(run())
    return messages


def test_the_environment_says_what_the_request_does() -> None:
    found = environ({**SCOPE, "headers": [(b"Content-Type", b"text/plain"), (b"x-name", b"v")]}, BytesIO())
    assert found["PATH_INFO"].encode("latin-1").decode() == SCOPE["path"]
    assert found["QUERY_STRING"] == "a=1&b=%C3%B6"
    assert (found["REQUEST_METHOD"], found["wsgi.url_scheme"]) == ("POST", "https")
    assert (found["REMOTE_ADDR"], found["SERVER_PORT"]) == ("192.0.2.1", "8000")
    assert (found["CONTENT_TYPE"], found["HTTP_X_NAME"]) == ("text/plain", "v")
    assert "CONTENT_LENGTH" not in found


def test_a_body_in_chunks_gets_its_length_and_a_length_that_was_given_stays() -> None:
    assert environ(SCOPE, BytesIO(b"12345"))["CONTENT_LENGTH"] == "5"
    given = {**SCOPE, "headers": [(b"content-length", b"900")]}
    assert environ(given, BytesIO())["CONTENT_LENGTH"] == "900", "what is too long is not received"


def test_headers_that_come_twice_are_joined_and_names_with_underscores_are_left_out() -> None:
    headers = [
        (b"Cookie", b"a=1"),
        (b"cookie", b"b=2"),
        (b"X-Forwarded-For", b"192.0.2.1"),
        (b"x-forwarded-for", b"192.0.2.2"),
        (b"X_Forwarded_For", b"192.0.2.66"),
    ]
    assert headers_of({**SCOPE, "headers": headers}) == {
        "cookie": "a=1; b=2",
        "x-forwarded-for": "192.0.2.1,192.0.2.2",
    }


def test_a_reply_is_sent_in_one_piece() -> None:
    head, body = sent(lambda: [b"1", b"23"], [("Content-Type", "text/plain")])
    assert (head["status"], head["headers"]) == (200, [(b"content-type", b"text/plain")])
    assert body["body"] == b"123"


class Rows:
    """A reply that is made while it is sent."""

    streaming = True

    def __init__(self) -> None:
        self.closed = False

    def __iter__(self) -> Iterator[bytes]:
        yield b"1"
        yield b"2"

    def close(self) -> None:
        self.closed = True


def test_a_reply_in_pieces_is_made_before_it_is_sent_and_closed() -> None:
    rows = Rows()
    _, *pieces = sent(lambda: rows)
    assert [(one["body"], one["more_body"]) for one in pieces] == [(b"12", True), (b"", False)]
    assert rows.closed


def test_an_error_in_the_middle_of_a_reply_is_not_a_short_reply() -> None:
    class Broken(Rows):
        def __iter__(self) -> Iterator[bytes]:
            yield b"1"
            raise LookupError("the database went away")

    rows = Broken()
    with pytest.raises(LookupError):
        sent(lambda: rows)
    assert rows.closed


def test_a_long_reply_is_sent_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsgi_calls, "MAX_IN_MEMORY", 1000)
    _, *pieces = sent(lambda: FileWrapper(BytesIO(b"x" * 200_000)))
    assert b"".join(one["body"] for one in pieces) == b"x" * 200_000
    assert len(pieces) == 5 and not pieces[-1]["more_body"]


def test_what_a_server_serves_below_a_prefix_is_told_apart() -> None:
    found = environ({**SCOPE, "root_path": "/crew", "path": "/crew/work/"}, BytesIO())
    assert (found["SCRIPT_NAME"], found["PATH_INFO"]) == ("/crew", "/work/")


@pytest.mark.parametrize(
    ("length", "extensions", "by_server"),
    [
        ("5", {"http.response.pathsend": {}}, True),
        ("3", {"http.response.pathsend": {}}, False),
        ("5", {}, False),
    ],
)
def test_a_whole_file_is_left_to_the_server(
    tmp_path: Path, length: str, extensions: dict[str, Any], by_server: bool
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    wrapper = FileWrapper(path.open("rb"))
    _, *messages = sent(lambda: wrapper, [("Content-Length", length)], extensions=extensions)
    if by_server:
        assert messages == [{"type": "http.response.pathsend", "path": str(path)}]
    else:
        assert b"".join(message["body"] for message in messages) == b"12345"
    assert wrapper.filelike.closed


def test_an_error_of_the_application_is_raised() -> None:
    def fail() -> Result:
        raise LookupError("nothing there")

    with pytest.raises(LookupError):
        sent(fail)


def test_a_part_of_a_file_is_sent_from_the_file_and_not_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "export.zip"
    path.write_bytes(bytes(range(256)) * 1000)
    monkeypatch.setattr(wsgi_calls, "SpooledTemporaryFile", None)
    reply = PartResponse(Part(path, 5, 200_000), {})
    messages = sent(lambda: reply)
    assert b"".join(one.get("body", b"") for one in messages) == path.read_bytes()[5:200_005]
    assert [one.get("more_body") for one in messages[-2:]] == [True, False]
    assert max(len(one.get("body", b"")) for one in messages) <= wsgi_calls.PIECE
