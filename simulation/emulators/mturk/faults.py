"""Faults that a test or a demonstration can switch on."""

from __future__ import annotations

import os
import re
import signal
from contextlib import suppress
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any


class FaultError(ValueError):
    """A fault cannot be read. The message says what is possible."""


class Kind(StrEnum):
    """The kinds of faults. The first six are of calls of the API, the rest of notifications to the queue."""

    ERROR_BEFORE = "error-before"  # a ServiceFault, and nothing is done
    REFUSE = "refuse"  # a RequestError of the given code, and nothing is done
    TIMEOUT_AFTER = "timeout-after"  # it is done, and the connection closed without a reply
    THROTTLE = "throttle"
    KILL_BEFORE = "kill-before"  # SIGKILL to `pid`, and nothing is done
    KILL_AFTER = "kill-after"  # it is done, then SIGKILL to `pid`
    DROP = "drop"
    DUPLICATE = "duplicate"
    DELAY = "delay"  # by `seconds`


OF_NOTIFICATIONS = frozenset({Kind.DROP, Kind.DUPLICATE, Kind.DELAY})
_KILLS = frozenset({Kind.KILL_BEFORE, Kind.KILL_AFTER})
_COUNTED = ("matched", "struck", "known")


@dataclass(slots=True)
class Fault:
    """A fault that strikes the n-th match, every so many-th one, or each, at most so many times.

    `operation` is an operation of the API or an event type of notifications; "" matches all. With `once`, a
    call is let through if the fault struck its operation and parameters before, so that each is struck once.
    """

    kind: Kind
    operation: str = ""
    nth: int = 0
    every: int = 0
    times: int = 0
    seconds: float = 0.0
    pid: int = 0
    code: str = ""
    once: bool = False
    matched: int = 0
    struck: int = 0
    known: set[str] = field(default_factory=set)  # what it struck, with `once`

    def strikes(self, operation: str, identity: str) -> bool:
        """Return whether the fault strikes. This counts, so it must be called once for each call or event."""
        if self.operation not in ("", operation) or identity in self.known:
            return False
        self.matched += 1
        spent = self.times and self.struck >= self.times
        due = self.matched == self.nth if self.nth else not (self.every and self.matched % self.every)
        if spent or not due:
            return False
        self.struck += 1
        if self.once:
            self.known.add(identity)
        return True


@dataclass(slots=True)
class Faults:
    set: list[Fault] = field(default_factory=list)

    def at_call(self, operation: str, identity: str) -> Fault | None:
        return self._first(operation, identity, of_notifications=False)

    def at_notification(self, event: str, identity: str) -> Fault | None:
        return self._first(event, identity, of_notifications=True)

    def _first(self, operation: str, identity: str, *, of_notifications: bool) -> Fault | None:
        """Return the first fault that strikes. Those that were set after it do not see the call or event."""
        for fault in self.set:
            if (fault.kind in OF_NOTIFICATIONS) == of_notifications and fault.strikes(operation, identity):
                return fault
        return None

    def aim(self, pid: int) -> None:
        """Let faults that kill aim at another process. They keep their counts. Raise FaultError."""
        _check_pid(pid)
        for fault in self.set:
            if fault.kind in _KILLS:
                fault.pid = pid


def read_fault(data: dict[str, Any]) -> Fault:
    """Return the fault described in JSON. Raise FaultError, which names the wrong field."""
    kinds = {one.name: one for one in fields(Fault) if one.name not in _COUNTED}
    for name, value in data.items():
        if name not in kinds:
            raise FaultError(f"A fault has no {name!r}; it has {', '.join(kinds)}.")
        if not _fits(name, value):
            raise FaultError(f"{name} of a fault cannot be {value!r}.")
    try:
        kind = Kind(data.get("kind", ""))
    except ValueError:
        raise FaultError(f"kind of a fault has to be one of {', '.join(Kind)}.") from None
    fault = Fault(**{**data, "kind": kind})
    if kind in _KILLS:
        _check_pid(fault.pid)
    return fault


def _check_pid(pid: int) -> None:
    """Raise FaultError for the pid of init, of a group of processes, and of the emulator itself."""
    if pid <= 1 or pid == os.getpid():
        raise FaultError("pid of a fault that kills has to be the process to kill.")


def _fits(name: str, value: object) -> bool:
    if name in ("kind", "operation", "code"):
        return isinstance(value, str)
    if name == "once":
        return isinstance(value, bool)
    return type(value) in ((int, float) if name == "seconds" else (int,)) and value >= 0  # type: ignore[operator]


def parse_fault(text: str) -> Fault:
    """Return the fault described as on the command line: `throttle,every=5,operation=CreateHIT`.

    Raise FaultError if it cannot be read.
    """
    kind, *rest = text.split(",")
    data: dict[str, Any] = {"kind": kind}
    for part in rest:
        name, _, value = part.partition("=")
        data[name] = _read(value)
    return read_fault(data)


def _read(value: str) -> object:
    if value in ("true", "false"):
        return value == "true"
    return (
        float(value) if re.fullmatch(r"[0-9]+\.[0-9]+", value) else int(value) if value.isdigit() else value
    )


def kill(fault: Fault) -> None:
    with suppress(ProcessLookupError):  # it ended by itself
        os.kill(fault.pid, signal.SIGKILL)
