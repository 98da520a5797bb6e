"""Keeps an emulator's state in a file, so that it can continue later. Requests and faults are not kept."""

from __future__ import annotations

import os
import pickle
from dataclasses import dataclass
from pathlib import Path

from simulation.emulators.prolific.webhooks import Hooks
from simulation.emulators.prolific.world import World

_WORLD = (
    *("books", "studies", "submissions", "groups", "participants", "bulks", "messages", "events", "last_id"),
)
_HOOKS = ("secret", "secret_id", "subscriptions", "waiting", "late")


@dataclass(frozen=True, slots=True)
class Saved:
    path: Path

    def load(self, world: World, hooks: Hooks) -> None:
        """Replace the state by the one in the file, if there is one. The file has to be our own."""
        if not self.path.exists():
            return
        ours, theirs = pickle.loads(self.path.read_bytes())  # noqa: S301
        for one, names, values in ((world, _WORLD, ours), (hooks, _HOOKS, theirs)):
            for name, value in zip(names, values, strict=True):
                setattr(one, name, value)

    def save(self, world: World, hooks: Hooks) -> None:
        """Save the state, before anybody is told of it: what was acknowledged outlives a kill."""
        part = self.path.with_suffix(".part")
        with world.lock:
            state = [
                [getattr(one, name) for name in names] for one, names in ((world, _WORLD), (hooks, _HOOKS))
            ]
            part.write_bytes(pickle.dumps(state))
            os.replace(part, self.path)
