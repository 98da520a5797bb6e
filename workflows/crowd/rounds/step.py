"""Rounds with a platform: a round does everything that is due there.

Each of its parts may fail without stopping the others. Long tasks let rounds go on in between.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypeVar

from workflows.core.locks import LockLostError, try_lock
from workflows.core.time_slices import Clock, Turn
from workflows.crowd.payments.pay import owe_test_bonuses, owe_top_ups, pay
from workflows.crowd.publications.grants import intend_grants, tell_grants
from workflows.crowd.publications.plan import plan_publications
from workflows.crowd.publications.publish import close_marked, end_surplus, publish
from workflows.crowd.rounds.balances import begin_balance
from workflows.crowd.rounds.collect import collect
from workflows.crowd.rounds.lost_answers import say_lost_answers
from workflows.crowd.rounds.notices import forget_notices, take_hints
from workflows.platforms.calls import forget_calls
from workflows.platforms.failure_budget import Attempts
from workflows.platforms.provider import Provider

LOOKING = PAYING = PUBLISHING = 9.0
CLOSING = TELLING = 3.0
"""Seconds that these parts have in a round [ours]. Together they take hardly more than lies between two
rounds, so that none waits long for another. At five calls a second, they are 45 or 15 calls. A part leaves
the time it does not need to those after it: for a cancelled batch there is little to do but to close."""
BETWEEN_ROUNDS = 20.0
"""Seconds that a long task goes on before a round has its turn: less than lies between two rounds [ours]."""
Row = TypeVar("Row")
logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Stepped:
    """What a round did, in numbers."""

    busy: bool = False  # another process is at it, so nothing was done
    hints: int = 0
    planned: int = 0
    published: int = 0
    submissions: int = 0
    paid: int = 0
    top_ups: int = 0
    grants: int = 0
    closed: int = 0
    failed: int = 0  # calls that failed, or faults of ours; the next round tries again
    put_off: int = 0  # parts whose time was over; the next round goes on

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
    """Return the name of the lock that lets only one process at a time work with a platform."""
    return f"crowd-{provider.name}-{provider.environment}"


def step(*, provider: Provider, now: datetime, patient: bool = True) -> Stepped:
    """Do one round, unless another process is at it: what is due, within the time that each part has.

    If `patient` is False, look at every publication, whether or not it is its turn, and take as long as that
    needs. A round may be stopped anywhere and run again. It raises no ProviderError: failures are counted,
    and the next round tries again.
    """
    with try_lock(lock_name(provider)) as free:
        if not free:
            return Stepped(busy=True)
        try:
            return round_of(provider=provider, now=now, patient=patient)
        except LockLostError as error:
            logger.warning("%s: the round ends: %s", provider.name, error)
            return Stepped(failed=1)


def round_of(
    *, provider: Provider, now: datetime, patient: bool = True, clock: Clock = time.monotonic
) -> Stepped:
    """Do one round like `step`, without the lock: the rows' own guards keep things from being done twice."""
    stepped = Stepped()
    # A bug that stops one part in every round must not keep the other parts from being done.
    parts = Attempts()
    left = 0.0  # seconds that earlier parts did not need

    def done(do: Callable[[], Attempts | int | None]) -> int:
        """Run a part, whatever it raises, and return what it has done."""
        with parts.one():
            found = do()
            if isinstance(found, Attempts):
                stepped.failed += found.failed
                return found.done
            return found or 0
        return 0

    def timed(seconds: float, do: Callable[[Turn], Attempts]) -> int:
        """Run a part that has so many seconds and those that are left, and return what it has done."""
        nonlocal left
        begun, has = clock(), seconds + left
        turn = Turn(has if patient else None, clock)
        made = done(lambda: do(turn))
        left = max(0.0, has - (clock() - begun))
        stepped.put_off += turn.cut
        return made

    done(lambda: begin_balance(provider=provider, now=now))
    stepped.hints = done(lambda: take_hints(provider=provider, now=now))
    stepped.submissions = timed(
        LOOKING, lambda turn: collect(provider=provider, now=now, patient=patient, turn=turn)
    )
    if provider.by_list:  # nobody compares it with what is here
        done(lambda: say_lost_answers(provider=provider, now=now))
    # Top-ups are owed before the payments, so that this round pays them, too.
    stepped.top_ups = done(lambda: owe_top_ups(provider=provider, now=now))
    done(lambda: owe_test_bonuses(provider=provider, now=now))
    stepped.paid = timed(PAYING, lambda turn: pay(provider=provider, now=now, turn=turn))
    done(lambda: end_surplus(provider=provider, now=now))
    stepped.closed = timed(CLOSING, lambda turn: close_marked(provider=provider, now=now, turn=turn))
    done(lambda: intend_grants(provider=provider))
    stepped.grants = timed(TELLING, lambda turn: tell_grants(provider=provider, now=now, turn=turn))
    stepped.planned = done(lambda: plan_publications(provider=provider, now=now))
    stepped.published = timed(PUBLISHING, lambda turn: publish(provider=provider, now=now, turn=turn))
    done(lambda: forget_notices(now=now))
    done(lambda: forget_calls(now=now))
    stepped.failed += parts.failed
    return stepped


class Interleaver:
    """Something that is done in between: loops through `between` call `do` every `seconds` seconds.

    Without `do`, nothing is called.
    """

    def __init__(
        self,
        do: Callable[[], object] | None = None,
        *,
        seconds: float = BETWEEN_ROUNDS,
        clock: Clock = time.monotonic,
    ) -> None:
        self._do, self._seconds, self._clock = do, seconds, clock
        self._turn = Turn(seconds, clock)

    def between(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield the rows, and call `do` after a row when its time has come."""
        for row in rows:
            yield row
            if self._do is not None and self._turn.over:
                self._do()
                self._turn = Turn(self._seconds, self._clock)


def rounds_of(provider: Provider, *, clock: Callable[[], datetime]) -> Interleaver:
    """Return loops that do rounds with a platform in between.

    The caller has the platform's lock; `clock` says at what time each round begins.
    """
    return Interleaver(lambda: round_of(provider=provider, now=clock()))
