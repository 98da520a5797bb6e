"""One round with a platform: everything that is due there, in an order in which each part may be missing."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime

from workflows.core.locks import alone
from workflows.core.time_slices import Clock, Turn
from workflows.crowd.base import Provider
from workflows.crowd.calling import forget_calls
from workflows.services.crowd.attempting import Attempts
from workflows.services.crowd.balances import begin_balance
from workflows.services.crowd.collecting import collect
from workflows.services.crowd.granting import intend, tell
from workflows.services.crowd.noticing import forget_notices, notice
from workflows.services.crowd.paying import owe_top_ups, pay
from workflows.services.crowd.planning import plan
from workflows.services.crowd.publishing import close, end_surplus, publish

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
    with alone(lock_name(provider)) as free:
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
