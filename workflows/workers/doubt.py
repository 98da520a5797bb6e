"""Find the workers whose judgments support nobody else's, because they are in doubt themselves."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from annotation.models import Decision, Standing, Worker


@dataclass(frozen=True, slots=True)
class Scope:
    """Which judgments of a worker and stage the last decision looked at that set some of them aside."""

    unsupported_only: bool
    batches: tuple[int, ...] | None  # None: all
    after: int  # judgments up to this id were left alone


@dataclass(frozen=True, slots=True)
class Doubt:
    """Workers who are not in good standing. Their judgments may count, but they support nobody else's."""

    workers: frozenset[int] = frozenset()  # in every stage
    in_stage: frozenset[tuple[int, str]] = frozenset()  # (worker, stage)
    set_aside: Mapping[tuple[int, str], Scope] = field(default_factory=dict)
    """Of these, the ones of whose judgments some are set aside."""

    def includes(self, worker: int, stage: str) -> bool:
        """Return whether the worker's judgments of this stage support nobody."""
        return worker in self.workers or (worker, stage) in self.in_stage

    def and_in(self, stages: Collection[tuple[int, str]]) -> Doubt:
        """Return the same doubt, and doubt about these workers in these stages."""
        return replace(self, in_stage=self.in_stage | frozenset(stages))


def doubt_in(project_id: int) -> Doubt:
    """Return the workers of the project who are not in good standing. Three queries.

    A worker is not in good standing in any stage if blocked, and in a stage if trust was lost there or if a
    decision set judgments of the worker aside there and was not undone. A worker who was restored in a stage
    since then is in good standing again.
    """
    blocked = Worker.objects.filter(project=project_id, blocked=True).values_list("pk", flat=True)
    lost = Standing.objects.filter(worker__project=project_id, state=Standing.State.LOST)
    aside = _set_aside(project_id)
    return Doubt(
        workers=frozenset(blocked),
        in_stage=frozenset(lost.values_list("worker_id", "stage")) | frozenset(aside),
        set_aside=aside,
    )


def _set_aside(project_id: int) -> dict[tuple[int, str], Scope]:
    """Return the workers and stages of whose judgments some are set aside since they were last restored."""
    Kind = Decision.Kind
    kinds = (Kind.SET_ASIDE, Kind.REINSTATE, Kind.RESTORE)
    rows = Decision.objects.filter(project=project_id, kind__in=kinds, worker__isnull=False).order_by("pk")
    found: dict[int, tuple[tuple[int, str], Scope]] = {}
    # Not the whole content, which has the ids of all judgments that were set aside.
    content = ("content__decision", "content__unsupported_only", "content__within", "content__after")
    columns = ("pk", "kind", "worker_id", "stage", "batch_id", *content)
    for pk, kind, worker, stage, batch, undone, unsupported_only, within, after in rows.values_list(*columns):
        if kind == Kind.SET_ASIDE:
            batches = (batch,) if batch is not None else tuple(within) if within is not None else None
            found[pk] = (worker, stage), Scope(bool(unsupported_only), batches, after or 0)
        elif kind == Kind.REINSTATE:
            found.pop(undone, None)
        else:
            found = {one: pair for one, pair in found.items() if pair[0] != (worker, stage)}
    return dict(found.values())
