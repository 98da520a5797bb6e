"""Rules on subscriptions to Prolific's events: which lead to us, and which to drop or make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from workflows.platforms.prolific.domain.events import About

KINDS = tuple(kind.value for kind in About)
"""The types of events to which we subscribe."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A subscription on Prolific."""

    id: str
    kind: str  # the type of event
    url: str
    enabled: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do so that each type of event has one subscription that works."""

    keep: tuple[Subscription, ...]
    drop: tuple[Subscription, ...]
    make: tuple[str, ...]  # types of events

    @property
    def is_done(self) -> bool:
        """Whether there is nothing to do."""
        return not self.drop and not self.make


def ours(there: Iterable[Subscription], url: str) -> tuple[Subscription, ...]:
    """Return the subscriptions that lead to `url`, ordered by id."""
    return tuple(sorted((one for one in there if _same(one.url, url)), key=lambda one: one.id))


def plan(there: Iterable[Subscription], url: str) -> Plan:
    """Plan one enabled subscription for each type of event, and no other that leads to `url`.

    A subscription that is not enabled was never confirmed, or Prolific gave it up. It is made anew, since
    Prolific tells the secret that confirms it only when it is made.
    """
    known = ours(there, url)
    kept: dict[str, Subscription] = {}
    for one in known:
        if one.enabled and one.kind in KINDS:
            kept.setdefault(one.kind, one)
    keep = tuple(kept.values())
    return Plan(
        keep=keep,
        drop=tuple(one for one in known if one not in keep),
        make=tuple(kind for kind in KINDS if kind not in kept),
    )


def _same(one: str, other: str) -> bool:
    return one.rstrip("/") == other.rstrip("/")
