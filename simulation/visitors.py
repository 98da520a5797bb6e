"""Simulated workers who come through the emulator of a platform, as people do through the real one.

They take a place, open our page's session as the browser does, answer the one page there, and report to
the platform by the form or link that the session names. Where there is no page for them, they give the
place back.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlsplit

from simulation.client import ApiError, Client
from simulation.crowd import Crowd
from simulation.workers import Manners, SimulatedWorker, Tally

_LOOK = 1.0  # seconds between looks at what there is to do
_STANDS_OUT = ("closed", "blocked", "figures")
"""How a worker stands who will not be let into a stage any more."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place that was taken: the platform's id of it, and the address of our page."""

    id: str
    url: str


class AtPlatform(Protocol):
    """Somebody at a platform's site."""

    def offers(self) -> list[str]:
        """Ids of what this worker could take now."""

    def take(self, offer: str) -> Place | None:
        """None: somebody else was faster."""

    def give_back(self, place: Place) -> None: ...

    def abandon(self, place: Place) -> None:
        """As if its time were up."""

    def finish(self, told: dict[str, Any]) -> None:
        """By the form or the link that our page tells. Raises ApiError where the platform refuses it."""


@dataclass
class Visitors(Crowd):
    """`tokens` are ids of the platform's workers."""

    def sign_in(self, worker_id: str) -> AtPlatform:
        raise NotImplementedError

    def _names(self) -> Iterator[tuple[int, str]]:
        """Return who leaves comes back later: nobody knows when there is work."""
        return cycle(enumerate(self.tokens))

    def _let_work(self, worker: SimulatedWorker, token: str, rng: random.Random) -> None:
        connect = partial(Client, self.server)
        visitor = Visitor(connect, self.sign_in(token), worker, rng, self.manners)
        visitor.work(self._stop.wait, self._told)


@dataclass
class Visitor:
    """One person at the platform's site. `mind` gives the answers; `connect` takes a session's token."""

    connect: Callable[[str], Client]
    at_platform: AtPlatform
    mind: SimulatedWorker
    rng: random.Random
    manners: Manners
    _hopeless: set[str] = field(default_factory=set)  # offers that are not for this worker

    def work(self, wait: Callable[[float], bool], tell: Callable[[Tally], object]) -> None:
        """Places one after the other, until told to stop or out of patience. Raises ApiError."""
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
        """Return one place, if there is one."""
        offers = [one for one in self.at_platform.offers() if one not in self._hopeless]
        if not offers:
            return Tally()
        offer = self.rng.choice(offers)
        place = self.at_platform.take(offer)
        if place is None:
            return Tally()
        chance = self.rng.random()
        if chance < self.manners.dropout:
            self.at_platform.abandon(place)
            return Tally(abandoned=1)
        if chance < self.manners.dropout + self.manners.give_back:
            self.at_platform.give_back(place)
            return Tally(given_back=1)
        return self._visit(place, offer)

    def _visit(self, place: Place, offer: str) -> Tally:
        session = self._session(place.url)
        if session is None or session["state"] != "working":
            self.at_platform.give_back(place)
            return Tally(lost=1)
        with self.connect(session["token"]) as client:
            done, standing = self.mind.take_one(client, session["stage"])
        if done.pages:
            self._report(place, session)
            return done
        if standing in _STANDS_OUT:
            self._hopeless.add(offer)
        self.at_platform.give_back(place)
        return done

    def _report(self, place: Place, session: dict[str, Any]) -> None:
        """Prolific's way back is told only when the page is finished: so the session is asked for again."""
        finish = session["finish"] or (self._session(place.url) or {}).get("finish")
        if finish is None:
            raise ApiError(f"{place.url}: the page is finished, and no way back is told")
        self.at_platform.finish(finish)

    def _session(self, url: str) -> dict[str, Any] | None:
        """Return what the page at `url` asks for: its session, None where that is refused."""
        address = urlsplit(url)
        stage, publication = address.path.strip("/").split("/")[2:]  # work/crowd/<stage>/<token>
        told = dict(parse_qsl(address.query))
        body = {
            "publication": publication,
            "stage": stage,
            "assignment": told.get("assignmentId") or told["SESSION_ID"],
            "worker": told.get("workerId") or told["PROLIFIC_PID"],
            "submit_to": told.get("turkSubmitTo", ""),
        }
        with self.connect("") as client:
            return client.ask("crowd/sessions", body)
