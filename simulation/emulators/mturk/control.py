"""The switches of the emulator, under /control/, for tests and demonstrations.

GET books, calls, state, about;
POST clock {advance, skew, stand}, faults {set: […]} (which replace the earlier ones) or {aim: pid},
funds {cents}.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from simulation.emulators.mturk import lifecycle, money
from simulation.emulators.mturk.api.dispatch import Reply
from simulation.emulators.mturk.faults import read_fault
from simulation.emulators.mturk.state import Status
from simulation.emulators.mturk.world import World

_ACTS = ("advance", "skew", "stand")


def answer(world: World, path: str, query: dict[str, str], body: bytes | None) -> Reply:
    try:
        with world.changed:
            if body is None and path in _GETS:
                lifecycle.catch_up(world)
                content = _GETS[path](world)
            elif body is not None and path in _POSTS:
                given = json.loads(body)
                if not isinstance(given, dict):
                    raise ValueError("The body has to be a JSON object.")
                content = _POSTS[path](world, given)
            else:
                return _reply(HTTPStatus.NOT_FOUND, {"error": f"There is no {path!r}."})
    except ValueError as error:
        return _reply(HTTPStatus.BAD_REQUEST, {"error": str(error)})
    return _reply(HTTPStatus.OK, content)


def _about(world: World) -> object:
    return {"url": world.site, "queueUrl": world.queue_url, "keyId": world.account.key_id, "now": world.now()}


def _books(world: World) -> object:
    return money.books(world.state)


def _calls(world: World) -> object:
    return {"calls": [asdict(call) for call in world.calls], "broken": world.broken}


def _state(world: World) -> object:
    """Return the state for tests: HITs and assignments by status, who left, and what each worker holds."""
    state, now = world.state, world.now()
    return {
        "hits": [
            {
                "id": hit.id,
                "status": lifecycle.hit_status(state, hit, now),
                "annotation": hit.annotation,
                "places": hit.places,
                "reward": hit.reward,
                "fee": hit.fee,
                "held": hit.held,
            }
            for hit in state.hits.values()
        ],
        "assignments": [
            {"id": one.id, "hit": one.hit_id, "worker": one.worker, "status": one.status.value}
            for one in state.assignments.values()
        ],
        "unpaid": sorted(one.id for one in state.assignments.values() if one.status == Status.SUBMITTED),
        "left": [asdict(one) for one in state.left],
        "bonuses": [asdict(one) for one in state.bonuses],
        "messages": len(state.messages),
        "paidTwice": _paid_twice(world),
    }


def _paid_twice(world: World) -> list[str]:
    """Return the assignments whose reward, or same bonus with the same reason, was paid more than once."""
    rewards = Counter(one.assignment for one in world.state.entries if one.kind == "reward")
    bonuses = Counter((one.assignment, one.amount, one.reason) for one in world.state.bonuses)
    twice = {name for name, times in rewards.items() if times > 1}
    return sorted(twice | {key[0] for key, times in bonuses.items() if times > 1})


def _set_clock(world: World, given: Mapping[str, Any]) -> object:
    for name, value in given.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if name not in _ACTS or not (is_number or (name == "stand" and value is None)):
            raise ValueError(f"The clock has no {name!r} of {value!r}; it has {', '.join(_ACTS)} in seconds.")
    if "stand" in given:
        world.clock.stop_at(given["stand"])
    if "skew" in given:
        world.clock.skew = given["skew"]
    world.clock.advance(given.get("advance", 0))
    lifecycle.catch_up(world)
    return _about(world)


def _set_faults(world: World, given: Mapping[str, Any]) -> object:
    wanted = given.get("set", [])
    if not isinstance(wanted, list) or not all(isinstance(one, dict) for one in wanted):
        raise ValueError("set has to be a list of faults.")
    if "set" in given:
        world.faults.set = [read_fault(one) for one in wanted]
    if "aim" in given:
        aim = given["aim"]
        if type(aim) is not int:
            raise ValueError("aim has to be a process id.")
        world.faults.aim(aim)
    return {}


def _add_funds(world: World, given: Mapping[str, Any]) -> object:
    cents = given.get("cents")
    if (
        not isinstance(cents, int)
        or isinstance(cents, bool)
        or world.state.totals.get("available", 0) < -cents
    ):
        raise ValueError("cents has to be a whole number, and no more than there is where it is taken away.")
    money.deposit(world.state, world.now(), cents)
    return {}


def _reply(status: int, content: object) -> Reply:
    return Reply(status, "application/json", json.dumps(content, default=_iso).encode())


def _iso(value: Any) -> str:
    return str(value.isoformat())


_GETS: Mapping[str, Callable[[World], object]] = {
    "about": _about,
    "books": _books,
    "calls": _calls,
    "state": _state,
}
_POSTS: Mapping[str, Callable[[World, Mapping[str, Any]], object]] = {
    "clock": _set_clock,
    "faults": _set_faults,
    "funds": _add_funds,
}
