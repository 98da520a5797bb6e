"""Simulated workers who come through a platform's emulator, as people come through the real platform.

They take a place, open our page's session as a browser does, answer the one page, and report to the platform
by the form or link that the session names. If there is no page for them, they give the place back.
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

ANY = "any"
"""In place of a stage: the address is that of a batch."""
_LOOK = 1.0  # seconds between two looks for work
_STANDS_OUT = ("closed", "blocked", "figures")
"""The standings of workers who will not be let into a stage any more."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place that a worker took: the platform's id for it, and the address of our page."""

    id: str
    url: str


class AtPlatform(Protocol):
    """A worker at a platform's site."""

    def offers(self) -> list[str]:
        """Return the ids of the offers that this worker could take now."""

    def take(self, offer: str) -> Place | None:
        """Take a place. Return None if somebody else was faster."""

    def give_back(self, place: Place) -> None: ...

    def abandon(self, place: Place) -> None:
        """Leave a place, as if its time were up."""

    def finish(self, told: dict[str, Any]) -> None:
        """Report by the form or link that our page gives. Raise ApiError if the platform refuses it."""


@dataclass
class Visitors(Crowd):
    """A crowd that comes through a platform. `tokens` are ids of the platform's workers."""

    def sign_in(self, worker_id: str) -> AtPlatform:
        raise NotImplementedError

    def _names(self) -> Iterator[tuple[int, str]]:
        """Return the workers in an endless cycle: they come back, since there may be work later."""
        return cycle(enumerate(self.tokens))

    def _let_work(self, worker: SimulatedWorker, token: str, rng: random.Random) -> None:
        connect = partial(Client, self.server)
        visitor = Visitor(connect, self.sign_in(token), worker, rng, self.manners)
        visitor.work(self._stop.wait, self._report)


@dataclass
class Visitor:
    """One person at the platform's site. `mind` gives the answers, and `connect` takes a session's token."""

    connect: Callable[[str], Client]
    at_platform: AtPlatform
    mind: SimulatedWorker
    rng: random.Random
    manners: Manners
    _hopeless: set[str] = field(default_factory=set)  # offers that are not for this worker

    def work(self, wait: Callable[[float], bool], report: Callable[[Tally], object]) -> None:
        """Take places one after the other, until told to stop or out of patience. Raise ApiError.

        `report` returns False if a turn without a page costs no patience.
        """
        idle = 0
        while not wait(0.0):
            done = self.turn()
            in_vain = report(done) is not False
            idle = 0 if done.pages or done.tested else idle + in_vain
            if self.manners.patience is not None and idle > self.manners.patience:
                report(Tally(idle=1))
                return
            if not (done.pages or done.tested) and wait(_LOOK * self.manners.haste):
                return

    def turn(self) -> Tally:
        """Take one place and do its page, if there is one. Return what was done."""
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
        if session.get("pays_failed_test") and done.tested:
            again = self._session(place.url)
            if again is not None and again["finish"] is not None:
                self.at_platform.finish(again["finish"])
                return done
        if standing in _STANDS_OUT and session["stage"] in urlsplit(place.url).path:
            self._hopeless.add(offer)
        self.at_platform.give_back(place)
        return done

    def _report(self, place: Place, session: dict[str, Any]) -> None:
        """Report to the platform. Ask for the session again, since it has Prolific's link only at the end."""
        finish = session["finish"] or (self._session(place.url) or {}).get("finish")
        if finish is None:
            raise ApiError(f"{place.url}: the page is finished, but the session has no way back")
        self.at_platform.finish(finish)

    def _session(self, url: str) -> dict[str, Any] | None:
        """Return the session of the page at `url`, or None if it is refused."""
        address = urlsplit(url)
        stage, publication = address.path.strip("/").split("/")[2:]  # work/crowd/<stage>/<token>
        if stage == ANY:
            arrival = {"link": publication, "query": address.query}
            with self.connect("") as client:
                return client.ask("crowd/arrivals", arrival)
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
