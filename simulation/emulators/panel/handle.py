"""Access to a panel from outside, over HTTP: its study, its participants, and the researcher's lists."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import httpx

from simulation.emulators.panel.world import RefusedError
from simulation.emulators.processes import ONE_REQUEST


@dataclass(slots=True)
class Handle:
    """A running panel. Methods raise RefusedError if the panel refuses."""

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

    def set_study(self, **study: Any) -> None:
        """Set fields of the study, such as `address` and `reward`."""
        self._told(self._http.post("study", json=study))

    def start(self, participant: str) -> tuple[str, str]:
        """Return the id of a new place, and the address of its task."""
        place = self._told(self._http.post("places", data={"participant": participant})).json()
        return place["id"], place["url"]

    def submit(self, assignment: str, code: str) -> None:
        self._told(self._http.post("submit", data={"assignment": assignment, "code": code}))

    def follow(self, address: str) -> None:
        """Go to an address back."""
        self._told(self._http.get(address))

    def give_back(self, assignment: str) -> None:
        self._told(self._http.post("return", data={"assignment": assignment}))

    def participants(self) -> bytes:
        """Return the list of participants, as the researcher downloads it."""
        return self._told(self._http.get("list.csv")).content

    def pay(self, text: str) -> None:
        """Bring the list of whom to pay."""
        self._told(self._http.post("pay.csv", content=text.encode()))

    def books(self) -> dict[str, Any]:
        """Return `sums` in smallest units, what is `wrong`, and the number of `places`."""
        books: dict[str, Any] = self._told(self._http.get("books")).json()
        return books

    def _told(self, reply: httpx.Response) -> httpx.Response:
        if reply.status_code == httpx.codes.UNPROCESSABLE_ENTITY:
            raise RefusedError(reply.text)
        reply.raise_for_status()
        return reply
