"""The emulated platform with one requester: its state, clock and faults, and the calls that it got."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulation.emulators.mturk.clock import Clock
from simulation.emulators.mturk.faults import Faults
from simulation.emulators.mturk.state import State

Input = Mapping[str, Any]
Output = dict[str, Any]

QUEUE = "/000000000000/notifications"


@dataclass(frozen=True, slots=True)
class Account:
    """The account whose calls are answered."""

    key_id: str
    secret: str = field(repr=False)
    customer_id: str = "AREQUESTER00000000000"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the API. `performed` says whether it was carried out, whatever the reply was."""

    number: int
    operation: str
    params: Mapping[str, Any]
    outcome: str  # ok, the error's code, or what a fault made of it
    performed: bool


@dataclass(slots=True)
class World:
    account: Account
    site: str = ""  # where workers are sent to submit, known once the server listens
    state: State = field(default_factory=State)
    clock: Clock = field(default_factory=Clock)
    faults: Faults = field(default_factory=Faults)
    calls: list[Call] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)  # replies that fit no shape: the emulator's own mistakes
    changed: threading.Condition = field(default_factory=threading.Condition)  # held while anything is done
    due: float = -math.inf  # when the next thing happens by itself

    @property
    def queue_url(self) -> str:
        return self.site + QUEUE

    def now(self) -> float:
        return self.clock.now()

    def expect(self, at: float) -> None:
        """Remember that something happens by itself at this time."""
        self.due = min(self.due, at)
