"""Our qualifications on a platform: who should have them by the workers' standings, and telling the platform.

What should be is stored as Grant rows first. The platform is told of each changed row by itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from annotation.models import Project, Standing, Worker
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.core.time_slices import Turn
from workflows.crowd.models import Grant, Publication, Qualification
from workflows.platforms.failure_budget import Attempts, rotated
from workflows.platforms.provider import Provider

BLOCKED = ""
"""The stage of the row that stands for blocking. Platforms have a call for it, and no qualification."""

TRUSTED, LOST = Standing.State.TRUSTED, Standing.State.LOST
Kind = Qualification.Kind
_SAYS = {
    Kind.TRUSTED: "So many of your answers about photographs were right that you are offered more.",
    Kind.CLOSED: "You have answered enough questions of this kind.",
}


def asked_for(
    *, provider: Provider, project: Project, settings: BatchSettings, stage: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the platform's ids of our qualifications that workers of a stage must have, and must not have.

    Qualifications that the platform does not have yet are made. A platform that is reached by lists has none.
    """
    if settings.regime[stage] == Regime.OPEN or provider.by_list:
        return (), ()
    trusted = _id(provider, project, Kind.TRUSTED, stage)
    closed = _id(provider, project, Kind.CLOSED, stage)
    return (trusted,) if settings.crowd.only_trusted else (), (closed,)


def _id(provider: Provider, project: Project, kind: Kind, stage: str) -> str:
    """Return the platform's id of a qualification; the platform makes one only if the name is new."""
    row = _row(provider, project, kind, stage)
    if not row.external_id:
        row.external_id = provider.make_qualification(f"{project.name} {stage} {kind}"[:200], _SAYS[kind])
        Qualification.objects.filter(pk=row.pk).update(external_id=row.external_id)
    return row.external_id


def _row(provider: Provider, project: Project, kind: Kind, stage: str) -> Qualification:
    identity: dict[str, Any] = {
        "project": project,
        "provider": provider.name,
        "environment": provider.environment,
        "kind": kind,
        "stage": stage,
    }
    found = Qualification.objects.filter(**identity).first()
    if found is None:
        with write_transaction():
            found, _ = Qualification.objects.get_or_create(**identity)
    return found


def intend_grants(*, provider: Provider) -> int:
    """Store which grants should change, and return how many. The platform is not called."""
    changed = 0
    ours = Publication.objects.filter(provider=provider.name, environment=provider.environment)
    for project in Project.objects.filter(batches__in=ours.values("batch")).distinct():
        for row in Qualification.objects.filter(
            project=project, provider=provider.name, environment=provider.environment
        ).exclude(stage=BLOCKED):
            changed += _intend(row, _deserving(row))
        blocked = Worker.objects.filter(project=project, provider=provider.name, blocked=True)
        wanted = set(blocked.values_list("pk", flat=True))
        known = Qualification.objects.filter(
            project=project, provider=provider.name, environment=provider.environment, stage=BLOCKED
        )
        if wanted or known.exists():
            changed += _intend(_row(provider, project, Kind.CLOSED, BLOCKED), wanted)
    return changed


def _deserving(row: Qualification) -> set[int]:
    states: dict[int, list[str]] = defaultdict(list)
    found = Standing.objects.filter(
        worker__project=row.project_id, worker__provider=row.provider, stage=row.stage
    ).exclude(state=Standing.State.ENTERING)
    for worker, state in found.values_list("worker_id", "state"):
        states[worker].append(state)
    place = 0 if row.kind == Kind.TRUSTED else 1
    return {worker for worker, several in states.items() if deserved(several)[place]}


def deserved(states: Iterable[str]) -> tuple[bool, bool]:
    """Return whether a worker counts as trusted in a stage, and whether they are to be kept out of it.

    `states` are the worker's standings in the stage: one under the regime `trusted`, one for each batch under
    `verification`. A worker who is trusted in any batch is not kept out: a batch that does not trust them
    gives them no page.
    """
    found = set(states)
    return TRUSTED in found, LOST in found and TRUSTED not in found


def _intend(row: Qualification, deserving: set[int]) -> int:
    with write_transaction():
        before = dict(Grant.objects.filter(qualification=row).values_list("worker_id", "wanted"))
        new = [
            Grant(qualification=row, worker_id=pk, wanted=True) for pk in sorted(deserving - before.keys())
        ]
        Grant.objects.bulk_create(new, ignore_conflicts=True)
        other = [pk for pk, wanted in before.items() if wanted != (pk in deserving)]
        for wanted in (True, False):
            several = [pk for pk in other if (pk in deserving) == wanted]
            Grant.objects.filter(qualification=row, worker_id__in=several).update(wanted=wanted, known=False)
    return len(new) + len(other)


def tell_grants(*, provider: Provider, now: datetime, turn: Turn | None = None) -> Attempts:
    """Tell the platform about each grant that it does not know. A refused one holds up no other."""
    attempts = Attempts()
    unknown = Grant.objects.filter(
        known=False,
        qualification__provider=provider.name,
        qualification__environment=provider.environment,
    )
    unknown_grants = unknown.select_related("qualification__project", "worker").order_by("pk")
    for grant in attempts.each(rotated(unknown_grants, now), turn):
        with attempts.one():
            _tell(provider, grant)
            # If what is wanted has changed meanwhile, the platform is told again.
            same = Grant.objects.filter(pk=grant.pk, wanted=grant.wanted)
            attempts.done += same.update(known=True)
    return attempts


def _tell(provider: Provider, grant: Grant) -> None:
    row, worker = grant.qualification, grant.worker.external_id
    if row.stage == BLOCKED:
        if not grant.wanted and _is_blocked_elsewhere(grant):
            return
        reason = "A researcher has ended your work on this project."
        act = provider.block if grant.wanted else provider.unblock
        act(worker, reason=reason if grant.wanted else "A researcher lets you work on this project again.")
        return
    qualification = _id(provider, row.project, Kind(row.kind), row.stage)
    if grant.wanted:
        provider.grant(qualification, worker)
    else:
        provider.revoke(qualification, worker)


def _is_blocked_elsewhere(grant: Grant) -> bool:
    """Return whether another project blocks the worker, too: a platform blocks for all work of an account."""
    worker = grant.worker
    same = Worker.objects.filter(provider=worker.provider, external_id=worker.external_id, blocked=True)
    return same.exclude(pk=worker.pk).exists()
