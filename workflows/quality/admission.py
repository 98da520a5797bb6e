"""Decides who may work, by screening and the qualification test (section 3.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from itertools import islice

from django.db.models import Max, Q, QuerySet

from annotation.models import Batch, Decision, QualificationTry, Worker
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.quality.domain.admission import Part, Situation, Try, passes, situation
from workflows.quality.selectors import batches_at_rest, batches_with_work
from workflows.workers.places import nearby_participations


class Admission(StrEnum):
    """Whether screening and the qualification test let a worker take pages of a stage."""

    ADMITTED = "admitted"
    FIGURES = "figures"  # the platform's figures of the worker are below what the batch asks
    TEST = "test"  # there is a qualification test to pass, or to go on with
    WAITING = "waiting"  # a try failed; the next one is possible later
    CLOSED = "closed"  # no tries are left


_OF_PART = {
    Part.PASSED: Admission.ADMITTED,
    Part.WAITING: Admission.WAITING,
    Part.FAILED: Admission.CLOSED,
}


def admissions(
    *,
    worker_id: int,
    settings: BatchSettings,
    stages: Collection[str],
    now: datetime,
    place: int | None = None,
) -> dict[str, tuple[Admission, datetime | None]]:
    """Return by stage whether the worker may work, and from when they may try again (WAITING only).

    A stage that is open to everybody has neither screening nor a test. An unknown worker is treated like one
    about whom no platform says anything. `place` is explained at `tries_of`. This takes at most three
    queries, and none if every stage is open.
    """
    held = [stage for stage in stages if settings.regime[stage] != Regime.OPEN]
    result: dict[str, tuple[Admission, datetime | None]] = {
        str(stage): (Admission.ADMITTED, None) for stage in stages
    }
    if not held:
        return result
    if not screened(worker_id=worker_id, settings=settings):
        return result | {str(stage): (Admission.FIGURES, None) for stage in held}
    if settings.screening.test:
        found = situations(worker_id=worker_id, settings=settings, stages=held, now=now, place=place)
        for stage, where in found.items():
            result[stage] = (_OF_PART.get(where.part, Admission.TEST), where.until)
    return result


def screened(*, worker_id: int, settings: BatchSettings) -> bool:
    """Return whether the platform's data on the worker reach the batch's thresholds. One query."""
    completed, approval = _figures(worker_id)
    return passes(completed=completed, approval=approval, screening=settings.screening)


def _figures(worker_id: int) -> tuple[int | None, float | None]:
    rows = Worker.objects.filter(pk=worker_id).values_list("completed", "approval")
    return rows.first() or (None, None)


def tries_of(*, worker_id: int, place: int | None) -> QuerySet[QualificationTry]:
    """Return the worker's tries that count.

    `place` is a participation whose worker no platform has confirmed yet, or None. The tries made in such a
    place count there too, and so do those made in other unconfirmed places of this name that were opened
    from the same origin. So a worker who gives a place back, or has two tasks open, goes on where they were.
    For everybody else these tries do not exist.
    """
    tries = QualificationTry.objects.filter(worker_id=worker_id)
    if place is None:
        return tries.filter(place=None)
    nearby = nearby_participations(worker_id=worker_id, place=place)
    return tries.filter(Q(place=None) | Q(place=place) | Q(place__in=nearby.values("pk")))


def situations(
    *,
    worker_id: int,
    settings: BatchSettings,
    stages: Collection[str],
    now: datetime,
    place: int | None = None,
) -> dict[str, Situation]:
    """Return by stage where the worker is in its qualification test.

    This takes one query, or two for a worker who failed a try.
    """
    tries: dict[str, list[Try]] = defaultdict(list)
    rows = tries_of(worker_id=worker_id, place=place).filter(stage__in=stages).order_by("started_at", "pk")
    for stage, state, ended_at in rows.values_list("stage", "state", "ended_at"):
        tries[stage].append(Try(state, ended_at))
    restored: dict[str, datetime] = {}
    if any(one.state == QualificationTry.State.FAILED for of in tries.values() for one in of):
        decided = Decision.objects.filter(worker_id=worker_id, kind=Decision.Kind.RESTORE, stage__in=stages)
        restored = dict(decided.values_list("stage").annotate(Max("created_at")))
    return {
        str(stage): situation(
            tries[stage], screening=settings.screening, now=now, restored=restored.get(stage)
        )
        for stage in stages
    }


def box_iou_of(held: QualificationTry) -> float:
    """Return the IoU that boxes of a try have to reach: that of the batch which asked for the test."""
    settings = BatchSettings() if held.batch is None else settings_of(held.batch)
    return settings.control.box_iou


def settings_of_test(
    *, worker_id: int, stage: str, running: bool = False, batch_id: int | None = None
) -> BatchSettings | None:
    """Return the settings of the batch whose test the worker takes: see `asking_batch`."""
    found = asking_batch(worker_id=worker_id, stage=stage, running=running, batch_id=batch_id)
    return None if found is None else found[1]


def asking_batch(
    *, worker_id: int, stage: str, running: bool = False, batch_id: int | None = None
) -> tuple[Batch, BatchSettings] | None:
    """Return the batch whose test the worker takes, and its settings; None if no batch asks for one.

    At a platform's place this is the batch of that place, `batch_id`. For everybody else it is a batch that
    is on no platform: of several that run, one whose screening lets the worker in, then one with work, then
    the oldest. If none runs, it is the newest that ran, unless it must be `running`. At most five queries.
    """
    open_to: list[tuple[Batch, BatchSettings, frozenset[str]]] = [
        (batch, settings, waiting)
        for batch, waiting in batches_with_work(worker_id=worker_id)
        if _is_for(batch, settings := settings_of(batch), batch_id)
    ]
    if not (open_to or running):
        at_rest = ((one, settings_of(one)) for one in batches_at_rest(worker_id=worker_id))
        mine = ((one, settings) for one, settings in at_rest if _is_for(one, settings, batch_id))
        open_to += [(one, settings, frozenset()) for one, settings in islice(mine, 1)]
    asking = [
        (batch, settings, stage in waiting)
        for batch, settings, waiting in open_to
        if settings.regime.get(stage, Regime.OPEN) != Regime.OPEN and settings.screening.test
    ]
    if not asking:
        return None
    completed, approval = _figures(worker_id)

    def worth(one: tuple[Batch, BatchSettings, bool]) -> tuple[bool, bool]:
        _, settings, waiting = one
        return passes(completed=completed, approval=approval, screening=settings.screening), waiting

    batch, settings, _ = max(asking, key=worth)
    return batch, settings


def _is_for(batch: Batch, settings: BatchSettings, place_of: int | None) -> bool:
    return settings.crowd.provider == DIRECT if place_of is None else batch.pk == place_of
