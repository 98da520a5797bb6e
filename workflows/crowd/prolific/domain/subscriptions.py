"""Which of Prolific's subscriptions to events are ours, and what is to be done about them. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from workflows.crowd.prolific.domain.events import About

KINDS = tuple(kind.value for kind in About)
"""The types of events that we take."""


@dataclass(frozen=True, slots=True)
class Subscription:
    id: str
    kind: str  # the type of event
    url: str
    enabled: bool


@dataclass(frozen=True, slots=True)
class Plan:
    keep: tuple[Subscription, ...]
    drop: tuple[Subscription, ...]
    make: tuple[str, ...]  # kinds

    @property
    def is_done(self) -> bool:
        return not self.drop and not self.make


def ours(there: Iterable[Subscription], url: str) -> tuple[Subscription, ...]:
    """Those that lead to us, by id."""
    return tuple(sorted((one for one in there if _same(one.url, url)), key=lambda one: one.id))


def plan(there: Iterable[Subscription], url: str) -> Plan:
    """One subscription that works for each kind of event, and none else that leads to us.

    One that is not enabled was never confirmed, or Prolific gave it up: what confirms it is told only when
    it is made, so it is made anew.
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
