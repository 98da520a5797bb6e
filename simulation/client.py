"""The worker's side of the API: claim, submit, give back. Requests are repeated when the network fails."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import httpx

_TRIES = 6
_FIRST_PAUSE = 0.2  # seconds; doubles with every try
_TIMEOUT = 30.0  # seconds


class ApiError(Exception):
    """The server refuses a request. The message says what, where and why."""


class UnreachableError(ApiError):
    """Nothing listens at the server's address."""


class NotWelcomeError(ApiError):
    """The token is not valid, or the worker is blocked. It is useless to ask again."""


@dataclass(frozen=True, slots=True)
class NoWork:
    """There is no work for this worker now. Ask again after so many seconds."""

    retry_after: float


@dataclass(frozen=True, slots=True)
class NotAdmitted:
    """The stage is closed to this worker ("test", "waiting", "closed" or "figures"), with seconds to wait."""

    standing: str
    retry_in: float | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A leased page: its id, stage and (item number, question object) pairs."""

    id: str
    stage: str
    items: tuple[tuple[int, Mapping[str, Any]], ...]


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of a submission."""

    accepted: int
    acknowledged: int


class Client:
    """The connection of one worker, or without a token of a visitor.

    `transport` and `pause` are for tests.
    """

    def __init__(
        self,
        server: str,
        token: str,
        transport: httpx.BaseTransport | None = None,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        headers = {"Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        base = server.rstrip("/") + "/api/v1/"
        self._http = httpx.Client(base_url=base, headers=headers, timeout=_TIMEOUT, transport=transport)
        self._pause = pause

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def claim(self, stage: str | None = None) -> Page | NoWork | NotAdmitted:
        """Claim a page of work and return it. If the worker holds a page, it is that page."""
        reply = self._send("POST", "assignments", {"stage": stage})
        if reply.status_code == httpx.codes.NO_CONTENT:
            return NoWork(float(reply.headers.get("Retry-After", "1")))
        data = reply.json()
        if reply.status_code == httpx.codes.FORBIDDEN:
            return NotAdmitted(data["standing"], data.get("retry_in"))
        return read_page(data)

    def submit(self, page: Page, answers: Sequence[Mapping[str, Any]]) -> Receipt | None:
        """Submit all answers of a page. Return None when the server does not know the page any more."""
        reply = self._send("POST", f"assignments/{page.id}/submission", {"answers": answers}, lost=True)
        if reply.is_error:
            return None
        data = reply.json()
        return Receipt(data["accepted"], data["acknowledged"])

    def give_back(self, page: Page) -> None:
        """Return a page unanswered."""
        self._send("POST", f"assignments/{page.id}/return", {}, lost=True)

    def photograph(self, address: str) -> bytes | None:
        """Return the photograph at the address that a page gives, or None if there is none."""
        reply = self._http.get(self._http.base_url.join(address))
        return None if reply.is_error else reply.content

    def standings(self) -> dict[str, str]:
        """Return the worker's standing by stage, as their account shows it."""
        stages = self._send("GET", "me").json()["stages"]
        return {entry["stage"]: entry["standing"] for entry in stages}

    def fetch(self, path: str) -> dict[str, Any]:
        """GET an address of the API."""
        return dict(self._send("GET", path).json())

    def ask(self, path: str, body: Mapping[str, Any]) -> dict[str, Any] | None:
        """POST to another address of the API. Return None if that cannot be done now (404, 409)."""
        reply = self._send("POST", path, body, lost=True)
        return None if reply.is_error else dict(reply.json())

    def _send(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, lost: bool = False
    ) -> httpx.Response:
        """Send until there is a reply. To repeat is safe, since every request of the API is idempotent.

        With `lost`, a reply that the page is gone (404, 409) is returned and not raised.
        """
        for tried in range(1, _TRIES + 1):
            kind, trouble = ApiError, ""
            try:
                reply = self._http.request(method, path, json=body)
            except httpx.TransportError as error:
                kind = UnreachableError if isinstance(error, httpx.ConnectError) else ApiError
                trouble = f"{type(error).__name__}: {error}"
            else:
                if not (reply.is_server_error or reply.status_code == httpx.codes.TOO_MANY_REQUESTS):
                    return _checked(f"{method} {path}", reply, lost)
                trouble = f"{reply.status_code} {reply.text[:200]}"
            if tried == _TRIES:
                raise kind(f"{method} {path}: {trouble} (tried {_TRIES} times)")
            self._pause(_FIRST_PAUSE * 2 ** (tried - 1))
        raise AssertionError("unreachable")


def read_page(data: Mapping[str, Any]) -> Page:
    """Parse the API's object of a page. Raises KeyError when it is not one."""
    items = tuple((entry["item"], entry["question"]) for entry in data["items"])
    return Page(data["id"], data["stage"], items)


def _checked(request: str, reply: httpx.Response, lost: bool) -> httpx.Response:
    if not reply.is_error or (lost and reply.status_code in (404, 409)) or _not_admitted(reply):
        return reply
    message = f"{request}: {reply.status_code} {reply.text[:500]}"
    raise (NotWelcomeError if reply.status_code in (401, 403) else ApiError)(message)


def _not_admitted(reply: httpx.Response) -> bool:
    """Return whether the refusal is about one stage. One about the worker has no `standing`."""
    return reply.status_code == httpx.codes.FORBIDDEN and b'"standing"' in reply.content
