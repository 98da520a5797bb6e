"""Who may work where: screening on the platform's figures, then the qualification test (section 3.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from enum import StrEnum

from django.db.models import Max, Q, QuerySet

from annotation.models import Decision, QualificationTry, Worker
from workflows.domain.control import Regime
from workflows.domain.policy import BatchSettings
from workflows.domain.qualification import Part, Situation, Try, situation
from workflows.domain.screening import passes
from workflows.selectors import batch_at_rest, batches_with_work
from workflows.services.batches import settings_of


class Admission(StrEnum):
    """Whether a worker may take pages of a stage, as far as screening and the test say."""

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
    """By stage: whether the worker may work, and from when they may try again (WAITING only).

    A stage where everybody's judgments count has neither screening nor a test. At most three queries; none
    where every stage is open. An unknown worker is one of whom no platform says anything. `place`: see
    `tries_of`.
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
    """Whether the platform's figures of the worker reach the batch's thresholds. One query."""
    completed, approval = _figures(worker_id)
    return passes(completed=completed, approval=approval, screening=settings.screening)


def _figures(worker_id: int) -> tuple[int | None, float | None]:
    rows = Worker.objects.filter(pk=worker_id).values_list("completed", "approval")
    return rows.first() or (None, None)


def tries_of(*, worker_id: int, place: int | None) -> QuerySet[QualificationTry]:
    """The worker's tries that count.

    In a `place`, a participation whose worker no platform has confirmed, also those that were made there:
    for anybody else these do not exist.
    """
    tries = QualificationTry.objects.filter(worker_id=worker_id)
    if place is None:
        return tries.filter(place=None)
    return tries.filter(Q(place=None) | Q(place=place))


def situations(
    *,
    worker_id: int,
    settings: BatchSettings,
    stages: Collection[str],
    now: datetime,
    place: int | None = None,
) -> dict[str, Situation]:
    """By stage: where the worker is in its qualification test. One query, two for who failed a try."""
    tries: dict[str, list[Try]] = defaultdict(list)
    rows = tries_of(worker_id=worker_id, place=place).filter(stage__in=stages).order_by("number", "pk")
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


def terms_of(*, worker_id: int, stage: str, running: bool = False) -> BatchSettings | None:
    """The settings that the worker's test of the stage goes by; None where no batch asks for one.

    Of several running batches it is one whose screening lets the worker in, then one with work, then the
    oldest. Where none runs it is the newest that did, unless it has to be `running`. At most four queries.
    """
    asking = []
    batches = batches_with_work(worker_id=worker_id)
    if not (batches or running) and (resting := batch_at_rest(worker_id=worker_id)) is not None:
        batches = [(resting, frozenset())]
    for batch, waiting in batches:
        settings = settings_of(batch)
        if settings.regime[stage] != Regime.OPEN and settings.screening.test:
            asking.append((settings, stage in waiting))
    if not asking:
        return None
    completed, approval = _figures(worker_id)

    def worth(one: tuple[BatchSettings, bool]) -> tuple[bool, bool]:
        settings, waiting = one
        return passes(completed=completed, approval=approval, screening=settings.screening), waiting

    return max(asking, key=worth)[0]
