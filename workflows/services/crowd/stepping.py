"""One round with a platform: everything that is due there, in an order in which each part may be missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime

from workflows.crowd.base import Provider
from workflows.crowd.calling import forget_calls
from workflows.services.alone import alone
from workflows.services.crowd.attempting import Attempts
from workflows.services.crowd.collecting import collect
from workflows.services.crowd.granting import intend, tell
from workflows.services.crowd.noticing import forget_notices, notice
from workflows.services.crowd.paying import owe_top_ups, pay
from workflows.services.crowd.planning import plan
from workflows.services.crowd.publishing import close, end_surplus, publish


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
    """Do what is due; with `patient` False, ask for every publication whether or not it is its turn.

    Safe to break off anywhere and to run twice. Raises nothing of the platform's: what it does not do now is
    counted, and asked for again.
    """
    with alone(lock_name(provider)) as free:
        if not free:
            return Stepped(busy=True)
        return round_of(provider=provider, now=now, patient=patient)


def round_of(*, provider: Provider, now: datetime, patient: bool = True) -> Stepped:
    """The same without the lock: the rows' own guards keep two of these from doing anything twice."""
    stepped = Stepped()
    # A fault of ours in one part, in every round, must not keep the others from being done.
    parts = Attempts()

    def done(do: Callable[[], Attempts | int | None]) -> int:
        with parts.one():
            found = do()
            if isinstance(found, Attempts):
                stepped.failed += found.failed
                return found.done
            return found or 0
        return 0

    stepped.hints = done(lambda: notice(provider=provider, now=now))
    stepped.submissions = done(lambda: collect(provider=provider, now=now, patient=patient))
    stepped.paid = done(lambda: pay(provider=provider, now=now))
    stepped.top_ups = done(lambda: owe_top_ups(provider=provider, now=now))
    if stepped.top_ups:
        stepped.paid += done(lambda: pay(provider=provider, now=now))
    done(lambda: end_surplus(provider=provider, now=now))
    stepped.closed = done(lambda: close(provider=provider, now=now))
    done(lambda: intend(provider=provider))
    stepped.grants = done(lambda: tell(provider=provider))
    stepped.planned = done(lambda: plan(provider=provider, now=now))
    stepped.published = done(lambda: publish(provider=provider, now=now))
    done(lambda: forget_notices(now=now))
    done(lambda: forget_calls(now=now))
    stepped.failed += parts.failed
    return stepped
