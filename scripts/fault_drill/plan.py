"""The faults of a drill: which, when and for how long. The same seed gives the same faults."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

KILL, END, STOP = "kill", "end", "stop"
"""Signals to a process: SIGKILL; the one that asks it to end; SIGSTOP, and SIGCONT later."""
SLOW, SILENT, RESET = "slow", "silent", "reset"
"""The states of a network: late; connected but nothing arrives; every connection is closed at once."""
FORGOTTEN = "forgotten"
"""All packets of the connections that exist are lost for so long, and no end is told; new ones work."""
DISK, LOCK, CLOCK = "full disk", "lock", "clock"

EVERYTHING = "everything"
PLATFORMS = ("mturk", "prolific")
IN_IMPORT = "the worker in an import"
IN_ROUND = "the worker in a round with "
SERVICES = ("web", "a web process", "worker", "a worker process", "beat")


@dataclass(frozen=True, slots=True)
class Kind:
    """What is done to what, and for how many seconds at most. 0 is for what needs no end."""

    what: str
    target: str
    longest: float = 0.0


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that begins `at` so many seconds after the start, and lasts for `seconds`."""

    at: float
    kind: Kind
    seconds: float


def _signals(*targets: str) -> list[Kind]:
    return [
        Kind(what, target, longest)
        for target in targets
        for what, longest in ((KILL, 0.0), (END, 0.0), (STOP, 8.0))
    ]


def _network(target: str) -> list[Kind]:
    return [Kind(SLOW, target, 8.0), Kind(SILENT, target, 8.0), Kind(RESET, target, 5.0)]


SMOKE = tuple(Kind(KILL, target) for target in (*SERVICES, *PLATFORMS))
EMBEDDED = (
    *_signals(*SERVICES, *PLATFORMS),
    Kind(KILL, EVERYTHING),
    Kind(KILL, IN_IMPORT),
    *(Kind(KILL, IN_ROUND + name) for name in PLATFORMS),
    Kind(DISK, "var", 6.0),
    Kind(LOCK, "database", 12.0),
    Kind(CLOCK, "-7200", 10.0),
    Kind(CLOCK, "+7200", 10.0),
    *_network("web"),
)
SERVERS = (
    *EMBEDDED,
    *_signals("postgres", "a postgres process", "redis"),
    *_network("postgres"),
    *_network("redis"),
    Kind(FORGOTTEN, "postgres", 90.0),
    Kind(FORGOTTEN, "redis", 90.0),
)


def plan(seed: int, seconds: float, kinds: Sequence[Kind], pause: float) -> list[Fault]:
    """Return faults for so many seconds, `pause` apart on average. They may overlap.

    Each kind occurs once, and each kill twice, before one occurs again, in an order drawn anew each time.
    """
    rng = random.Random(seed)
    faults: list[Fault] = []
    deck: list[Kind] = []
    at = 0.0
    while True:
        at += rng.uniform(0.5, 1.5) * pause
        if at >= seconds:
            return faults
        if not deck:
            deck = [*kinds, *(kind for kind in kinds if kind.what == KILL)]
            rng.shuffle(deck)
        kind = deck.pop()
        faults.append(Fault(round(at, 1), kind, round(rng.uniform(0.3, 1.0) * kind.longest, 1)))
