"""What follows from bad answers: failing pages are rejected, and by policy lost workers' judgments set aside.

The submission that decided it only wrote it down. Whoever settles may be stopped anywhere: the next one
finds what is left by the same marks.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from uuid import UUID

from annotation.models import Assignment, Case
from annotation.transactions import write_transaction
from workflows.domain.control import OnLoss
from workflows.services.cases import close_case
from workflows.services.setting_aside import reject_pages, set_aside_worker

BY_MINIMUM = "policy:minimum_score"
BY_LOSS = "policy:control.on_loss"
"""Who decides where nobody did: the settings of the batch."""


def settle(*, now: datetime) -> int:
    """Do what is left to do; returns how many sets of pages and workers that were."""
    return _reject_failing(now) + _set_lost_aside(now)


def _reject_failing(now: datetime) -> int:
    failing: dict[tuple[int, int, str], list[UUID]] = defaultdict(list)
    pages = Assignment.objects.filter(verdict=Assignment.Verdict.FAILING).order_by("pk")
    for page, worker, batch, stage in pages.values_list("pk", "worker_id", "batch_id", "stage"):
        failing[worker, batch, stage].append(page)
    for ids in failing.values():
        reject_pages(assignment_ids=ids, by=BY_MINIMUM, now=now)
    return len(failing)


def _set_lost_aside(now: datetime) -> int:
    cases = Case.objects.filter(
        reason=Case.Reason.TRUST, closed_at=None, detail__policy=str(OnLoss.SET_ASIDE)
    ).order_by("pk")
    done = 0
    for case_id, worker_id, stage, detail in cases.values_list("pk", "worker_id", "stage", "detail"):
        if worker_id is None:
            continue
        with write_transaction():  # both or neither
            decision = set_aside_worker(
                worker_id=worker_id,
                stage=stage,
                by=BY_LOSS,
                note="Trust was lost.",
                now=now,
                batch_id=detail.get("batch"),
            )
            close_case(case_id=case_id, by=BY_LOSS, note="Trust was lost.", now=now, decision=decision)
        done += 1
    return done
