"""Access to an emulator from outside: its process, and over HTTP its switches, books and participants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx

from simulation.emulators.processes import ONE_REQUEST, running


class RefusedError(Exception):
    """The emulator refused a participant or a switch. The message says why."""


@dataclass(slots=True)
class Handle:
    """A running emulator. Methods raise RefusedError if the emulator refuses."""

    url: str
    _http: httpx.Client = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._http = httpx.Client(base_url=self.url, timeout=30, trust_env=False, headers=ONE_REQUEST)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def books(self) -> dict[str, Any]:
        """Return sums in pence or cents (total, available, reserved, reward, bonus, fees), and `entries`."""
        return self._get("books")

    def state(self) -> dict[str, Any]:
        """Return studies, submissions, groups, messages, requests, struck faults, unpaid, and paid_twice."""
        return self._get("state")

    def set_faults(self, *faults: str) -> None:
        """Replace the planned faults. Each is `kind[:operation[:times[:skip]]]`."""
        self._post("faults", faults=faults)

    def aim(self, pid: int) -> None:
        """Let the faults that kill aim at this process, and leave them otherwise as they are."""
        self._post("aim", pid=pid)

    def advance(self, seconds: float) -> None:
        """Move the clock, forwards or backwards."""
        self._post("clock", seconds=seconds)

    def deliver(self) -> int:
        """Send the waiting events. Return how many were accepted."""
        return int(self._post("deliver")["taken"])

    def participant(self, participant_id: str) -> ParticipantHandle:
        return ParticipantHandle(participant_id, self)

    def _get(self, what: str, **params: str) -> dict[str, Any]:
        return _content(self._http.get(f"/emulator/{what}", params=params))

    def _post(self, what: str, **given: object) -> dict[str, Any]:
        return _content(self._http.post(f"/emulator/{what}", json=given))


@dataclass(frozen=True, slots=True)
class Started:
    submission: str
    url: str  # of our page, with the ids in it


@dataclass(frozen=True, slots=True)
class ParticipantHandle:
    """One participant."""

    id: str
    emulator: Handle

    def studies(self) -> list[str]:
        """Return the ids of the studies that the participant could take now."""
        found: list[str] = self.emulator._get("studies", participant=self.id)["studies"]
        return found

    def start(self, study: str) -> Started:
        """Take a place."""
        return Started(**self.emulator._post("start", participant=self.id, study=study))

    def give_back(self, submission: str) -> None:
        self.emulator._post("return", submission=submission)

    def abandon(self, submission: str) -> None:
        """Leave a submission, as if its time were up."""
        self.emulator._post("abandon", submission=submission)

    def follow(self, link: str) -> None:
        """Follow the completion link, as a browser does that came from the site's own page."""
        parts = urlsplit(link)
        reply = self.emulator._http.get(
            f"{parts.path}?{parts.query}", headers={"Cookie": f"participant={self.id}"}
        )
        if reply.is_error:
            raise RefusedError(f"{link}: {reply.status_code} {reply.text[:200]}")


def _content(reply: httpx.Response) -> dict[str, Any]:
    if reply.is_error:
        raise RefusedError(f"{reply.url}: {reply.status_code} {reply.text[:200]}")
    content: dict[str, Any] = reply.json() if reply.content else {}
    return content


@contextmanager
def process(*arguments: str) -> Iterator[Handle]:
    """Run an emulator in its own process. Arguments are as on the command line."""
    with running("simulation.emulators.prolific", *arguments) as line:
        address = re.search(r"http://\S+", line)
        assert address, line
        with Handle(address[0]) as handle:
            yield handle
