"""Cases about a worker: a row for each stage, but for each reason one case in the queue, with its stages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Case


def about_worker(case: Case) -> bool:
    """Return whether the queue shows the case together with others about its worker."""
    return case.worker_id is not None and case.reason in Case.ABOUT_WORKERS


def first_of_each(cases: QuerySet[Case], *, stages: Collection[str] | None = None) -> QuerySet[Case]:
    """Return one row for each case that the queue shows, of these open ones.

    Of those about the same worker for the same reason, it is the one with the lowest id. If the cases are
    only those of some `stages`, say which.
    """
    # Without the project, which a worker has only one of: with it, SQLite prefers the index of the queue,
    # and reads all cases before this one.
    earlier = Case.objects.filter(
        reason__in=Case.ABOUT_WORKERS,
        reason=OuterRef("reason"),
        worker=OuterRef("worker"),
        pk__lt=OuterRef("pk"),
        closed_at=None,
    )
    if stages is not None:
        earlier = earlier.filter(stage__in=stages)
    return cases.filter(~Q(reason__in=Case.ABOUT_WORKERS) | ~Exists(earlier))


def together(cases: Iterable[Case]) -> list[list[Case]]:
    """Return these cases in groups that the queue shows as one, in the order of the first of each."""
    groups: dict[object, list[Case]] = defaultdict(list)
    for case in cases:
        groups[(case.reason, case.worker_id) if about_worker(case) else case.pk].append(case)
    return list(groups.values())


def with_others(cases: Sequence[Case]) -> list[list[Case]]:
    """Return each case with all open ones that the queue shows together with it. One query at most."""
    workers = {case.worker_id for case in cases if about_worker(case)}
    if not workers:
        return [[case] for case in cases]
    waiting = Case.objects.filter(reason__in=Case.ABOUT_WORKERS, worker__in=workers, closed_at=None)
    groups = {(group[0].reason, group[0].worker_id): group for group in together(waiting.order_by("pk"))}
    return [groups.get((case.reason, case.worker_id), [case]) for case in cases]
