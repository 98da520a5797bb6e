"""Problems: what nobody but a person can settle, said once however often it is found."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from annotation.transactions import write_transaction
from workflows.crowd.models import Problem, Publication
from workflows.workers.models import Participation

RECONCILE = "reconcile"
"""Who closes a problem that is gone."""
_STILL = (Problem.Kind.REFUSED, Problem.Kind.UNPAID)
"""What is said whenever it fails again, whoever closed it: else nobody would know that it goes on failing.
The others are things that happened, which a person who closes them has dealt with."""


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
    """Say it; False where it is open, or a person closed what happened once. One that had gone is opened
    again, and what fails again; not that, with `once`, where it is only found again."""
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
    """Say that these are settled; returns how many were open."""
    with write_transaction():
        found = Problem.objects.filter(key__in=[key[:200] for key in keys], closed_at=None)
        return found.update(closed_at=now, closed_by=by[:150])


def is_open(key: str) -> bool:
    return Problem.objects.filter(key=key[:200], closed_at=None).exists()
