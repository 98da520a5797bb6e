"""Our Prolific provider in front of the emulator, together with the participants' side."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from simulation.emulators.prolific.faults import Kind
from simulation.emulators.prolific.server import Emulator
from simulation.emulators.prolific.world import World
from workflows.platforms.accounts import ProlificAccount
from workflows.platforms.call_rate import Bucket, Pace
from workflows.platforms.prolific.provider import Prolific
from workflows.platforms.provider import Environment

# The two calls of a method of Provider: one before anything is done, and the one that does it.
OPERATIONS = {
    "publish": ("create-study", "publish-study"),
    "approve": ("transition-submission", "transition-submission"),
    "bonus": ("create-bonus-payments", "pay-bonus-payments"),
}


def account_at(emulator: Emulator, **fields: str) -> ProlificAccount:
    given: dict[str, Any] = {"project": emulator.world.project, "token": emulator.world.token, **fields}
    return ProlificAccount(emulator.url, Environment.EMULATOR, **given)


def hasty(tries: int = 5) -> Pace:
    return Pace(Bucket(10_000, 10_000), tries=tries, sleep=lambda seconds: None)


@dataclass
class ProlificStage:
    emulator: Emulator
    provider: Prolific
    workers: tuple[str, str, str] = (f"{1:024x}", f"{2:024x}", f"{3:024x}")
    unknown: str = f"{9:024x}"

    @property
    def world(self) -> World:
        return self.emulator.world

    def work(self, publication_id: str, worker: str) -> str:
        started = self.emulator.participants.start(publication_id, worker)
        code = self.world.study(publication_id).fields["completion_codes"][0]["code"]
        return self.emulator.participants.complete(started.submission_id, code).id

    def break_off(self, operation: str, *, after: bool) -> None:
        kind = Kind.CUT_AFTER if after else Kind.CUT
        self.world.faults.add(kind, OPERATIONS[operation][after], times=1)

    def drain(self) -> None:
        self.world.books.top_up(-self.world.available, self.world.clock.now())


@contextmanager
def prolific_stage(**fields: str) -> Iterator[ProlificStage]:
    with Emulator() as emulator, closing(Prolific(account_at(emulator, **fields), pace=hasty())) as provider:
        yield ProlificStage(emulator, provider)
