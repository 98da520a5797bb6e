"""Problems: what nobody but a person can settle, said once however often it is found."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from annotation.transactions import write_transaction
from workflows.models import Participation, Problem, Publication

RECONCILE = "reconcile"
"""Who closes a problem that is gone."""


def raise_problem(
    *,
    key: str,
    kind: Problem.Kind,
    detail: str,
    now: datetime,
    batch_id: int | None = None,
    publication: Publication | None = None,
    participation: Participation | None = None,
) -> bool:
    """Say it; False where it was said before, or a person closed it. One that had gone is opened again."""
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
        gone = Problem.objects.filter(pk=problem.pk, closed_by=RECONCILE)
        return bool(gone.update(closed_at=None, closed_by="", detail=detail))


def close_problems(*, keys: Iterable[str], now: datetime, by: str = RECONCILE) -> int:
    """Say that these are settled; returns how many were open."""
    with write_transaction():
        found = Problem.objects.filter(key__in=[key[:200] for key in keys], closed_at=None)
        return found.update(closed_at=now, closed_by=by[:150])


def is_open(key: str) -> bool:
    return Problem.objects.filter(key=key[:200], closed_at=None).exists()
