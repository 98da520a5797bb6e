"""Compute standings and counts of pages again from the judgments: part of `verify_state`."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotation.models import Assignment, Exposure, Judgment, Standing
from workflows.quality.evidence import record_of

ROWS_AT_ONCE = 2000


def wrong_standings(project_id: int | None = None) -> Iterator[str]:
    """Yield a line for each standing or page whose figures do not follow from its judgments.

    Standings that wait to be computed again are left out: the next sweep does it, whatever they say.
    """
    standings = Standing.objects.filter(stale=False).select_related("worker", "batch").order_by("pk")
    pages = Assignment.objects.filter(state=Assignment.State.SUBMITTED)
    answers = Judgment.objects.filter(question__isnull=False)
    if project_id is not None:
        standings = standings.filter(worker__project=project_id)
        pages = pages.filter(batch__project=project_id)
        answers = answers.filter(worker__project=project_id)
    for standing in standings.iterator(ROWS_AT_ONCE):
        record, _ = record_of(standing, standing.worker.project_id)
        stored = (
            standing.state,
            standing.asked,
            standing.right,
            standing.recent_asked,
            standing.recent_right,
        )
        recent = len(record.recent), sum(record.recent)
        expected = (str(record.state), record.asked, record.right, *recent)
        if stored != expected:
            yield f"standing of {standing}: stored is {stored}, its judgments say {expected}"
    yield from _pages(pages)
    yield from _unseen(answers)
    right = Q(worker=F("assignment__worker"), assignment__confirmed=True)
    given = Judgment.objects.order_by("pk").exclude(right)
    if project_id is not None:
        given = given.filter(worker__project=project_id)
    for pk, page in given.values_list("pk", "assignment").iterator(ROWS_AT_ONCE):
        yield f"judgment {pk}: page {page} is of another worker, or not confirmed"


def _pages(pages: QuerySet[Assignment]) -> Iterator[str]:
    of_questions = Q(judgments__question__isnull=False)
    counted = pages.annotate(
        said=Count("judgments", filter=of_questions),
        good=Count("judgments", filter=of_questions & Q(judgments__correct=True)),
    )
    wrong = counted.exclude(asked=F("said"), right=F("good")).order_by("pk")
    columns = ("pk", "right", "asked", "good", "said")
    for pk, right, asked, good, said in wrong.values_list(*columns).iterator(ROWS_AT_ONCE):
        yield f"page {pk}: stored are {right} right of {asked}, its judgments say {good} of {said}"


def _unseen(answers: QuerySet[Judgment]) -> Iterator[str]:
    """Yield a line for each answer to a question that its worker was never shown."""
    shown = Exposure.objects.filter(question=OuterRef("question"), worker=OuterRef("worker"))
    unseen = answers.filter(~Exists(shown)).order_by("pk").values_list("pk", "question", "worker")
    for pk, question, worker in unseen.iterator(ROWS_AT_ONCE):
        yield f"judgment {pk}: worker {worker} was not shown question {question}"
