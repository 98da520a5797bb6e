"""Problems: what only a person can settle. Each is raised once, however often it is found."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from annotation.transactions import write_transaction
from workflows.crowd.models import Problem, Publication
from workflows.platforms.provider import Provider
from workflows.workers.models import Participation

RECONCILE = "reconcile"
"""The name under which problems that have gone by themselves are closed."""
_STILL = (Problem.Kind.REFUSED, Problem.Kind.UNPAID)
"""Kinds that are opened again whenever something fails again, whoever closed them: otherwise nobody would
know that it still fails. Other kinds are about things that happened once, so closing them settles them."""


def raise_problem(
    *,
    key: str,
    kind: Problem.Kind,
    detail: str,
    now: datetime,
    batch_id: int | None = None,
    publication: Publication | None = None,
    participation: Participation | None = None,
    once: bool = False,
) -> bool:
    """Raise a problem, or open it again, and return whether that changed anything.

    `key` says what the problem is about: the same key is the same problem. A problem that RECONCILE closed is
    opened again. One that a person closed is opened again only if its kind is of _STILL and `once` is False;
    `once` says that the problem was only found again, and did not happen again.
    """
    if participation is not None:
        publication = participation.publication
    if publication is not None:
        batch_id = publication.batch_id
    with write_transaction():
        problem, new = Problem.objects.get_or_create(
            key=key[:200],
            defaults={
                "kind": kind,
                "detail": detail,
                "created_at": now,
                "batch_id": batch_id,
                "publication": publication,
                "participation": participation,
            },
        )
        if new:
            return True
        over = Problem.objects.filter(pk=problem.pk).exclude(closed_at=None)
        if once or kind not in _STILL:
            over = over.filter(closed_by=RECONCILE)
        return bool(over.update(closed_at=None, closed_by="", detail=detail))


def close_problems(*, keys: Iterable[str], now: datetime, by: str = RECONCILE) -> int:
    """Close the problems with these keys, and return how many were open."""
    with write_transaction():
        found = Problem.objects.filter(key__in=[key[:200] for key in keys], closed_at=None)
        return found.update(closed_at=now, closed_by=by[:150])


def is_open(key: str) -> bool:
    """Return whether there is an open problem with this key."""
    return Problem.objects.filter(key=key[:200], closed_at=None).exists()


def funds_key(provider: Provider) -> str:
    """Return the key of the problem that the account is empty."""
    return f"funds:{provider.name}:{provider.environment}"


def say_no_funds(*, provider: Provider, error: str, now: datetime) -> None:
    """Raise the problem that the account cannot pay for what is to be published."""
    raise_problem(
        key=funds_key(provider),
        kind=Problem.Kind.REFUSED,
        detail=f"The account on {provider.name} cannot pay for what is to be published: {error} Put "
        "money into it; it is tried again.",
        now=now,
    )
