"""What answers to verification questions do: they score the page, its worker, and themselves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from annotation.models import Assignment, Judgment, Standing
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.selectors import settings_of
from workflows.questions.retire import tally
from workflows.services.judging import judge_set
from workflows.services.standings import assess


def score_page(*, assignment: Assignment, judgments: Sequence[Judgment], now: datetime) -> None:
    """Fill in the page's `asked`, `right` and `verdict`, and update its worker's standing.

    Inside the transaction of the submission, with the worker's row held and the judgments written; call it
    last, since it locks standings and questions. The page itself is left for the caller to save. A page
    without verification questions takes the same steps.
    """
    settings = settings_of(assignment.batch)
    regime = settings.regime[assignment.stage]
    if regime == Regime.OPEN and not assignment.checks:
        return
    outcomes = {j.question_id: bool(j.correct) for j in judgments if j.question_id is not None}
    assignment.asked, assignment.right = len(outcomes), sum(outcomes.values())
    trusted = False
    if regime == Regime.VERIFICATION:
        Assignment.objects.filter(pk=assignment.pk).update(verdict=Assignment.Verdict.PENDING)
        assignment.verdict = judge_set(
            worker_id=assignment.worker_id,
            batch_id=assignment.batch_id,
            stage=assignment.stage,
            settings=settings,
            least=settings.control.set_questions,
        )
    if regime != Regime.OPEN:
        _, before = assess(
            worker_id=assignment.worker_id, stage=assignment.stage, batch=assignment.batch, now=now
        )
        trusted = before == Standing.State.TRUSTED
    tally(outcomes=outcomes, trusted=trusted, control=settings.control, now=now)
