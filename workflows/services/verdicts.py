"""What answers to verification questions do: they score the page, its worker, and themselves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Sum

from annotation.models import Assignment, Judgment, Standing
from workflows.domain.control import Regime
from workflows.domain.trust import reaches
from workflows.services.batches import settings_of
from workflows.services.questions import tally
from workflows.services.standings import assess

Verdict = Assignment.Verdict


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
    if regime != Regime.OPEN:
        _, before = assess(
            worker_id=assignment.worker_id, stage=assignment.stage, batch=assignment.batch, now=now
        )
        trusted = before == Standing.State.TRUSTED
    if regime == Regime.VERIFICATION:
        _judge_set(assignment, settings.control.set_questions, settings.minimum_score[assignment.stage])
    tally(outcomes=outcomes, trusted=trusted, control=settings.control, now=now)


def _judge_set(assignment: Assignment, size: int, minimum: float) -> None:
    """Accept or fail this page and those that wait, once they have so many answers between them."""
    waiting = Assignment.objects.filter(
        worker_id=assignment.worker_id,
        batch_id=assignment.batch_id,
        stage=assignment.stage,
        verdict=Verdict.PENDING,
    )
    before = waiting.aggregate(asked=Sum("asked"), right=Sum("right"))
    asked = (before["asked"] or 0) + assignment.asked
    right = (before["right"] or 0) + assignment.right
    assignment.verdict = Verdict.PENDING
    if asked >= size:
        assignment.verdict = Verdict.ACCEPTED if reaches(right, asked, minimum) else Verdict.FAILING
        waiting.update(verdict=assignment.verdict)
