"""Keeps an emulator's state in a file, so that it can continue later. Requests and faults are not kept."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

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
        """Replace the state by the one in the file, if there is one.

        Raises ValueError or LookupError if the file is not one of ours.
        """
        if not self.path.exists():
            return
        content = json.loads(self.path.read_text())
        for one, names, values in ((world, _WORLD, content["world"]), (hooks, _HOOKS, content["hooks"])):
            kinds = get_type_hints(type(one))
            for name in names:
                setattr(one, name, _from_json(kinds[name], values[name]))

    def save(self, world: World, hooks: Hooks) -> None:
        """Save the state, before anybody is told of it: what was acknowledged outlives a kill."""
        part = self.path.with_suffix(".part")
        with world.lock:
            content = {
                "world": {name: _to_json(getattr(world, name)) for name in _WORLD},
                "hooks": {name: _to_json(getattr(hooks, name)) for name in _HOOKS},
            }
            part.write_text(json.dumps(content))
            os.replace(part, self.path)


def _to_json(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _to_json(getattr(value, field.name)) for field in fields(value)}
    match value:
        case datetime():
            return value.isoformat()
        case bytes():
            return value.decode()
        case dict():
            return {key: _to_json(one) for key, one in value.items()}
        case list() | tuple():
            return [_to_json(one) for one in value]
    return value


def _from_json(kind: Any, value: Any) -> Any:
    """Return the value of this type that `_to_json` told."""
    if is_dataclass(kind) and isinstance(kind, type):
        kinds = get_type_hints(kind)
        return kind(**{name: _from_json(kinds[name], one) for name, one in value.items()})
    if kind is datetime:
        return datetime.fromisoformat(value)
    if kind is bytes:
        return value.encode()
    inner = get_args(kind)
    match get_origin(kind):
        case origin if origin is UnionType:
            return None if value is None else _from_json(inner[0], value)
        case origin if origin is dict:
            return {key: _from_json(inner[1], one) for key, one in value.items()}
        case origin if origin is list:
            return [_from_json(inner[0], one) for one in value]
        case origin if origin is tuple:
            return tuple(_from_json(one, part) for one, part in zip(inner, value, strict=True))
    return value
