"""Simulated workers who come through Mechanical Turk's emulator, as people do through the real one.

They take a HIT, open our page's session as the frame does, answer the one page there, and report to the
platform by the form that the session names. Where there is no page for them, they return the HIT.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from simulation.client import ApiError, Client
from simulation.crowd import Crowd
from simulation.mturk.handle import Handle, RefusedError, WorkerHandle
from simulation.workers import Manners, SimulatedWorker, Tally

PROFILE: dict[str, object] = {"approved": 1200, "rejected": 12, "country": "US"}
"""What the platform knows of each of them: enough for the paper's screening."""

_LOOK = 1.0  # seconds between looks at what there is to do
_STANDS_OUT = ("closed", "blocked", "figures")
"""How a worker stands who will not be let into a stage any more."""


@dataclass
class Turkers(Crowd):
    """`tokens` are ids of the platform's workers."""

    turk: Handle = field(kw_only=True)

    def _names(self) -> Iterator[tuple[int, str]]:
        """Who leaves comes back later: nobody knows when there are HITs."""
        return cycle(enumerate(self.tokens))

    def _let_work(self, worker: SimulatedWorker, token: str, rng: random.Random) -> None:
        somebody = self.turk.worker(token, **PROFILE)
        connect = partial(Client, self.server)
        Turker(connect, somebody, worker, rng, self.manners).work(self._stop.wait, self._told)


@dataclass
class Turker:
    """One person at the platform's site. `mind` gives the answers; `connect` takes a session's token."""

    connect: Callable[[str], Client]
    at_platform: WorkerHandle
    mind: SimulatedWorker
    rng: random.Random
    manners: Manners
    _hopeless: set[str] = field(default_factory=set)  # groups that are not for this worker

    def work(self, wait: Callable[[float], bool], tell: Callable[[Tally], object]) -> None:
        """HITs one after the other, until told to stop or out of patience. Raises ApiError."""
        idle = 0
        while not wait(0.0):
            done = self.turn()
            tell(done)
            idle = 0 if done.pages or done.tested else idle + 1
            if self.manners.patience is not None and idle > self.manners.patience:
                tell(Tally(idle=1))
                return
            if idle and wait(_LOOK * self.manners.haste):
                return

    def turn(self) -> Tally:
        """One HIT, if there is one."""
        groups = [one for one in self.at_platform.groups() if one["groupId"] not in self._hopeless]
        if not groups:
            return Tally()
        group = self.rng.choice(groups)["groupId"]
        try:
            taken = self.at_platform.accept(group_id=group)
        except RefusedError:  # somebody else was faster
            return Tally()
        chance = self.rng.random()
        if chance < self.manners.dropout:
            self.at_platform.abandon(taken["assignmentId"])
            return Tally(abandoned=1)
        if chance < self.manners.dropout + self.manners.give_back:
            self.at_platform.give_back(taken["assignmentId"])
            return Tally(given_back=1)
        return self._visit(taken, group)

    def _visit(self, taken: dict[str, Any], group: str) -> Tally:
        session = self._begin(taken["url"])
        if session is None or session["state"] != "working":
            self.at_platform.give_back(taken["assignmentId"])
            return Tally(lost=1)
        with self.connect(session["token"]) as client:
            done, standing = self.mind.take_one(client, session["stage"])
        if done.pages:
            report(session["finish"])
            return done
        if standing in _STANDS_OUT:
            self._hopeless.add(group)
        self.at_platform.give_back(taken["assignmentId"])
        return done

    def _begin(self, url: str) -> dict[str, Any] | None:
        """What the page at `url` does first: its session, None where that is refused."""
        address = urlsplit(url)
        stage, publication = address.path.strip("/").split("/")[2:]  # work/crowd/<stage>/<token>
        told = dict(parse_qsl(address.query))
        body = {
            "publication": publication,
            "stage": stage,
            "assignment": told["assignmentId"],
            "worker": told["workerId"],
            "submit_to": told["turkSubmitTo"],
        }
        with self.connect("") as client:
            return client.ask("crowd/sessions", body)


def report(finish: dict[str, Any]) -> None:
    """Post the form, as the browser does. Raises ApiError where the platform refuses it."""
    reply = httpx.post(finish["action"], data=finish["fields"], timeout=30, trust_env=False)
    if reply.is_error:
        raise ApiError(f"POST {finish['action']}: {reply.status_code} {reply.text[:200]}")
