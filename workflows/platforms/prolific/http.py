"""HTTP requests to Prolific's REST API, and its errors as provider errors. Nothing is repeated here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from workflows.platforms.provider import (
    NoFundsError,
    NotLetInError,
    ProviderError,
    RefusedError,
    UnavailableError,
    UnknownObjectError,
)

if TYPE_CHECKING:
    import httpx

CONNECT_TIMEOUT, TIMEOUT = 5, 30  # seconds
MAX_BYTES = 16 * 1024 * 1024  # of a reply
MAX_DETAIL = 500  # characters of an error that are kept
PAGE_SIZE = 100
MAX_PAGES = 1000
NOT_LET_IN = (401, 403)
NOT_DONE = ("429", "connect", *map(str, NOT_LET_IN))
"""Codes of errors after which we know that nothing was done."""
Reply = dict[str, Any]


class UnclearError(ProviderError):
    """A request had no answer, so it may have been done. Look whether it was before you ask again."""


class Api:
    """The connection of one account. The token is in the header of each request and nowhere else."""

    def __init__(self, endpoint: str, token: str, transport: httpx.BaseTransport | None = None) -> None:
        import httpx  # slow to import, and only needed where there is an account

        self._http = httpx.Client(
            base_url=f"{endpoint}/api/v1",
            headers={"Authorization": f"Token {token}", "Accept": "application/json"},
            timeout=httpx.Timeout(TIMEOUT, connect=CONNECT_TIMEOUT),
            follow_redirects=False,
            trust_env=False,
            transport=transport,
        )

    def ask(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, object] | None = None,
        params: Mapping[str, str | int] | None = None,
    ) -> Reply:
        """Send a request, and return the reply's object; without a body it is empty. Raises ProviderError."""
        return self._asked(method, path, body, params)[0]

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def once(self, method: str, path: str, *, body: Mapping[str, object] | None = None) -> Reply:
        """Send a request that must not be repeated. Raises UnclearError if it may have been done."""
        return self.once_with_headers(method, path, body=body)[0]

    def once_with_headers(
        self, method: str, path: str, *, body: Mapping[str, object] | None = None
    ) -> tuple[Reply, httpx.Headers]:
        """Send a request like `once`, and return the reply with its headers."""
        try:
            return self._asked(method, path, body, None)
        except UnavailableError as error:
            if error.code in NOT_DONE:
                raise
            raise UnclearError(str(error), code=error.code) from error

    def _asked(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None,
        params: Mapping[str, str | int] | None,
    ) -> tuple[Reply, httpx.Headers]:
        status, headers, content = self._send(method, path, body, params)
        if status >= 400:
            raise error_of(status, content)
        if not 200 <= status < 300:
            raise RefusedError(f"Prolific answers {status} at {path}.", code=str(status))
        return parsed(content), headers

    def _send(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None,
        params: Mapping[str, str | int] | None,
    ) -> tuple[int, httpx.Headers, bytes]:
        import httpx

        content = bytearray()
        try:
            with self._http.stream(method, path, json=body, params=params) as reply:
                for chunk in reply.iter_bytes():
                    content += chunk
                    if len(content) > MAX_BYTES:
                        raise RefusedError(f"Prolific's reply at {path} is over {MAX_BYTES} bytes.")
                return reply.status_code, reply.headers, bytes(content)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise UnavailableError("Prolific cannot be reached.", code="connect") from error
        except httpx.HTTPError as error:
            raise UnavailableError(
                f"No answer from Prolific ({type(error).__name__}).", code="transport"
            ) from error


def pages(ask: Any, path: str, params: Mapping[str, str | int]) -> Iterator[Reply]:
    """Yield each object of a list once, from all of its pages.

    The reference promises `page` and `page_size`. It does not say where a list ends, or that a page is as
    long as was asked for. So the list ends where the reply's links or count say so, else with a page that
    has nothing new.
    """
    seen: set[str] = set()
    for page in range(1, MAX_PAGES + 1):
        try:
            reply = ask("GET", path, params={**params, "page": page, "page_size": PAGE_SIZE})
        except UnknownObjectError:
            if page == 1:
                raise
            return  # some lists answer like this past their end
        fresh = [one for one in objects(reply) if one.get("id") not in seen]
        yield from fresh
        seen.update(str(one.get("id")) for one in fresh)
        if not fresh or _is_last(reply, len(seen)):
            return


def _is_last(reply: Reply, seen: int) -> bool:
    links, meta = reply.get("_links"), reply.get("meta")
    if isinstance(links, dict) and isinstance(links.get("next"), dict):
        return not links["next"].get("href")
    count = meta.get("count") if isinstance(meta, dict) else None
    return isinstance(count, int) and seen >= count


def objects(reply: Reply) -> list[Reply]:
    """Return the results of a list. Raises UnavailableError if the reply is not a list."""
    results = reply.get("results")
    if not isinstance(results, list) or not all(isinstance(one, dict) for one in results):
        raise UnavailableError("Prolific's reply is not a list.", code="unreadable")
    return results


def parsed(content: bytes) -> Reply:
    """Return a body's JSON as an object. Raises UnavailableError if it cannot be read."""
    if not content.strip():
        return {}
    try:
        reply = json.loads(content)
    except ValueError as error:
        raise UnavailableError("Prolific's reply cannot be read.", code="unreadable") from error
    return reply if isinstance(reply, dict) else {"value": reply}


def error_of(status: int, content: bytes) -> ProviderError:
    """Return the error that a reply of this status stands for.

    Its body is {"error": {"status", "error_code", "title", "detail"}}.
    """
    detail, code = _detail(content)
    code = code or str(status)
    if status == 429 or status >= 500:
        return UnavailableError(detail or f"Prolific answers {status}.", code=str(status))
    if status in NOT_LET_IN:
        # This is about the account, not about what was asked: once the token is right, the call will work.
        return NotLetInError(
            f"Prolific does not let us in: check GROUNDCREW_PROLIFIC_TOKEN and its rights. {detail}".strip(),
            code=str(status),
        )
    if status == 404:
        return UnknownObjectError(detail or "Prolific has no such thing.", code=code)
    if status == 402 or any(word in detail.lower() for word in ("balance", "funds", "top up")):
        return NoFundsError(detail, code=code)
    return RefusedError(detail or f"Prolific answers {status}.", code=code)


def _detail(content: bytes) -> tuple[str, str]:
    """Return the message of an error, in one line, and its code."""
    try:
        reply = json.loads(content)
    except ValueError:
        return "", ""
    error = reply.get("error", reply) if isinstance(reply, dict) else reply
    if not isinstance(error, dict):
        return str(error)[:MAX_DETAIL], ""
    return "; ".join(_lines(error.get("detail", "")))[:MAX_DETAIL], str(error.get("error_code", ""))


def _lines(detail: object) -> Iterator[str]:
    """Yield the texts of an error's detail: a text, a list of texts, or lists of texts by field."""
    if isinstance(detail, dict):
        for field, problems in detail.items():
            yield f"{field}: {'; '.join(_lines(problems))}"
    elif isinstance(detail, list):
        for each in detail:
            yield from _lines(each)
    elif detail:
        yield str(detail)
