"""Judges the pages of a worker under the regime `verification`, which are accepted or fail as a set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Max, QuerySet

from annotation.models import IS_RIGHT, Assignment, Batch, Judgment, Standing
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.quality.domain.trust import reaches
from workflows.quality.evidence import answers_of
from workflows.quality.standings import assess_standing, refresh_standings
from workflows.questions.retire import tally_answers
from workflows.workers.enrolment import lock_worker

Verdict = Assignment.Verdict
AT_ONCE = 500
"""The most sets of a batch that one sweep judges. The next sweep goes on with the others."""


def judge_set(
    *,
    worker_id: int,
    batch_id: int,
    stage: str,
    settings: BatchSettings,
    least: int,
    submitted: Sequence[UUID] = (),
) -> str:
    """Judge the worker's waiting pages once they have `least` answers between them; return their verdict.

    A page that is being `submitted` belongs to the set, too; the caller writes its verdict. Call this inside
    a transaction that holds the worker's row. The score is counted from the judgments, since answers to
    questions that were found to be wrong do not count.
    """
    waiting = _waiting(batch_id).filter(worker=worker_id, stage=stage)
    pages = list(waiting.values_list("pk", flat=True))
    given = answers_of(worker_id=worker_id, stage=stage).filter(assignment__in=[*pages, *submitted])
    found = given.aggregate(asked=Count("pk"), right=Count("pk", filter=IS_RIGHT))
    if found["asked"] < least:
        return Verdict.PENDING
    enough = reaches(found["right"], found["asked"], settings.minimum_score[stage])
    verdict = Verdict.ACCEPTED if enough else Verdict.FAILING
    Assignment.objects.filter(pk__in=pages).update(verdict=verdict)
    return verdict


def judge_idle(*, now: datetime) -> int:
    """Judge the sets of workers who submitted no page for `control.idle_seconds`; return how many."""
    total = 0
    waiting = Assignment.objects.filter(verdict=Verdict.PENDING)
    for batch in Batch.objects.filter(pk__in=waiting.values("batch")).order_by("pk"):
        until = now - timedelta(seconds=settings_of(batch).control.idle_seconds)
        total += _judge(batch, list(_sets(batch.pk, until)[:AT_ONCE]), until, now)
    return total


def judge_rest(*, batch: Batch, now: datetime) -> int:
    """Judge all waiting sets of a batch that gets no more pages, full or not; return how many."""
    return _judge(batch, list(_sets(batch.pk, None)), None, now)


def _judge(batch: Batch, sets: Iterable[tuple[int, str]], until: datetime | None, now: datetime) -> int:
    """Judge each set in its own transaction. Leave a set alone that got a page or was judged meanwhile."""
    total = 0
    for worker_id, stage in sets:
        with write_transaction():
            lock_worker(worker_id, may_be_blocked=True)
            if not _sets(batch.pk, until).filter(worker=worker_id, stage=stage).exists():
                continue
            settings = settings_of(batch)
            judge_set(worker_id=worker_id, batch_id=batch.pk, stage=stage, settings=settings, least=0)
            Standing.objects.filter(worker=worker_id, stage=stage, batch=batch).update(stale=True)
            refresh_standings(worker_id=worker_id, now=now)
        total += 1
    return total


def _waiting(batch_id: int) -> QuerySet[Assignment]:
    return Assignment.objects.filter(batch=batch_id, verdict=Verdict.PENDING)


def _sets(batch_id: int, until: datetime | None) -> QuerySet[Assignment, tuple[int, str]]:
    """Return (worker, stage) of the sets whose last page came at `until` or before, the oldest first."""
    sets = _waiting(batch_id).values("worker_id", "stage").annotate(last=Max("submitted_at"))
    if until is not None:
        sets = sets.filter(last__lte=until)
    return sets.order_by("last", "worker_id", "stage").values_list("worker_id", "stage")


def score_page(*, assignment: Assignment, judgments: Sequence[Judgment]) -> None:
    """Fill in the page's `asked`, `right` and `verdict`, and judge the pages that waited for this one.

    Call it inside the transaction of the submission, with the worker's row held and the judgments written.
    The caller saves the page, and then calls `count_page`. A page without verification questions takes the
    same steps as one with them.
    """
    outcomes = _outcomes(judgments)
    assignment.asked, assignment.right = len(outcomes), sum(outcomes.values())
    settings = settings_of(assignment.batch)
    if settings.regime[assignment.stage] == Regime.VERIFICATION:
        assignment.verdict = judge_set(
            worker_id=assignment.worker_id,
            batch_id=assignment.batch_id,
            stage=assignment.stage,
            settings=settings,
            least=settings.control.set_questions,
            submitted=[assignment.pk],
        )


def count_page(
    *, assignment: Assignment, judgments: Sequence[Judgment], broken: Sequence[int] = (), now: datetime
) -> None:
    """Update the worker's standing, and the counts of the verification questions, from a scored page.

    The photographs of the questions `broken` (ids) were found missing or damaged: these are retired.
    The page must be saved: its verdict is read again. Call this last in the transaction of the submission,
    since it locks standings and questions.
    """
    settings = settings_of(assignment.batch)
    regime = settings.regime[assignment.stage]
    if regime == Regime.OPEN and not assignment.checks:
        return
    trusted = False
    if regime != Regime.OPEN:
        _, before = assess_standing(
            worker_id=assignment.worker_id, stage=assignment.stage, batch=assignment.batch, now=now
        )
        trusted = before == Standing.State.TRUSTED
    outcomes = _outcomes(judgments)
    tally_answers(
        outcomes=outcomes, trusted=trusted, control=settings.control, broken=frozenset(broken), now=now
    )


def _outcomes(judgments: Sequence[Judgment]) -> dict[int, bool]:
    """Return whether each verification question (by id) was answered right."""
    return {j.question_id: bool(j.correct) for j in judgments if j.question_id is not None}
