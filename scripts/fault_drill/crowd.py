"""Simulated workers and a researcher, who speak only HTTP, keep every receipt, and never give up."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx

from scripts.fault_drill.judge import ModelReceipt, Receipt
from simulation.characters import Character
from simulation.client import ApiError, Client, Page
from simulation.client import Receipt as Reply
from simulation.emulators.mturk.handle import RefusedError as MTurkRefusedError
from simulation.emulators.mturk.state import Status
from simulation.emulators.prolific.handle import RefusedError as ProlificRefusedError
from simulation.emulators.prolific.world import ACTIVE
from simulation.participants import AtProlific
from simulation.profiles import PAPER
from simulation.truth import Truth
from simulation.turkers import AtMTurk
from simulation.visitors import AtPlatform, Place, Visitor
from simulation.workers import Manners, SimulatedWorker, Tally

ROUGHLY = 0.04
"""The share of requests that are cut in the middle, and of those whose reply is lost, or that come twice."""
PLATFORM_ERRORS = (httpx.HTTPError, MTurkRefusedError, ProlificRefusedError)
THINK = 0.2
MANNERS = Manners(give_back=0.02, haste=0.3)
UPLOADS_EVERY = 3.0
USER, PASSWORD = "driller", "only for this drill"


@dataclass
class Record:
    """What all clients saw. `over` ends their work, and after `late` they no longer wait for replies."""

    receipts: list[Receipt] = field(default_factory=list)
    of_models: list[ModelReceipt] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    rough: Counter[str] = field(default_factory=Counter)
    uploaded: set[str] = field(default_factory=set)
    found: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    late: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, receipt: Receipt) -> None:
        with self._lock:
            self.receipts.append(receipt)

    def keep_of_model(self, receipt: ModelReceipt) -> None:
        with self._lock:
            self.of_models.append(receipt)

    def saw(self, status: int) -> None:
        with self._lock:
            self.statuses[status] += 1

    def roughly(self, what: str) -> None:
        with self._lock:
            self.rough[what] += 1


@dataclass
class RoughTransport(httpx.BaseTransport):
    """Cuts some requests in the middle, loses some replies, and sends some requests twice."""

    record: Record
    rng: random.Random
    _inner: httpx.HTTPTransport = field(default_factory=httpx.HTTPTransport)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Raise TransportError if it is cut or its reply is lost."""
        chance = self.rng.random()
        if chance < ROUGHLY:
            self.record.roughly("cut in the middle")
            _send_half(request)
            raise httpx.WriteError("the request was cut in the middle")
        reply = self._sent(request)
        if chance < 2 * ROUGHLY:
            self.record.roughly("reply lost")
            raise httpx.ReadError("the reply was lost")
        if chance < 3 * ROUGHLY:
            self.record.roughly("sent twice")
            return self._sent(request)
        return reply

    def _sent(self, request: httpx.Request) -> httpx.Response:
        reply = self._inner.handle_request(request)
        reply.read()
        self.record.saw(reply.status_code)
        return reply

    def close(self) -> None:
        self._inner.close()


def _send_half(request: httpx.Request) -> None:
    body = request.read()
    head = [f"{request.method} {request.url.raw_path.decode()} HTTP/1.1".encode()]
    head += [name + b": " + value for name, value in request.headers.raw]
    whole = b"\r\n".join([*head, b"", body])
    try:
        with socket.create_connection((request.url.host, request.url.port or 80), timeout=5) as raw:
            raw.sendall(whole[: len(whole) - len(body) + len(body) // 2 - (not body)])
    except OSError:
        pass  # nothing listens, or the connection is reset: it is cut all the same


class Keeper(Client):
    """A client that keeps its receipts, and asks for each until it gets it."""

    def __init__(self, server: str, token: str, record: Record, rng: random.Random) -> None:
        self.record, self.rng = record, rng
        super().__init__(server, token, RoughTransport(record, rng), lambda s: time.sleep(min(s, 1.0)))

    def submit(self, page: Page, answers: Sequence[Mapping[str, Any]]) -> Reply | None:
        reply = self._surely(page, answers)
        if reply is not None and self.rng.random() < ROUGHLY:
            self.record.roughly("submitted again")
            self._surely(page, answers)
        return reply

    def _surely(self, page: Page, answers: Sequence[Mapping[str, Any]]) -> Reply | None:
        while True:
            try:
                reply = super().submit(page, answers)
            except ApiError as error:
                if self.record.late.is_set():
                    self.record.found.append(f"page {page.id}: never got a receipt ({error})")
                    raise
                time.sleep(0.5)
                continue
            if reply is None:
                self.record.found.append(
                    f"page {page.id}: it was refused as unknown, or as answered otherwise"
                )
            else:
                self.record.keep(Receipt.of(page.id, answers, reply.accepted, reply.acknowledged))
            return reply


@dataclass
class Patient(Visitor):
    """A visitor from a platform who tries again with the same place until the page is reported.

    The platform may be killed at any moment. What it did before, it has kept, but its reply may be lost.
    """

    record: Record = field(kw_only=True)

    def work(self, wait: Callable[[float], bool], tell: Callable[[Tally], object]) -> None:
        try:
            super().work(wait, tell)
        except PLATFORM_ERRORS:
            self._leave()
            raise

    def _leave(self) -> None:
        """Abandon whatever the platform says this visitor is at, since a lost reply may have named it."""
        while not self.record.late.is_set():
            try:
                for place in _places(self.at_platform):
                    self.at_platform.abandon(Place(place, ""))
                return
            except PLATFORM_ERRORS:
                time.sleep(0.5)

    def _report(self, place: Place, session: dict[str, Any]) -> None:
        cut = False
        while True:
            try:
                if not cut or place.id in _places(self.at_platform):
                    super()._report(place, session)
                return  # if it was cut, the platform had taken it, and only the reply was lost
            except httpx.HTTPError as error:
                cut = True
                if self.record.late.is_set():
                    self.record.found.append(f"place {place.id}: never reported ({error})")
                    raise
                time.sleep(0.5)

    def _visit(self, place: Place, offer: str) -> Tally:
        while True:
            try:
                session = self._session(place.url)
                if session is not None and session["state"] == "submitted":
                    self._report(place, session)
                    return Tally(pages=1)
                return super()._visit(place, offer)
            except ApiError as error:
                if self.record.late.is_set():
                    self.record.found.append(f"place {place.id}: never reported ({error})")
                    raise
                time.sleep(0.5)


def _places(at_platform: AtPlatform) -> list[str]:
    """Return the places that somebody has taken and not ended, as the platform says."""
    if isinstance(at_platform, AtMTurk):
        who, rows = at_platform.worker.id, at_platform.worker.turk.state()["assignments"]
    else:
        assert isinstance(at_platform, AtProlific)
        participant = at_platform.participant
        who, rows = participant.id, participant.emulator.state()["submissions"]
    statuses = (Status.PENDING, ACTIVE)
    return [
        str(row["id"])
        for row in rows
        if row.get("worker", row.get("participant")) == who and row["status"] in statuses
    ]


@dataclass
class DrillCrowd:
    """All who work, each in a thread. `server` is the address behind the rough network."""

    server: str
    record: Record
    seed: int
    _threads: list[threading.Thread] = field(default_factory=list)

    def hire(self, truth: Truth, token: str, name: str) -> None:
        """Let a direct worker work."""
        rng = random.Random(f"{self.seed}/{name}")
        client = Keeper(self.server, token, self.record, rng)
        worker = SimulatedWorker(client, truth, Character(profile=PAPER), rng, MANNERS)
        self.let(name, partial(worker.work, self._wait))

    def invite(self, truth: Truth, at_platform: AtPlatform, name: str) -> None:
        """Let somebody come through a platform, again and again."""
        rng = random.Random(f"{self.seed}/{name}")
        connect = partial(Keeper, self.server, record=self.record, rng=rng)
        mind = SimulatedWorker(connect(""), truth, Character(profile=PAPER), rng, MANNERS)
        visitor = Patient(connect, at_platform, mind, rng, MANNERS, record=self.record)
        self.let(name, partial(visitor.work, self._wait, lambda _: None))

    def upload(self, archive: bytes, projects: Mapping[str, int]) -> None:
        """Let a researcher upload the archive into one project after the other."""
        left = list(projects.items())
        rough = RoughTransport(self.record, random.Random(self.seed))
        client = httpx.Client(base_url=self.server, transport=rough, timeout=30)

        def work() -> None:
            while left and not self.record.over.is_set():
                if upload(client, archive, left[-1][1]):
                    self.record.uploaded.add(left.pop()[0])
                    self.record.over.wait(UPLOADS_EVERY)
                else:
                    self.record.over.wait(0.5)

        self.let("researcher", work)

    def _wait(self, seconds: float) -> bool:
        return self.record.over.wait(seconds or THINK)

    def alive(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    def let(self, name: str, work: Callable[[], object]) -> None:
        """Let somebody do this again and again, whatever goes wrong with the network."""

        def go_on() -> None:
            while not self.record.over.is_set():
                try:
                    work()
                except (ApiError, *PLATFORM_ERRORS) as error:
                    self.record.roughly(f"began anew after {type(error).__name__}")
                    self.record.over.wait(0.5)

        thread = threading.Thread(target=go_on, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()


def upload(client: httpx.Client, archive: bytes, project: int) -> bool:
    """Upload an archive as a researcher does in the browser. Return whether it was acknowledged."""
    where = f"/admin/projects/{project}/import/"
    page = client.get(where)
    if page.is_redirect:
        login = client.get("/admin/login/")
        if login.is_success:
            form = {"username": USER, "password": PASSWORD, **_token(client)}
            client.post("/admin/login/", data=form)
        return False
    if not page.is_success:
        return False
    form = {"action": "import", "as_gold": "on", **_token(client)}
    return client.post(where, data=form, files={"corpus": ("corpus.zip", archive)}).is_redirect


def _token(client: httpx.Client) -> dict[str, str]:
    return {"csrfmiddlewaretoken": client.cookies.get("csrftoken") or ""}
