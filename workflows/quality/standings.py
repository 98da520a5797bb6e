"""Keeps workers' standings: rows that are computed again from the judgments when one could change them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import Max

from annotation.domain.answers import DRAWS_BOXES
from annotation.models import (
    Assignment,
    Batch,
    Case,
    Decision,
    Judgment,
    QualificationTry,
    Standing,
    Worker,
)
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.selectors import settings_of
from workflows.cases.review_queue import close_cases
from workflows.quality.domain.trust import Loss, Record
from workflows.quality.evidence import record_of
from workflows.quality.lost_trust import report_loss
from workflows.workers.enrolment import lock_worker

WORKERS_AT_ONCE = 100


def assess_standing(*, worker_id: int, stage: str, batch: Batch, now: datetime) -> tuple[Standing, str]:
    """Recompute the worker's standing for work of this batch; return it, and the state it had before.

    The stage must not be open to everybody. Call this inside a transaction that holds the worker's row, so
    that no answer is missed or counted twice.
    """
    trusted = settings_of(batch).regime[stage] == Regime.TRUSTED
    standing, _ = Standing.objects.select_for_update(no_key=True).get_or_create(
        worker_id=worker_id,
        stage=stage,
        batch=None if trusted else batch,
        defaults={"changed_at": now},
    )
    before = standing.state
    loss = _recompute(standing, batch.project_id, now)
    if loss is not None and before == Standing.State.LOST:
        # The page was in hand when trust was lost: it may have to be set aside like the pages before it.
        report_loss(standing=standing, loss=loss, batch=batch, now=now)
    return standing, before


def mark_stale(*, worker_ids: Collection[int], stages: Collection[str] = DRAWS_BOXES) -> None:
    """Mark the standings of these workers to be recomputed, inside the transaction that gives the reason.

    The reason is that boxes of theirs were judged, or that a question of a stage was found to be wrong, so
    that their answers to it no longer count. Rows that are stale already are locked as well, since somebody
    who is recomputing one right now does not see this change.
    """
    if not worker_ids:
        return
    standings = Standing.objects.filter(worker_id__in=worker_ids, stage__in=stages)
    locked = list(standings.order_by("pk").select_for_update(no_key=True).values_list("pk", "stale"))
    if fresh := [pk for pk, stale in locked if not stale]:
        Standing.objects.filter(pk__in=fresh).update(stale=True)


def refresh_standings(*, worker_id: int, now: datetime) -> None:
    """Recompute the stale standings of one worker, inside a transaction that holds the worker's row."""
    stale = Standing.objects.filter(worker_id=worker_id, stale=True).order_by("pk")
    if found := list(stale.select_for_update(no_key=True)):
        project_id = Worker.objects.values_list("project_id", flat=True).get(pk=worker_id)
        for standing in found:
            _recompute(standing, project_id, now)


def reassess_stale(*, now: datetime) -> int:
    """Recompute every stale standing, in one transaction a worker; return how many workers that were."""
    total = 0
    stale = Standing.objects.filter(stale=True).order_by("worker_id").values_list("worker_id", flat=True)
    while workers := list(stale.distinct()[:WORKERS_AT_ONCE]):
        for worker_id in workers:
            with write_transaction():
                lock_worker(worker_id, may_be_blocked=True)
                refresh_standings(worker_id=worker_id, now=now)
        total += len(workers)
    return total


def begin_anew(*, worker_id: int, stage: str, now: datetime) -> int:
    """Let a worker enter the stage again if they were trusted there, or had begun; return how many standings.

    What they answered before counts neither for nor against them: it was not earned by themselves. Trust that
    was lost stays lost, and pages that are judged in each batch are judged as before. Call this inside a
    transaction that holds the worker's row.
    """
    standings = Standing.objects.filter(worker_id=worker_id, stage=stage, batch=None)
    kept = list(standings.exclude(state=Standing.State.LOST).select_for_update(no_key=True))
    newest = Judgment.objects.filter(worker_id=worker_id).aggregate(newest=Max("pk"))["newest"] or 0
    for standing in kept:
        standing.counted_from = newest
        _write(standing, Record(), now)
    return len(kept)


class RestoreError(Exception):
    """The worker lost nothing that could be restored. The message says so."""


def restore_worker(*, worker_id: int, stage: str, by: str, note: str, now: datetime) -> Decision:
    """Let a worker who lost a stage begin it anew: earlier answers count neither for nor against them.

    Their judgments are not touched. Pages that wait to be judged where trust was lost are accepted as they
    are. The decision also gives back the tries at the qualification test, and closes the case about the loss.
    Trust that was not lost stays as it is.

    Raise RestoreError if the worker neither lost trust nor failed the test, and WorkerBlockedError for an
    unknown worker.
    """
    with write_transaction():
        project_id = lock_worker(worker_id, may_be_blocked=True)
        standings = Standing.objects.filter(worker_id=worker_id, stage=stage, state=Standing.State.LOST)
        lost = list(standings.order_by("pk").select_for_update(no_key=True))
        if not (lost or _failed_the_test(worker_id, stage)):
            raise RestoreError(
                f"There is nothing to restore in {stage}: the worker has neither lost trust there nor failed "
                "its test since they were last restored."
            )
        newest = Judgment.objects.filter(worker_id=worker_id).aggregate(newest=Max("pk"))["newest"] or 0
        pages = Assignment.objects.filter(
            worker_id=worker_id,
            stage=stage,
            batch__in=[standing.batch_id for standing in lost if standing.batch_id],
            verdict=Assignment.Verdict.PENDING,
        )
        pages.update(verdict=Assignment.Verdict.ACCEPTED)
        for standing in lost:
            standing.counted_from = newest
            _write(standing, Record(), now)
        decision = Decision.objects.create(
            project_id=project_id,
            kind=Decision.Kind.RESTORE,
            by=by,
            note=note,
            content={"counted_from": newest},
            worker_id=worker_id,
            stage=stage,
            created_at=now,
        )
        about = Case.objects.filter(reason=Case.Reason.TRUST, worker=worker_id, stage=stage, closed_at=None)
        close_cases(cases=list(about.values_list("pk", flat=True)), by=by, now=now, decision=decision)
    return decision


def _failed_the_test(worker_id: int, stage: str) -> bool:
    """Return whether the worker's last try failed and was not given back since."""
    tries = QualificationTry.objects.filter(worker_id=worker_id, stage=stage, place=None)
    last = tries.order_by("-number").first()
    if last is None or last.state != QualificationTry.State.FAILED:
        return False
    since = Decision.objects.filter(
        worker_id=worker_id, stage=stage, kind=Decision.Kind.RESTORE, created_at__gte=last.ended_at
    )
    return not since.exists()


def _recompute(standing: Standing, project_id: int, now: datetime) -> Loss | None:
    """Compute the standing from what counts now; return the score at which trust was lost, if it is lost.

    Trust that was lost by mistake comes back: boxes may be judged again, and questions found to be wrong.
    """
    before = standing.state
    record, last = record_of(standing, project_id)
    _write(standing, record, now)
    if last is not None and record.loss is not None and before != Standing.State.LOST:
        # The settings of the batch whose answer came last say what follows.
        report_loss(standing=standing, loss=record.loss, batch=Batch.objects.get(pk=last), now=now)
    return record.loss


def _write(standing: Standing, record: Record, now: datetime) -> None:
    if record.state != standing.state:
        standing.changed_at = now
    standing.state = str(record.state)
    standing.asked, standing.right = record.asked, record.right
    standing.recent_asked, standing.recent_right = len(record.recent), sum(record.recent)
    standing.stale = False
    standing.save()
