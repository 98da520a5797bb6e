"""Carry out what bad answers lead to: reject failing pages, and set lost workers' judgments aside by policy.

The submission that showed it only left a mark. A run may be stopped at any point: the next run finds by the
same marks what is left to do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import OperationalError

from annotation.models import Assignment, Case, Decision, Standing
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.quality_control import OnLoss
from workflows.cases.review_queue import close_case
from workflows.quality.lost_trust import batches_of, detail_of, losses_of
from workflows.quality.standings import refresh_standings
from workflows.review.set_aside import reject_pages, set_aside_worker
from workflows.workers.enrolment import lock_worker

BY_MINIMUM = "policy:minimum_score"
BY_LOSS = "policy:control.on_loss"
"""Names for `Decision.by` when a setting of the batch decides, not a person."""


def enforce_policies(*, now: datetime) -> int:
    """Reject the pages and set aside the judgments that are due. Return for how many sets of pages and
    workers.

    An error about one worker does not hold up the others: an ExceptionGroup with all errors is raised at the
    end.
    """
    done, broken = 0, []
    for act in (*_failing(now), *_lost(now)):
        try:
            done += act()
        except OperationalError:  # the database failed, not a worker
            raise
        except Exception as error:  # noqa: BLE001  (raised at the end, with those of others)
            broken.append(error)
    if broken:
        raise ExceptionGroup("workers whose judgments cannot be set aside", broken)
    return done


def _failing(now: datetime) -> list[Callable[[], bool]]:
    """Return a function for each worker, batch and stage with pages below the minimum: it rejects them."""
    failing: dict[tuple[int, int, str], list[UUID]] = defaultdict(list)
    pages = Assignment.objects.filter(verdict=Assignment.Verdict.FAILING).order_by("pk")
    for page, worker, batch, stage in pages.values_list("pk", "worker_id", "batch_id", "stage"):
        failing[worker, batch, stage].append(page)
    return [partial(_reject, ids, now) for ids in failing.values()]


def _reject(pages: list[UUID], now: datetime) -> bool:
    # The pages were read without a lock: a researcher may have accepted some since.
    return reject_pages(assignment_ids=pages, by=BY_MINIMUM, now=now, failing_only=True) is not None


def _lost(now: datetime) -> list[Callable[[], bool]]:
    """Return a function for each worker who lost trust under a policy: it carries the policy out."""
    cases = Case.objects.filter(
        reason=Case.Reason.TRUST, closed_at=None, detail__policy=str(OnLoss.SET_ASIDE), worker__isnull=False
    )
    found = list(cases.order_by("pk").values_list("pk", "worker_id"))
    return [partial(_set_lost_aside, case, worker, now) for case, worker in found]


def _set_lost_aside(case_id: int, worker_id: int, now: datetime) -> bool:
    """Carry out the policy wherever trust was lost, and close the case if every loss is under a policy."""
    with write_transaction():  # apart: standings are locked after images
        lock_worker(worker_id, may_be_blocked=True)
        refresh_standings(worker_id=worker_id, now=now)
    with write_transaction():  # all or nothing
        project_id = lock_worker(worker_id, may_be_blocked=True)
        case = Case.objects.filter(pk=case_id, closed_at=None).first()
        if case is None or "policy" not in case.detail:
            return False
        losses = losses_of(case.detail)
        rest = [loss for loss in losses if "policy" not in loss]
        decision = None
        for loss in losses:
            if loss.pop("policy", None):
                decision = _set_aside(case, loss.get("batch"), project_id, now) or decision
        if rest:
            Case.objects.filter(pk=case_id, closed_at=None).update(detail=detail_of(losses))
        else:
            close_case(case_id=case_id, by=BY_LOSS, note="Trust was lost.", now=now, decision=decision)
    return True


def _set_aside(case: Case, batch_id: int | None, project_id: int, now: datetime) -> Decision | None:
    """Set aside the judgments of one loss. Return the decision, or None if there is nothing to do.

    There is nothing to do if trust came back, or a researcher restored the worker.
    """
    standing = Standing.objects.filter(worker=case.worker_id, stage=case.stage, batch=batch_id).first()
    if case.worker_id is None or standing is None or standing.state != Standing.State.LOST:
        return None
    return set_aside_worker(
        worker_id=case.worker_id,
        stage=case.stage,
        by=BY_LOSS,
        note="Trust was lost.",
        now=now,
        batch_id=batch_id,
        within=batches_of(standing=standing, project_id=project_id),
        after=standing.counted_from,
        but=_reinstated(case.worker_id, case.stage, "judgments"),
        but_reports=_reinstated(case.worker_id, case.stage, "reports"),
    )


def _reinstated(worker_id: int, stage: str, what: str) -> set[int]:
    """Return the worker's `judgments` or `reports` that a researcher let count again.

    No policy overrules that.
    """
    decisions = Decision.objects.filter(worker=worker_id, stage=stage)
    again = decisions.filter(kind=Decision.Kind.REINSTATE).values_list("content", flat=True)
    undone = decisions.filter(pk__in=[content["decision"] for content in again])
    contents: list[dict[str, Any]] = list(undone.values_list("content", flat=True))
    return {pk for content in contents for pk in content.get(what, ())}
