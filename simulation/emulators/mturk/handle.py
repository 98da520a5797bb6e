"""Access to a running emulator from outside: its switches, books and workers over HTTP."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from functools import cache
from types import TracebackType
from typing import Any, Self

import boto3
import httpx
from botocore.config import Config

from simulation.emulators.mturk.world import Account
from simulation.emulators.processes import ONE_REQUEST

# Calls are not repeated, so that faults are seen.
_ONCE = Config(retries={"total_max_attempts": 1}, read_timeout=10, connect_timeout=5)


@cache
def _session() -> boto3.session.Session:
    """Return a session that all clients share, since it keeps the service models that it has read."""
    return boto3.session.Session()


class RefusedError(Exception):
    """The emulator refused a worker or a switch. The message says why, and `code` is the platform's code."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


@dataclass(slots=True)
class Handle:
    """A running emulator. `client()` is plain boto3; the rest is for tests and demonstrations."""

    url: str
    queue_url: str
    account: Account = field(repr=False)
    _http: httpx.Client = field(init=False, repr=False)
    _clients: dict[str, Any] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        # Certificates are not loaded: nothing here is https, and loading takes longer than most tests.
        nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._http = httpx.Client(
            base_url=self.url, timeout=30, trust_env=False, verify=nobody, headers=ONE_REQUEST
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def client(self, service: str = "mturk") -> Any:
        """Return a boto3 client for `mturk` or `sqs`."""
        if service not in self._clients:
            self._clients[service] = self._new_client(service)
        return self._clients[service]

    def _new_client(self, service: str) -> Any:
        return _session().client(  # type: ignore[call-overload]
            service,
            region_name="us-east-1",
            endpoint_url=self.url,
            aws_access_key_id=self.account.key_id,
            aws_secret_access_key=self.account.secret,
            config=_ONCE,
        )

    def books(self) -> dict[str, Any]:
        """Return totals in cents (deposits, available, held, rewards, bonuses, fees), and `entries`."""
        return self._get("/control/books")

    def calls(self, operation: str = "") -> list[dict[str, Any]]:
        """Return every call of the API: number, operation, params, outcome, performed."""
        found: list[dict[str, Any]] = self._get("/control/calls")["calls"]
        return [call for call in found if operation in ("", call["operation"])]

    def broken(self) -> list[str]:
        """Return mistakes of the emulator itself, of which there should be none."""
        found: list[str] = self._get("/control/calls")["broken"]
        return found

    def state(self) -> dict[str, Any]:
        """Return hits, assignments, unpaid, left, bonuses, messages, and paidTwice."""
        return self._get("/control/state")

    def now(self) -> float:
        """Return the time of its clock, in seconds since 1970."""
        return float(self._get("/control/about")["now"])

    def set_faults(self, *faults: dict[str, Any]) -> None:
        """Replace the faults, for example by {"kind": "kill-after", "nth": 3, "pid": 4711}."""
        self._post("/control/faults", {"set": list(faults)})

    def aim(self, pid: int) -> None:
        """Let the faults that kill aim at this process, and leave them otherwise as they are."""
        self._post("/control/faults", {"aim": pid})

    def set_clock(self, **acts: float | None) -> None:
        """Set the clock by `advance` (seconds), `skew` (seconds), or `stand` (stop at a time; None: run)."""
        self._post("/control/clock", acts)

    def add_funds(self, cents: int) -> None:
        self._post("/control/funds", {"cents": cents})

    def worker(self, worker_id: str, **profile: object) -> WorkerHandle:
        """Return a worker. `profile` has fields of `state.Worker`: approved, rejected, country, masters …"""
        if profile:
            self._post("/api/worker/profile", {"workerId": worker_id, **profile})
        return WorkerHandle(worker_id, self)

    def _get(self, path: str, **query: str) -> dict[str, Any]:
        return self._content(self._http.get(path, params=query))

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        return self._content(self._http.post(path, json=body))

    @staticmethod
    def _content(reply: httpx.Response) -> dict[str, Any]:
        content: dict[str, Any] = reply.json()
        if reply.is_error:
            raise RefusedError(content["error"], content.get("code", ""))
        return content


@dataclass(frozen=True, slots=True)
class WorkerHandle:
    """One worker. Every method raises RefusedError if the platform refuses."""

    id: str
    turk: Handle

    def groups(self) -> list[dict[str, Any]]:
        """Return the HIT groups for this worker: groupId, hitTypeId, title, reward, hits …"""
        found: list[dict[str, Any]] = self.turk._get("/api/worker/groups", workerId=self.id)["groups"]
        return found

    def profile(self) -> dict[str, Any]:
        return self.turk._get("/api/worker/worker", workerId=self.id)

    def preview(self, hit_id: str) -> str:
        """Return the address of the frame before the HIT is accepted."""
        return str(self._act("preview", hitId=hit_id)["url"])

    def accept(self, *, hit_id: str = "", group_id: str = "") -> dict[str, Any]:
        """Accept a HIT.

        Return assignmentId, hitId, workerId, deadline, url (of the frame) and turkSubmitTo.
        """
        return self._act("accept", hitId=hit_id, groupId=group_id)

    def submit(self, assignment_id: str, **fields: str) -> dict[str, Any]:
        """Submit as the page's form does. Without fields, one is made up, since one is required."""
        return self._act("submit", assignmentId=assignment_id, fields=fields or {"done": "yes"})

    def give_back(self, assignment_id: str) -> None:
        self._act("return", assignmentId=assignment_id)

    def abandon(self, assignment_id: str) -> None:
        """Leave an assignment, as if its time were up."""
        self._act("abandon", assignmentId=assignment_id)

    def request(self, qualification_type_id: str, answer: str = "") -> str | None:
        """Request a qualification. Return the request's id, or None if it was granted at once."""
        fields = self._act("request", qualificationTypeId=qualification_type_id, answer=answer)
        found: str | None = fields["qualificationRequestId"]
        return found

    def _act(self, act: str, **fields: object) -> dict[str, Any]:
        return self.turk._post(f"/api/worker/{act}", {"workerId": self.id, **fields})
