"""Starts an emulator, in a thread of this process or in its own process."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from simulation.emulators.mturk import money
from simulation.emulators.mturk.clock import Clock
from simulation.emulators.mturk.faults import Faults, parse_fault
from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.server import Server
from simulation.emulators.mturk.state import (
    Assignment,
    Bonus,
    Entry,
    Hit,
    HitType,
    Left,
    Message,
    Qualification,
    QualificationRequest,
    QualificationType,
    State,
    Status,
    Worker,
)
from simulation.emulators.mturk.world import Account, World
from simulation.emulators.processes import running

KEY_ID = "EMULATEDKEY000000000"
SECRET = "not-a-secret-of-anybody"  # noqa: S105  # the emulator's own, known to everybody
FUNDS = 1_000_000  # cents: what a sandbox's account has


def make_world(
    *,
    seed: int = 0,
    funds: int = FUNDS,
    faults: Sequence[str] = (),
    skew: float = 0.0,
    stand: float | None = None,
) -> World:
    """Make the platform's world. Raise FaultError if a fault cannot be read."""
    world = World(
        Account(KEY_ID, SECRET),
        state=State(seed=seed),
        clock=Clock(skew=skew, standing=stand),
        faults=Faults([parse_fault(text) for text in faults]),
    )
    money.deposit(world.state, world.now(), funds)
    return world


@contextmanager
def emulator(
    *,
    seed: int = 0,
    funds: int = FUNDS,
    faults: Sequence[str] = (),
    skew: float = 0.0,
    stand: float | None = None,
) -> Iterator[Handle]:
    """Run an emulator in a thread.

    At the end, raise AssertionError if a reply did not fit the service model.
    """
    with serving(make_world(seed=seed, funds=funds, faults=faults, skew=skew, stand=stand)) as handle:
        yield handle


@contextmanager
def serving(world: World) -> Iterator[Handle]:
    """Run an emulator of an existing world, as `emulator` does."""
    server = Server(world)
    thread = server.start()
    try:
        with Handle(world.site, world.queue_url, world.account) as handle:
            yield handle
        assert not world.broken, world.broken
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def process(*arguments: str) -> Iterator[Handle]:
    """Run an emulator in its own process. Arguments are as on the command line."""
    with running("simulation.emulators.mturk", *arguments) as line:
        addresses = json.loads(line)
        with Handle(addresses["url"], addresses["queueUrl"], Account(KEY_ID, SECRET)) as handle:
            yield handle
            assert not handle.broken(), handle.broken()


def serve(world: World, port: int, data: Path | None) -> None:
    """Serve until interrupted. Load the state from the file `data`, and save it with each request."""
    saved = Saved(data) if data else None
    if saved:
        world.state = saved.load() or world.state
    server = Server(world, port, after=lambda: saved.save(world) if saved else None)
    about = {"url": world.site, "queueUrl": world.queue_url, "keyId": world.account.key_id}
    print(json.dumps(about), flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
        if saved:
            saved.save(world)


_TABLES: dict[str, Any] = {
    "types": HitType,
    "hits": Hit,
    "workers": Worker,
    "qualification_types": QualificationType,
    "qualifications": Qualification,
    "requests": QualificationRequest,
    "messages": Message,
}
_LISTS: dict[str, Any] = {"left": Left, "bonuses": Bonus, "entries": Entry}


@dataclass(slots=True)
class Saved:
    path: Path

    def load(self) -> State | None:
        """Return the saved state, or None. Raise ValueError if the file is not one of ours."""
        if not self.path.exists():
            return None
        content = json.loads(self.path.read_text())
        for name, kind in _TABLES.items():
            content[name] = {key: kind(**row) for key, row in content[name].items()}
        for name, kind in _LISTS.items():
            content[name] = [kind(**row) for row in content[name]]
        content["assignments"] = {
            key: Assignment(**{**row, "status": Status(row["status"])})
            for key, row in content["assignments"].items()
        }
        content["tokens"] = {key: (at, made) for key, (at, made) in content["tokens"].items()}
        return State(**content)

    def save(self, world: World) -> None:
        """Save the state, before anybody is told of it: what was acknowledged outlives a kill."""
        part = self.path.with_suffix(".part")
        with world.changed:
            part.write_text(json.dumps(asdict(world.state)))
            os.replace(part, self.path)
