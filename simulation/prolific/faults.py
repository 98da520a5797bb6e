"""What goes wrong, on demand: by the operation's name in the reference (`create-study`), and how often."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    CUT = "cut"  # the connection ends before anything is done
    CUT_AFTER = "cut-after"  # everything is done, and the connection ends without a reply
    THROTTLE = "throttle"  # 429, with nothing done
    BREAK = "break"  # 500, with nothing done
    BREAK_AFTER = "break-after"  # everything is done, and the reply is a 502
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
    skip: int = 0  # so many first that go well


@dataclass(slots=True)
class Faults:
    planned: list[Fault] = field(default_factory=list)

    def add(self, kind: str, operation: str = ANY, *, times: int = 1, skip: int = 0) -> None:
        self.planned.append(Fault(Kind(kind), operation, times, skip))

    def clear(self) -> None:
        self.planned.clear()

    def of_request(self, operation: str) -> Kind | None:
        return self._next(operation, of_events=False)

    def of_event(self, event_type: str) -> Kind | None:
        return self._next(event_type, of_events=True)

    def _next(self, name: str, *, of_events: bool) -> Kind | None:
        for fault in self.planned:
            if (fault.kind in EVENTS) != of_events or fault.operation not in (ANY, name) or not fault.times:
                continue
            if fault.skip:
                fault.skip -= 1
                continue
            if fault.times > 0:
                fault.times -= 1
            return fault.kind
        return None


def read_fault(text: str) -> Fault:
    """As on the command line: `kind[:operation[:times[:skip]]]`. Raises FaultError."""
    kind, operation, times, skip = (*text.split(":"), "", "", "")[:4]
    if kind not in tuple(Kind):
        raise FaultError(
            f"{kind!r} is no fault; there are {', '.join(Kind)}, as in cut-after:publish-study:2"
        )
    try:
        return Fault(Kind(kind), operation or ANY, int(times or 1), int(skip or 0))
    except ValueError as error:
        raise FaultError(f"{text!r}: times and skip are whole numbers") from error
