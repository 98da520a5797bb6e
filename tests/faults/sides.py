"""Emulated platforms for the tests of faults, and our providers for them.

Those with an API run in processes of their own, and kill ours at a call. One that is reached by lists is
in `link_side.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol

from simulation.emulators.mturk import run as mturk_running
from simulation.emulators.mturk.handle import Handle as Turk
from simulation.emulators.prolific.handle import Handle as Emulator
from simulation.emulators.prolific.handle import process as prolific_process
from simulation.emulators.prolific.world import PROJECT, TOKEN
from simulation.management.commands.compare_books import Theirs, of_mturk, of_prolific
from tests.factories import NOW
from workflows.crowd.models import Publication
from workflows.crowd.participations.sessions import begin
from workflows.platforms.accounts import MTurkAccount, ProlificAccount
from workflows.platforms.call_rate import Bucket, Pace
from workflows.platforms.mturk.provider import MTurk
from workflows.platforms.prolific.completion_codes import completion_code, screen_out_code
from workflows.platforms.prolific.provider import Prolific
from workflows.platforms.provider import Environment, Provider
from workflows.workers.models import Participation

FUNDS = "100000"
Hands = tuple[list[Callable[[], object]], list[Callable[[], object]]]
"""What a researcher does by hand before and after rounds."""


class Side(Protocol):
    """A platform's side. `faults` are in the emulator's form."""

    @property
    def provider(self) -> Provider: ...

    @property
    def url(self) -> str: ...

    currency: str
    approves_after: timedelta  # without anybody's decision
    pages: int  # a place
    kills_requests: bool  # whether processes are killed at what a worker's browser asks for, too

    def connect(self, *, tries: int, now: Callable[[], datetime]) -> None:
        """Make the provider. It can be used after a fork, since nothing is connected yet."""

    def advance(self, seconds: float) -> None: ...

    def plan(self, faults: Sequence[object]) -> bool:
        """Replace the planned faults, none of which has struck yet. Return whether they kill."""

    def aim(self, pid: int) -> None: ...

    def pause(self, idle: int) -> float:
        """Return the seconds until the next round.

        Before it, so many rounds in a row were busy and ended by themselves.
        """

    def take(self, publication_id: str, worker: str) -> str:
        """Return the place that the worker gets."""

    def come(self, publication: Publication, place: str, worker: str, now: datetime) -> Participation:
        """Open our page in a place."""

    def finish(self, place: str, worker: str, token: str) -> None: ...

    def give_back(self, place: str, worker: str) -> None: ...

    def theirs(self, publications: set[str]) -> Theirs: ...

    def approved(self) -> set[tuple[str, str]]:
        """Return places and workers."""

    def bonuses(self) -> list[int]: ...

    def by_hand(self) -> Hands: ...

    def carry(self) -> None:
        """Carry the lists of whom to pay to the platform."""


class _Called:
    """A platform that is called."""

    kills_requests = False

    def come(self: Side, publication: Publication, place: str, worker: str, now: datetime) -> Participation:
        return begin(
            token=publication.token,
            stage=publication.stage,
            external_id=place,
            worker=worker,
            confirmed=False,
            submit_to=self.url,
            now=now,
        ).participation

    def by_hand(self) -> Hands:
        return [], []

    def carry(self) -> None:
        pass


def _pace(tries: int) -> Pace:
    return Pace(Bucket(1e6, 10**6), tries=tries, sleep=lambda _: None, rng=random.Random(1))


@dataclass
class MTurkSide(_Called):
    turk: Turk
    provider: MTurk = field(init=False)
    currency: str = "USD"
    approves_after: timedelta = timedelta(days=4)
    pages: int = 1

    def connect(self, *, tries: int, now: Callable[[], datetime]) -> None:
        account = MTurkAccount(
            endpoint=self.turk.url,
            environment=Environment.EMULATOR,
            key_id=self.turk.account.key_id,
            secret=self.turk.account.secret,
            queue_url=self.turk.queue_url,
        )
        self.provider = MTurk(account, pace=_pace(tries))
        self.provider.now = now
        assert self.provider.queue  # it is made here once, not in every process

    @property
    def url(self) -> str:
        return self.turk.url

    def advance(self, seconds: float) -> None:
        self.turk.set_clock(advance=seconds)

    def plan(self, faults: Sequence[object]) -> bool:
        told = [fault for fault in faults if isinstance(fault, dict)]
        kills = any(str(fault["kind"]).startswith("kill") for fault in told)
        self.turk.set_faults(*({**fault, "pid": 2**22} if kills else fault for fault in told))
        return kills

    def aim(self, pid: int) -> None:
        self.turk.aim(pid)

    def pause(self, idle: int) -> float:
        return 5

    def take(self, publication_id: str, worker: str) -> str:
        somebody = self.turk.worker(worker, approved=1000)  # more than the batch's screening requires
        return str(somebody.accept(hit_id=publication_id)["assignmentId"])

    def finish(self, place: str, worker: str, token: str) -> None:
        self.turk.worker(worker).submit(place, token=token)

    def give_back(self, place: str, worker: str) -> None:
        self.turk.worker(worker).give_back(place)

    def theirs(self, publications: set[str]) -> Theirs:
        return of_mturk(self.url, publications)

    def approved(self) -> set[tuple[str, str]]:
        there = self.turk.state()["assignments"]
        return {(one["id"], one["worker"]) for one in there if one["status"] == "Approved"}

    def bonuses(self) -> list[int]:
        return [one["amount"] for one in self.turk.state()["bonuses"]]


@dataclass
class ProlificSide(_Called):
    emulator: Emulator
    provider: Prolific = field(init=False)
    currency: str = "GBP"
    approves_after: timedelta = timedelta(days=22)
    pages: int = 2

    def connect(self, *, tries: int, now: Callable[[], datetime]) -> None:
        account = ProlificAccount(
            self.url, Environment.EMULATOR, TOKEN, project=PROJECT, currency=self.currency
        )
        self.provider = Prolific(account, pace=_pace(tries))

    @property
    def url(self) -> str:
        return self.emulator.url

    def advance(self, seconds: float) -> None:
        self.emulator.advance(seconds)

    def plan(self, faults: Sequence[object]) -> bool:
        told = [str(fault) for fault in faults]
        self.emulator.set_faults(*told)
        return any(fault.startswith("kill") for fault in told)

    def aim(self, pid: int) -> None:
        self.emulator.aim(pid)

    def pause(self, idle: int) -> float:
        """If the answer about a bonus was lost, rounds wait for the bonus to show, for up to an hour."""
        return 5 if idle < 3 else 600

    def take(self, publication_id: str, worker: str) -> str:
        return self.emulator.participant(worker).start(publication_id).submission

    def finish(self, place: str, worker: str, token: str) -> None:
        self.emulator.participant(worker).follow(
            f"{self.url}/submissions/complete?cc={completion_code(token)}"
        )

    def screen_out(self, worker: str, token: str) -> None:
        """Let a worker who failed the test go back with the code for that."""
        self.emulator.participant(worker).follow(
            f"{self.url}/submissions/complete?cc={screen_out_code(token)}"
        )

    def give_back(self, place: str, worker: str) -> None:
        self.emulator.participant(worker).give_back(place)

    def theirs(self, publications: set[str]) -> Theirs:
        return of_prolific(self.url, publications)

    def approved(self) -> set[tuple[str, str]]:
        there = self.emulator.state()["submissions"]
        return {(one["id"], one["participant"]) for one in there if one["status"] == "APPROVED"}

    def bonuses(self) -> list[int]:
        return [one["amount"] for one in self.emulator.books()["entries"] if one["kind"] == "bonus"]


@contextmanager
def mturk_side() -> Iterator[MTurkSide]:
    with mturk_running.process("--stand", str(NOW.timestamp()), "--funds", FUNDS) as turk:
        yield MTurkSide(turk)


@contextmanager
def prolific_side() -> Iterator[ProlificSide]:
    offset = (NOW - datetime.now(UTC)).total_seconds()
    with prolific_process("--clock", str(offset), "--funds", FUNDS) as emulator:
        yield ProlificSide(emulator)
