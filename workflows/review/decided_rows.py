"""Compare what decisions say with the rows that they changed: part of `verify_state`.

A judgment that was set aside counts for nothing, so whoever could set one aside without a decision would
change results although every answer is still there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import F, Q, QuerySet

from annotation.models import Assignment, Decision, Judgment, ModelAnswer, SuggestionStop, Worker

ROWS_AT_ONCE = 2000
Kind = Decision.Kind


def wrongly_decided(project_id: int | None = None) -> Iterator[str]:
    """Yield a line for each row that says something else than the decisions, in one project or in all."""
    decisions = Decision.objects.order_by("pk")
    if project_id is not None:
        decisions = decisions.filter(project=project_id)
    aside = _in_force(decisions)
    yield from _judgments(aside, project_id)
    yield from _pages(aside, project_id)
    yield from _blocked(decisions, project_id)
    yield from _regraded(decisions, project_id)
    yield from _models(project_id)


def _in_force(decisions: QuerySet[Decision]) -> dict[int, tuple[int, Mapping[str, Any]]]:
    """Return (worker, content) of each decision that sets judgments aside and was not undone, by id."""
    undone = set(decisions.filter(kind=Kind.REINSTATE).values_list("content__decision", flat=True))
    made = decisions.filter(kind__in=(Kind.SET_ASIDE, Kind.REJECT))
    rows = made.values_list("pk", "worker_id", "content")
    return {pk: (worker, content) for pk, worker, content in rows if pk not in undone}


def _judgments(aside: Mapping[int, tuple[int, Mapping[str, Any]]], project_id: int | None) -> Iterator[str]:
    said = {pk: number for number, (_, content) in aside.items() for pk in content.get("judgments", ())}
    hidden = Judgment.objects.filter(set_aside__isnull=False).order_by("pk")
    if project_id is not None:
        hidden = hidden.filter(worker__project=project_id)
    stored = dict(hidden.values_list("pk", "set_aside_id").iterator(ROWS_AT_ONCE))
    for pk in sorted(said.keys() | stored.keys()):
        if stored.get(pk) != said.get(pk):
            by = f"decision {said[pk]}" if pk in said else "no decision"
            yield f"judgment {pk}: it is set aside by {stored.get(pk)}, and by {by} as the decisions say"


def _pages(aside: Mapping[int, tuple[int, Mapping[str, Any]]], project_id: int | None) -> Iterator[str]:
    said = {page for _, content in aside.values() for page in content.get("pages", ())}
    rejected = Assignment.objects.filter(verdict=Assignment.Verdict.REJECTED)
    if project_id is not None:
        rejected = rejected.filter(batch__project=project_id)
    stored = set(map(str, rejected.values_list("pk", flat=True).iterator(ROWS_AT_ONCE)))
    for page in sorted(said ^ stored):
        what = (
            "rejected, and no decision says so" if page in stored else "not rejected, and a decision says so"
        )
        yield f"page {page}: it is {what}"


def _blocked(decisions: QuerySet[Decision], project_id: int | None) -> Iterator[str]:
    said: dict[int, bool] = {}
    rows = decisions.filter(kind__in=(Kind.BLOCK, Kind.UNBLOCK), worker__isnull=False)
    for worker, kind in rows.values_list("worker_id", "kind"):
        said[worker] = kind == Kind.BLOCK
    workers = Worker.objects.order_by("pk").filter(Q(blocked=True) | Q(pk__in=list(said)))
    if project_id is not None:
        workers = workers.filter(project=project_id)
    for worker, blocked in workers.values_list("pk", "blocked"):
        if blocked != said.get(worker, False):
            yield f"worker {worker}: {'blocked' if blocked else 'not blocked'}, and no decision says so"


def _regraded(decisions: QuerySet[Decision], project_id: int | None) -> Iterator[str]:
    corrected = decisions.filter(kind=Kind.CORRECT).values_list("content__regraded", flat=True)
    said = {pk for some in corrected for pk in some or ()}
    regraded = Judgment.objects.filter(regraded__isnull=False).order_by("pk")
    if project_id is not None:
        regraded = regraded.filter(worker__project=project_id)
    for pk in regraded.values_list("pk", flat=True).iterator(ROWS_AT_ONCE):
        if pk not in said:
            yield f"judgment {pk}: it is graded again, and no decision says so"


def _models(project_id: int | None) -> Iterator[str]:
    answers = ModelAnswer.objects.filter(set_aside__isnull=False).order_by("pk")
    stops = SuggestionStop.objects.filter(resumed__isnull=False).order_by("pk")
    if project_id is not None:
        answers = answers.filter(model__project=project_id)
        stops = stops.filter(case__project=project_id)
    right = Q(set_aside__kind=Kind.DISTRUST, set_aside__project=F("model__project"))
    for pk in answers.exclude(right).values_list("pk", flat=True).iterator(ROWS_AT_ONCE):
        yield f"answer {pk} of a model: it is set aside by a decision about something else"
    for pk, kind, about in stops.values_list("pk", "resumed__kind", "resumed__content__stop"):
        if (kind, about) != (Kind.RESUME, pk):
            yield f"stop {pk} of suggestions: it is resumed by a decision about something else"
