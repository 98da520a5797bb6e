"""One round with a platform: everything that is due there, in an order in which each part may be missing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypeVar

from workflows.core.locks import try_lock
from workflows.core.time_slices import Clock, Turn
from workflows.crowd.calls import forget_calls
from workflows.crowd.failure_budget import Attempts
from workflows.crowd.payments.pay import owe_top_ups, pay
from workflows.crowd.provider import Provider
from workflows.crowd.publications.grants import intend, tell
from workflows.crowd.publications.plan import plan
from workflows.crowd.publications.publish import close, end_surplus, publish
from workflows.crowd.rounds.balances import begin_balance
from workflows.crowd.rounds.collect import collect
from workflows.crowd.rounds.notices import forget_notices, notice

LOOKING = PAYING = PUBLISHING = 9.0
CLOSING = TELLING = 3.0
"""Seconds that these parts have of a round [ours]: together hardly more than lies between two rounds, so that
none waits long for another. At five calls a second, 45 or 15 calls. What one leaves of its time is for those
after it: a batch that is cancelled has little to do but to close."""


@dataclass(slots=True)
class Stepped:
    """What a round did."""

    busy: bool = False  # another process is at it: nothing was done
    hints: int = 0
    planned: int = 0
    published: int = 0
    submissions: int = 0
    paid: int = 0
    top_ups: int = 0
    grants: int = 0
    closed: int = 0
    failed: int = 0  # calls the platform did not do now, or faults of ours: the next round tries again
    put_off: int = 0  # parts whose time was over: the next round goes on

    @property
    def quiet(self) -> bool:
        """Whether there was nothing to do."""
        return not any(asdict(self).values())

    @property
    def words(self) -> str:
        """What was done, for people and logs."""
        if self.busy:
            return "another process is at it"
        said = [f"{count} {name.replace('_', ' ')}" for name, count in asdict(self).items() if count]
        return ", ".join(said) or "nothing to do"


def lock_name(provider: Provider) -> str:
    """Of what only one process does at a time with a platform."""
    return f"crowd-{provider.name}-{provider.environment}"


def step(*, provider: Provider, now: datetime, patient: bool = True) -> Stepped:
    """Do what is due, within the time that each part has; with `patient` False, ask for every publication
    whether or not it is its turn, and take as long as it needs.

    Safe to break off anywhere and to run twice. Raises nothing of the platform's: what it does not do now is
    counted, and asked for again.
    """
    with try_lock(lock_name(provider)) as free:
        if not free:
            return Stepped(busy=True)
        return round_of(provider=provider, now=now, patient=patient)


def round_of(
    *, provider: Provider, now: datetime, patient: bool = True, clock: Clock = time.monotonic
) -> Stepped:
    """The same without the lock: the rows' own guards keep two of these from doing anything twice."""
    stepped = Stepped()
    # A fault of ours in one part, in every round, must not keep the others from being done.
    parts = Attempts()
    left = 0.0  # seconds that parts before did not need

    def done(do: Callable[[], Attempts | int | None]) -> int:
        with parts.one():
            found = do()
            if isinstance(found, Attempts):
                stepped.failed += found.failed
                return found.done
            return found or 0
        return 0

    def timed(seconds: float, do: Callable[[Turn], Attempts]) -> int:
        nonlocal left
        begun, has = clock(), seconds + left
        turn = Turn(has if patient else None, clock)
        made = done(lambda: do(turn))
        left = max(0.0, has - (clock() - begun))
        stepped.put_off += turn.cut
        return made

    done(lambda: begin_balance(provider=provider, now=now))
    stepped.hints = done(lambda: notice(provider=provider, now=now))
    stepped.submissions = timed(
        LOOKING, lambda turn: collect(provider=provider, now=now, patient=patient, turn=turn)
    )
    # What is owed to the wage floor is paid by this round, too.
    stepped.top_ups = done(lambda: owe_top_ups(provider=provider, now=now))
    stepped.paid = timed(PAYING, lambda turn: pay(provider=provider, now=now, turn=turn))
    done(lambda: end_surplus(provider=provider, now=now))
    stepped.closed = timed(CLOSING, lambda turn: close(provider=provider, now=now, turn=turn))
    done(lambda: intend(provider=provider))
    stepped.grants = timed(TELLING, lambda turn: tell(provider=provider, now=now, turn=turn))
    stepped.planned = done(lambda: plan(provider=provider, now=now))
    stepped.published = timed(PUBLISHING, lambda turn: publish(provider=provider, now=now, turn=turn))
    done(lambda: forget_notices(now=now))
    done(lambda: forget_calls(now=now))
    stepped.failed += parts.failed
    return stepped


SECONDS = 20.0
"""So long it goes on before a round has its turn: less than lies between two rounds [ours]."""
Row = TypeVar("Row")


class Yielding:
    """Calls `do` every so many seconds of the loops that go through `between`; without it, never."""

    def __init__(
        self,
        do: Callable[[], object] | None = None,
        *,
        seconds: float = SECONDS,
        clock: Clock = time.monotonic,
    ) -> None:
        self._do, self._seconds, self._clock = do, seconds, clock
        self._turn = Turn(seconds, clock)

    def between(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows."""
        for row in rows:
            yield row
            if self._do is not None and self._turn.over:
                self._do()
                self._turn = Turn(self._seconds, self._clock)


def rounds_of(provider: Provider, *, clock: Callable[[], datetime]) -> Yielding:
    """Rounds with a platform, whose lock the caller has; `clock` says what time each begins."""
    return Yielding(lambda: round_of(provider=provider, now=clock()))
