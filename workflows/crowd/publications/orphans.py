"""Orphans: publications on a platform that bear our mark and are not known here.

They are reported as problems, and closed only if a person says so: accounts are shared and databases copied,
so an orphan may belong to another installation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from workflows.crowd.errors import VerbError
from workflows.crowd.models import Problem
from workflows.platforms.provider import Life, Provider, Published, Stand, Submitted


class Found(TypedDict):
    """The arguments of a problem that do not depend on when it is found."""

    key: str
    kind: Problem.Kind
    detail: str


def is_orphan(provider: Provider, one: Published) -> bool:
    """Return whether an unknown publication is not over yet.

    Somebody can take a place, is at work on it, or waits for their pay. Raises ProviderError.
    """
    return one.life == Life.OPEN or is_unsettled(provider, one, provider.submissions(one.external_id))


def is_unsettled(provider: Provider, one: Published, submissions: Iterable[Submitted]) -> bool:
    """Return whether somebody is at work on it, or waits for their pay. Raises ProviderError.

    `submissions` are the submissions that the platform tells of.
    """
    if any(each.stand == Stand.SUBMITTED for each in submissions):
        return True
    # A list may count everybody who took a place as at work, so the publication itself is looked at.
    published = provider.look(one.external_id) if one.working else None
    return published is not None and bool(published.working)


def orphan(provider: Provider, one: Published) -> Found:
    """Return the problem that reports an orphan."""
    return Found(
        key=_key(provider, one.external_id),
        kind=Problem.Kind.ORPHAN,
        detail=f"{one.external_id} is on the platform under our mark ({one.token}), and not here: it is "
        "another installation's, or newer than the backup that was restored. It is left as it is. If it is "
        f"nobody's, close it (`manage.py crowd expire --provider {provider.name} --of {one.external_id}`) "
        "and approve there what was submitted.",
    )


def expire_orphan(*, provider: Provider, external_id: str) -> None:
    """Close an orphan on the platform; whoever is at work can still submit.

    Raises VerbError if no comparison has reported this id as an orphan, and ProviderError.
    """
    said = Problem.objects.filter(key=_key(provider, external_id), kind=Problem.Kind.ORPHAN)
    if not external_id or not said.exists():
        raise VerbError(
            f"{external_id}: there is no publication of this id here, and `crowd reconcile` found none of it "
            "on the platform; `crowd status` lists them."
        )
    provider.expire(external_id)


def _key(provider: Provider, external_id: str) -> str:
    return f"orphan:{provider.name}:{provider.environment}:{external_id}"[:200]
