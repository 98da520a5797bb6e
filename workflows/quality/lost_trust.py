"""Reports lost trust to the review queue: one open row a worker and stage, with all that they lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from annotation.models import Batch, Case, Standing
from workflows.batch_settings.domain.quality_control import OnLoss, Regime
from workflows.batch_settings.selectors import settings_of
from workflows.cases.review_queue import open_case
from workflows.quality.domain.trust import Loss


def losses_of(detail: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the losses in a case: the score at that moment and, under `verification`, the batch's id."""
    return [dict(loss) for loss in detail.get("losses", [])]


def detail_of(losses: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the detail that a case keeps. It has a `policy` if one of its losses waits for that policy."""
    detail: dict[str, Any] = {"losses": losses}
    if any("policy" in loss for loss in losses):
        detail["policy"] = str(OnLoss.SET_ASIDE)
    return detail


def report_loss(*, standing: Standing, loss: Loss, batch: Batch, now: datetime) -> None:
    """Open a case about lost trust, or add the loss to the open case. `batch` says what follows.

    The case keeps the score at the moment of the loss, since later answers, even on the same page, may give
    another. If the case has the loss already, its score stays, and it waits for the policy again, since
    there may be new judgments. Call this inside a transaction that holds the worker's row.
    """
    fields: dict[str, Any] = asdict(loss)
    if standing.batch_id is not None:
        fields["batch"] = standing.batch_id
    policy = (
        {"policy": str(OnLoss.SET_ASIDE)} if settings_of(batch).control.on_loss == OnLoss.SET_ASIDE else {}
    )
    case = (
        Case.objects.select_for_update(no_key=True)
        .filter(reason=Case.Reason.TRUST, worker=standing.worker_id, stage=standing.stage, closed_at=None)
        .first()
    )
    if case is None:
        open_case(
            project_id=batch.project_id,
            reason=Case.Reason.TRUST,
            now=now,
            worker_id=standing.worker_id,
            stage=standing.stage,
            detail=detail_of([fields | policy]),
        )
        return
    losses = losses_of(case.detail)
    same = next((one for one in losses if one.get("batch") == standing.batch_id), None)
    if same is None:
        losses.append(fields | policy)
    else:
        same |= policy
    case.detail = detail_of(losses)
    case.save(update_fields=["detail"])


def batches_of(*, standing: Standing, project_id: int) -> list[int]:
    """Return the ids of the batches whose judgments are set aside when this standing is lost.

    Under `trusted` all batches under that regime are asked, under `verification` the one batch; the settings
    of each decide.
    """
    batches = Batch.objects.filter(project_id=project_id)
    if standing.batch_id is not None:
        batches = batches.filter(pk=standing.batch_id)
    regime = Regime.TRUSTED if standing.batch_id is None else Regime.VERIFICATION
    return [
        batch.pk
        for batch in batches
        if (settings := settings_of(batch)).regime.get(standing.stage) == regime
        and settings.control.on_loss == OnLoss.SET_ASIDE
    ]
