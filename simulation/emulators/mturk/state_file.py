"""Keeps an emulator's state in a file, so that it can continue later. Calls and faults are not kept."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

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
from simulation.emulators.mturk.world import World

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
