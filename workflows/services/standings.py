"""How workers stand: kept as rows, recomputed from the judgments whenever one of them could change it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Max

from annotation.domain.answers import Stage
from annotation.models import Batch, Box, Case, Decision, Judgment, Standing, Worker
from annotation.transactions import write_transaction
from workflows.domain.control import OnLoss, Regime
from workflows.domain.policy import BatchSettings
from workflows.domain.retirement import VOID
from workflows.domain.trust import Outcome, Record, Terms, Trust, fold, fold_sets, in_sets
from workflows.services.batches import settings_of
from workflows.services.cases import open_case
from workflows.services.workers import lock_worker

WORKERS_AT_ONCE = 100
JUDGED = (Box.State.ACCEPTED, Box.State.REJECTED)


def assess(*, worker_id: int, stage: str, batch: Batch, now: datetime) -> tuple[Standing, str]:
    """Recompute the worker's standing for work of this batch, which must not be open to everybody.

    Returns it, and the state it had before.
    Inside a transaction that holds the worker's row, so that no answer is missed or counted twice.
    """
    trusted = settings_of(batch).regime[stage] == Regime.TRUSTED
    standing, _ = Standing.objects.select_for_update(no_key=True).get_or_create(
        worker_id=worker_id,
        stage=stage,
        batch=None if trusted else batch,
        defaults={"changed_at": now},
    )
    before = standing.state
    _recompute(standing, batch.project_id, now)
    if before == standing.state == Standing.State.LOST:
        # A page that was in hand when trust was lost: it may be set aside, too, where the others were.
        _open_case(standing, batch.project_id, settings_of(batch), now)
    return standing, before


def mark_stale(*, worker_ids: Collection[int], stage: str = Stage.DRAWING) -> None:
    """Say that boxes of these workers were judged, inside the transaction that judged them.

    Also that a question of another stage was found to be wrong, and their answers to it count no more.
    Rows that are stale already are locked all the same: who recomputes one right now has not seen this.
    """
    if not worker_ids:
        return
    standings = Standing.objects.filter(worker_id__in=worker_ids, stage=stage)
    locked = list(standings.order_by("pk").select_for_update(no_key=True).values_list("pk", "stale"))
    if fresh := [pk for pk, stale in locked if not stale]:
        Standing.objects.filter(pk__in=fresh).update(stale=True)


def refresh(*, worker_id: int, now: datetime) -> None:
    """Recompute what is stale of one worker, inside a transaction that holds the worker's row."""
    stale = Standing.objects.filter(worker_id=worker_id, stale=True).order_by("pk")
    if found := list(stale.select_for_update(no_key=True)):
        project_id = Worker.objects.values_list("project_id", flat=True).get(pk=worker_id)
        for standing in found:
            _recompute(standing, project_id, now)


def reassess_stale(*, now: datetime) -> int:
    """Recompute every stale standing; returns how many workers that were. A transaction each."""
    total = 0
    stale = Standing.objects.filter(stale=True).order_by("worker_id").values_list("worker_id", flat=True)
    while workers := list(stale.distinct()[:WORKERS_AT_ONCE]):
        for worker_id in workers:
            with write_transaction():
                lock_worker(worker_id, may_be_blocked=True)
                refresh(worker_id=worker_id, now=now)
        total += len(workers)
    return total


def restore(*, worker_id: int, stage: str, by: str, note: str, now: datetime) -> Decision:
    """Let a worker begin a stage anew: what they answered until now does not count for or against them.

    Their judgments are not touched. The decision also gives back the tries at the qualification test.
    Raises WorkerBlockedError for an unknown worker.
    """
    with write_transaction():
        project_id = lock_worker(worker_id, may_be_blocked=True)
        newest = Judgment.objects.filter(worker_id=worker_id).aggregate(newest=Max("pk"))["newest"] or 0
        standings = Standing.objects.filter(worker_id=worker_id, stage=stage).order_by("pk")
        for standing in standings.select_for_update(no_key=True):
            standing.counted_from = newest
            _write(standing, Record(), now)
        return Decision.objects.create(
            project_id=project_id,
            kind=Decision.Kind.RESTORE,
            by=by,
            note=note,
            content={"counted_from": newest},
            worker_id=worker_id,
            stage=stage,
            created_at=now,
        )


def _recompute(standing: Standing, project_id: int, now: datetime) -> None:
    """Fold what counts.

    Verdicts on boxes come in any order, and those on old boxes must not give back what newer ones cost. In
    the other stages only a question that was found to be wrong does, as it should.
    """
    evidence = _Evidence(standing)
    record = evidence.record()
    lost = standing.state == Standing.State.LOST
    if lost and standing.stage == Stage.DRAWING:
        record = replace(record, state=Trust.LOST)
    _write(standing, record, now)
    if record.state == Trust.LOST and not lost:
        _open_case(standing, project_id, evidence.policy(), now)


def _write(standing: Standing, record: Record, now: datetime) -> None:
    if record.state != standing.state:
        standing.changed_at = now
    standing.state = str(record.state)
    standing.asked, standing.right = record.asked, record.right
    standing.recent_asked, standing.recent_right = len(record.recent), sum(record.recent)
    standing.stale = False
    standing.save()


def _open_case(standing: Standing, project_id: int, settings: BatchSettings, now: datetime) -> None:
    detail: dict[str, Any] = {
        name: getattr(standing, name) for name in ("asked", "right", "recent_asked", "recent_right")
    }
    detail["minimum"] = settings.minimum_score[standing.stage]
    if standing.batch_id is not None:
        detail["batch"] = standing.batch_id
    if settings.control.on_loss == OnLoss.SET_ASIDE:
        detail["policy"] = str(OnLoss.SET_ASIDE)
    open_case(
        project_id=project_id,
        reason=Case.Reason.TRUST,
        now=now,
        worker_id=standing.worker_id,
        stage=standing.stage,
        detail=detail,
    )


class _Evidence:
    """The judgments that a standing follows from."""

    def __init__(self, standing: Standing) -> None:
        self.standing = standing
        answers = Judgment.objects.filter(
            worker_id=standing.worker_id,
            question__isnull=False,
            assignment__stage=standing.stage,
            pk__gt=standing.counted_from,
        ).exclude(question__retired=VOID)
        # The judgment's id, its batch and page, whether it was right, and whether it answers a question.
        rows: list[tuple[int, int, Any, bool, bool]] = [
            (pk, batch, page, bool(correct), True)
            for pk, batch, page, correct in answers.values_list(
                "pk", "assignment__batch_id", "assignment_id", "correct"
            )
        ]
        if standing.stage == Stage.DRAWING:
            boxes = Box.objects.filter(
                judgment__worker_id=standing.worker_id,
                judgment__set_aside=None,
                judgment__pk__gt=standing.counted_from,
                state__in=JUDGED,
            )
            rows += [
                (pk, batch, page, state == Box.State.ACCEPTED, False)
                for pk, batch, page, state in boxes.values_list(
                    "judgment_id", "judgment__assignment__batch_id", "judgment__assignment_id", "state"
                )
            ]
        self.settings = {
            pk: settings_of(batch) for pk, batch in Batch.objects.in_bulk({row[1] for row in rows}).items()
        }
        self.rows = sorted((row for row in rows if self._counts(row[1])), key=lambda row: row[0])

    def _counts(self, batch_id: int) -> bool:
        if self.standing.batch_id is not None:
            return batch_id == self.standing.batch_id
        return self.settings[batch_id].regime[self.standing.stage] == Regime.TRUSTED

    def record(self) -> Record:
        """What they come to."""
        if self.standing.batch_id is None:
            return fold(
                Outcome(right, self._terms(batch), question) for _, batch, _, right, question in self.rows
            )
        if not self.rows:
            return Record()
        settings = self.settings[self.standing.batch_id]
        return fold_sets(
            in_sets(self._pages(), size=settings.control.set_questions),
            boxes=[right for _, _, _, right, question in self.rows if not question],
            minimum=settings.minimum_score[self.standing.stage],
        )

    def _pages(self) -> Iterator[tuple[int, int]]:
        """Questions asked and answered well, a page, in the order of submission."""
        pages: dict[Any, tuple[int, int]] = {}
        for _, _, page, right, question in self.rows:
            if question:
                asked, good = pages.get(page, (0, 0))
                pages[page] = (asked + 1, good + right)
        return iter(pages.values())

    def _terms(self, batch_id: int) -> Terms:
        settings = self.settings[batch_id]
        return Terms(
            minimum=settings.minimum_score[self.standing.stage],
            entrance=settings.control.entrance,
            recent=settings.control.recent,
        )

    def policy(self) -> BatchSettings:
        """The settings of the batch whose answer came last: the one that was lost in."""
        return self.settings[self.rows[-1][1]]
