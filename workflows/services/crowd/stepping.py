"""One round with a platform: everything that is due there, in an order in which each part may be missing."""

from __future__ import annotations

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
    failed: int = 0  # calls the platform did not do now: the next round asks again

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

    def done(attempts: Attempts) -> int:
        stepped.failed += attempts.failed
        return attempts.done

    stepped.hints = done(notice(provider=provider, now=now))
    stepped.submissions = done(collect(provider=provider, now=now, patient=patient))
    stepped.paid = done(pay(provider=provider, now=now))
    stepped.top_ups = owe_top_ups(provider=provider, now=now)
    if stepped.top_ups:
        stepped.paid += done(pay(provider=provider, now=now))
    end_surplus(provider=provider, now=now)
    stepped.closed = done(close(provider=provider, now=now))
    intend(provider=provider)
    stepped.grants = done(tell(provider=provider))
    stepped.planned = plan(provider=provider, now=now)
    stepped.published = done(publish(provider=provider, now=now))
    forget_notices(now=now)
    forget_calls(now=now)
    return stepped
