"""Prolific's replies, good and bad, and lists that end in each possible way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest

from workflows.platforms.prolific.http import MAX_BYTES, Api, UnclearError, error_of, pages
from workflows.platforms.provider import (
    NoFundsError,
    NotLetInError,
    ProviderError,
    RefusedError,
    UnavailableError,
    UnknownObjectError,
)

Answer = Callable[[httpx.Request], httpx.Response]


def api(answer: Answer) -> closing[Api]:
    return closing(Api("http://127.0.0.1", "t0ken", httpx.MockTransport(answer)))


def always(*reply: Any, **fields: Any) -> Answer:
    return lambda request: httpx.Response(*reply, **fields)


def error(detail: object, code: int = 140_001) -> bytes:
    return json.dumps(
        {"error": {"status": 400, "error_code": code, "title": "No", "detail": detail}}
    ).encode()


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, RefusedError),
        (401, NotLetInError),
        (402, NoFundsError),
        (403, NotLetInError),
        (404, UnknownObjectError),
        (409, RefusedError),
        (429, UnavailableError),
        (500, UnavailableError),
        (503, UnavailableError),
    ],
)
def test_every_status_is_an_error_of_its_kind(status: int, kind: type[ProviderError]) -> None:
    found = error_of(status, error("Something."))
    assert type(found) is kind and "Something." in str(found)


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        ("One thing.", "One thing."),
        (["One.", "Two."], "One.; Two."),
        ({"reward": ["Too low."], "name": ["Required."]}, "reward: Too low.; name: Required."),
        ("x" * 9000, "x" * 500),
    ],
)
def test_details_are_told_in_one_line(detail: object, said: str) -> None:
    found = error_of(400, error(detail))
    assert (str(found), found.code) == (said, "140001")


@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b'"no"', b'{"error": "no"}'])
def test_an_error_of_another_shape_is_one_all_the_same(content: bytes) -> None:
    assert isinstance(error_of(400, content), RefusedError)


def test_too_little_money_is_an_error_of_its_own() -> None:
    text = "You do not have enough funds in your balance."
    assert isinstance(error_of(400, error(text)), NoFundsError)


@pytest.mark.parametrize(
    "answer",
    [
        always(200, content=b"no json"),
        always(200, content=b"{"),
    ],
)
def test_what_cannot_be_read_is_no_answer(answer: Answer) -> None:
    with api(answer) as one, pytest.raises(UnavailableError, match="read"):
        one.ask("GET", "/studies/")


def test_a_redirection_is_not_followed() -> None:
    answer = always(302, headers={"Location": "http://127.0.0.1:1/"})
    with api(answer) as one, pytest.raises(RefusedError, match="302"):
        one.ask("GET", "/studies/")


def test_a_reply_without_end_is_refused() -> None:
    def chunks() -> Iterator[bytes]:
        while True:
            yield b" " * (MAX_BYTES // 4)

    with api(always(200, content=chunks())) as one, pytest.raises(RefusedError, match="bytes"):
        one.ask("GET", "/studies/")


def raising(error: Exception) -> Answer:
    def answer(request: httpx.Request) -> httpx.Response:
        raise error

    return answer


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (raising(httpx.ReadTimeout("")), UnclearError),
        (raising(httpx.RemoteProtocolError("")), UnclearError),
        (always(502), UnclearError),
        (always(200, content=b"?"), UnclearError),
        (raising(httpx.ConnectError("")), UnavailableError),
        (always(429), UnavailableError),
        (always(401), NotLetInError),
        (always(403), NotLetInError),
        (always(400), RefusedError),
    ],
)
def test_what_must_not_be_done_twice_is_unclear_where_it_may_be_done(
    answer: Answer, kind: type[ProviderError]
) -> None:
    with api(answer) as one, pytest.raises(ProviderError) as caught:
        one.once("POST", "/bulk-bonus-payments/1/pay/")
    assert type(caught.value) is kind


def test_the_token_is_sent_and_shown_nowhere() -> None:
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers["Authorization"])
        return httpx.Response(401, content=error("Token t0ken is wrong."))

    with api(answer) as one, pytest.raises(UnavailableError):
        one.ask("GET", "/users/me/")
    assert seen == ["Token t0ken"] and "t0ken" not in repr(vars(one))


ROWS = [{"id": str(number)} for number in range(5)]


def cut(number: int, size: int = 2) -> list[dict[str, str]]:
    return ROWS[(number - 1) * size : number * size]


def by_links(number: int) -> dict[str, Any]:
    return {"results": cut(number), "_links": {"next": {"href": "/x" if number < 3 else None}}}


def by_count(number: int) -> dict[str, Any]:
    return {"results": cut(number), "meta": {"count": 5}}


def by_nothing(number: int) -> dict[str, Any]:
    return {"results": cut(number)}


def by_404(number: int) -> dict[str, Any]:
    if number > 3:
        raise UnknownObjectError("Invalid page.")
    return {"results": cut(number)}


def unpaged(number: int) -> dict[str, Any]:
    return {"results": ROWS}


def growing(number: int) -> dict[str, Any]:
    """A new row in front moves the list while it is read, so the next page repeats a row."""
    rows = [{"id": "new"}, *ROWS] if number > 1 else ROWS
    return {"results": rows[(number - 1) * 2 : number * 2]}


@pytest.mark.parametrize(
    ("list_", "asked"),
    [(by_links, 3), (by_count, 3), (by_nothing, 4), (by_404, 4), (unpaged, 2), (growing, 4)],
)
def test_a_list_is_read_once_to_its_end(list_: Callable[[int], dict[str, Any]], asked: int) -> None:
    numbers: list[int] = []

    def ask(method: str, path: str, *, params: dict[str, int]) -> dict[str, Any]:
        numbers.append(params["page"])
        return list_(params["page"])

    assert list(pages(ask, "/studies/", {})) == ROWS
    assert len(numbers) == asked


def test_what_is_no_list_is_no_answer() -> None:
    with pytest.raises(UnavailableError, match="is not a list"):
        list(pages(lambda *a, **k: {"results": "none"}, "/studies/", {}))
