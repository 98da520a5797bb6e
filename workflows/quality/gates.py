"""Says which stages of a batch are open to a worker, by screening, the qualification test and trust."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from annotation.models import Assignment, Standing
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.quality.admission import Admission, admissions
from workflows.quality.domain.page_limits import Enough, enough
from workflows.quality.domain.stage_access import Access
from workflows.quality.domain.trust import is_enough
from workflows.quality.evidence import terms_of
from workflows.quality.selectors import batch_at_rest

_OF: Mapping[Admission, Access] = {
    Admission.ADMITTED: Access.OPEN,
    Admission.TEST: Access.TEST,
    Admission.WAITING: Access.WAITING,
    Admission.CLOSED: Access.CLOSED,
    Admission.FIGURES: Access.FIGURES,
}

Standings = Mapping[tuple[str, int | None], Standing]
"""A worker's standings by stage and batch. The batch is None for a standing in the whole project."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether a stage is open to a worker, and if not, why. `until` is when a wait is over."""

    standing: Access
    until: datetime | None = None
    answered: int = 0  # verification questions, of those that count for this stage of the batch

    @property
    def is_open(self) -> bool:
        return self.standing == Access.OPEN

    def retry_in(self, now: datetime) -> float | None:
        """Return the seconds until the wait is over, or None if the worker does not wait."""
        return None if self.until is None else max(0.0, (self.until - now).total_seconds())


def standings_of(worker_id: int) -> Standings:
    """Return all standings of the worker. One query."""
    return {(row.stage, row.batch_id): row for row in Standing.objects.filter(worker_id=worker_id)}


def _standing_in(rows: Standings, *, batch_id: int, settings: BatchSettings, stage: str) -> Standing | None:
    """Return the standing that counts for this stage of the batch.

    Return None if the worker has no answers yet, or if the stage is open to everybody.
    """
    match settings.regime[stage]:
        case Regime.TRUSTED:
            return rows.get((stage, None))
        case Regime.VERIFICATION:
            return rows.get((stage, batch_id))
    return None


def gates(
    *,
    worker_id: int,
    batch_id: int,
    settings: BatchSettings,
    stages: Collection[str],
    rows: Standings,
    now: datetime,
    place: int | None = None,
    limited: bool = True,
) -> dict[str, Gate]:
    """Return by stage whether the worker may take pages of it.

    Stages that the batch's protocol does not have are left out. This takes at most five queries, and none if
    all stages are open to everybody for any number of pages. `place` is explained at `admission.tries_of`.
    Unless `limited`, the worker may have more pages than the batch gives one person: a place that was begun
    on a platform is gone on with.
    """
    result = {}
    full = _full(worker_id, batch_id, settings, now) if limited else None
    stages = [stage for stage in stages if stage in settings.regime]
    admitted = admissions(worker_id=worker_id, settings=settings, stages=stages, now=now, place=place)
    for stage, (admission, until) in admitted.items():
        row = _standing_in(rows, batch_id=batch_id, settings=settings, stage=stage)
        if admission == Admission.ADMITTED and row is not None and not _trusts(row, settings):
            result[stage] = Gate(Access.CLOSED)
        elif admission == Admission.ADMITTED and full is not None:
            result[stage] = Gate(Access.ENOUGH, full.until)
        else:
            result[stage] = Gate(_OF[admission], until, answered=row.asked if row else 0)
    return result


def _full(worker_id: int, batch_id: int, settings: BatchSettings, now: datetime) -> Enough | None:
    """Return whether the worker has the most pages that the batch gives one person. At most two queries.

    Pages of a name that no platform has confirmed do not count: anybody may take them under it.
    """
    a_day, most = settings.crowd.pages_a_day, settings.crowd.pages_a_worker
    if a_day is None and most is None:
        return None
    states = (Assignment.State.LIVE, Assignment.State.SUBMITTED)
    had = Assignment.objects.filter(worker_id=worker_id, batch_id=batch_id, confirmed=True, state__in=states)
    newest = had.order_by("-created_at").values_list("created_at", flat=True)
    return enough(
        pages=0 if most is None else had.count(),
        most=most,
        full_since=None if a_day is None else next(iter(newest[a_day - 1 : a_day]), None),
        now=now,
    )


def gates_at_rest(*, worker_id: int, stages: Collection[str], now: datetime) -> dict[str, Gate]:
    """Return the gates of the newest batch of the project that ran, for use while no batch runs.

    A worker who lost trust is told so even then. Return {} if no batch ever ran. This takes at most three
    queries more than `gates`.
    """
    if (batch := batch_at_rest(worker_id=worker_id)) is None:
        return {}
    return gates(
        worker_id=worker_id,
        batch_id=batch.pk,
        settings=settings_of(batch),
        stages=stages,
        rows=standings_of(worker_id),
        now=now,
    )


def _trusts(row: Standing, settings: BatchSettings) -> bool:
    """Return whether a worker of this standing may work in the batch of these settings.

    Each batch decides that, since one may ask for more than another: a higher minimum, or a longer entrance,
    of which the rest is then answered there. A worker who is still in a longer entrance elsewhere may have
    answered enough for this batch.
    """
    if row.state == Standing.State.LOST:
        return False
    if settings.regime[row.stage] != Regime.TRUSTED or row.asked < settings.control.entrance:
        return True
    terms = terms_of(settings, row.stage)
    return is_enough(row.right, row.asked, terms) and is_enough(row.recent_right, row.recent_asked, terms)


def best_gate(found: Iterable[Gate]) -> Gate:
    """Return the gate with the best news. One that is open is enough; without any gate the way is open."""
    order = list(Access)
    return min(found, key=lambda gate: order.index(gate.standing), default=Gate(Access.OPEN))
