"""Faults on demand, by the operation's name in the reference (`create-study`), and by how often."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    CUT = "cut"  # the connection ends before anything is done
    CUT_AFTER = "cut-after"  # everything is done, and the connection ends without a reply
    THROTTLE = "throttle"  # 429, with nothing done
    BREAK = "break"  # 500, with nothing done
    BREAK_AFTER = "break-after"  # everything is done, and the reply is a 502
    KILL_BEFORE = "kill-before"  # SIGKILL to the process that is aimed at, and nothing is done
    KILL_AFTER = "kill-after"  # everything is done, then SIGKILL
    LOSE = "lose"  # an event is never sent
    DOUBLE = "double"  # an event is sent twice
    LATE = "late"  # an event waits until the next delivery


EVENTS = (Kind.LOSE, Kind.DOUBLE, Kind.LATE)
ANY = "*"


class FaultError(ValueError):
    """A fault cannot be read. The message says what one is."""


@dataclass(slots=True)
class Fault:
    kind: Kind
    operation: str = ANY  # or an event's type, for the kinds of events
    times: int = 1  # -1: for ever
    skip: int = 0  # how many matches go well first
    each: bool = False  # strikes each different request once
    known: set[str] = field(default_factory=set)  # what it struck, with `each`

    def strikes(self, name: str, same: str) -> bool:
        """Return whether the fault strikes.

        This counts, so it must be called once for each request or event.
        """
        if self.operation not in (ANY, name) or not self.times or same in self.known:
            return False
        if self.skip:
            self.skip -= 1
            return False
        if self.times > 0:
            self.times -= 1
        if self.each:
            self.known.add(same)
        return True


@dataclass(slots=True)
class Faults:
    planned: list[Fault] = field(default_factory=list)
    pid: int = 0  # whom faults that kill mean; 0: nobody
    struck: list[tuple[str, str]] = field(default_factory=list)  # kind, and what it struck

    def add(self, kind: str, operation: str = ANY, *, times: int = 1, skip: int = 0) -> None:
        self.planned.append(Fault(Kind(kind), operation, times, skip))

    def clear(self) -> None:
        self.planned.clear()

    def of_request(self, operation: str, same: str = "") -> Kind | None:
        return self._next(operation, same, of_events=False)

    def of_event(self, event_type: str) -> Kind | None:
        return self._next(event_type, "", of_events=True)

    def aim(self, pid: int) -> None:
        """Let faults that kill aim at this process. Raise FaultError for an invalid pid or the emulator's."""
        if type(pid) is not int or pid <= 1 or pid == os.getpid():
            raise FaultError("pid has to be the process to kill")
        self.pid = pid

    def kill(self) -> None:
        if self.pid:
            with suppress(ProcessLookupError):  # it ended by itself
                os.kill(self.pid, signal.SIGKILL)

    def _next(self, name: str, same: str, *, of_events: bool) -> Kind | None:
        """Return the first fault that strikes. Those that were planned after it do not see the event."""
        for fault in self.planned:
            if (fault.kind in EVENTS) == of_events and fault.strikes(name, same):
                self.struck.append((fault.kind.value, name))
                return fault.kind
        return None


def read_fault(text: str) -> Fault:
    """Return the fault in a text: `kind[:operation[:times[:skip]]]`, where times may be `each`.

    Raise FaultError if it cannot be read.
    """
    kind, operation, times, skip = (*text.split(":"), "", "", "")[:4]
    if kind not in tuple(Kind):
        raise FaultError(
            f"{kind!r} is no fault; there are {', '.join(Kind)}, as in cut-after:publish-study:2"
        )
    try:
        each = times == "each"
        return Fault(Kind(kind), operation or ANY, -1 if each else int(times or 1), int(skip or 0), each)
    except ValueError as error:
        raise FaultError(f"{text!r}: times and skip are whole numbers, or times is `each`") from error
