"""Which judgments are set aside with a worker's: those that nobody in good standing supports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from annotation.models import Abstention, Decision, Judgment, Worker
from workflows.pipeline.replay.load_rows import reports_of
from workflows.review.supporters import in_parts, supporters_of
from workflows.workers.doubt import Doubt, doubt_in


@dataclass(frozen=True, slots=True)
class Shown:
    """The judgments that were shown to the person who decides to set them aside."""

    judgments: int  # how many
    newest: int  # the id of the latest; 0 if there are none


@dataclass(frozen=True, slots=True)
class Choice:
    """Which judgments are set aside: those of each worker and stage, and those that lean on them."""

    of: dict[tuple[int, str], list[int]]
    leaning: dict[tuple[int, str], list[int]]  # by the worker and stage that they lean on
    counting: list[int]  # all of these workers and stages, set aside or not
    unsupported: int
    supporters: dict[int, frozenset[tuple[int, str]]]
    doubt: Doubt

    @property
    def judgments(self) -> list[int]:
        """Return all of them, in ascending order."""
        return sorted(pk for found in (*self.of.values(), *self.leaning.values()) for pk in found)


def choose(
    pairs: Sequence[tuple[int, str]],
    counting: QuerySet[Judgment],
    *,
    unsupported_only: bool,
    but: Collection[int] = (),
) -> Choice:
    """Return which of the `counting` judgments of these workers and stages are to be set aside.

    The caller has locked their images if it is going to write: nobody can judge these then, or set their
    judgments aside.
    """
    project_id = Worker.objects.values_list("project_id", flat=True).get(pk=pairs[0][0])
    before = doubt_in(project_id)
    doubt = before.and_in(pairs)
    rows = [row for row in counting.values_list("pk", "worker_id", "item__stage") if row[0] not in but]
    own = [pk for pk, _, _ in rows]
    supporters = supporters_of(own)
    alone = {pk for pk in own if all(doubt.includes(*one) for one in supporters[pk])}
    of: dict[tuple[int, str], list[int]] = {pair: [] for pair in pairs}
    for pk, worker, stage in rows:
        if pk in alone or not unsupported_only:
            of[worker, stage].append(pk)
    leaning = _leaning(pairs, own, before=before, doubt=doubt)
    return Choice(of, leaning, own, len(alone), supporters, doubt)


def _leaning(
    pairs: Sequence[tuple[int, str]], judgments: Sequence[int], *, before: Doubt, doubt: Doubt
) -> dict[tuple[int, str], list[int]]:
    """Return other workers' judgments that were kept because of these workers, by whom they lean on.

    Judgments that are set aside one worker after the other could hold each other up: of the first worker,
    those are kept that the second one supports, although the second is no better. So when the second one's
    are set aside, those of the first are looked at again. A judgment that a researcher let count again stays.
    """
    earlier = {pair: scope for pair, scope in before.set_aside.items() if pair not in pairs}
    earlier = {pair: scope for pair, scope in earlier.items() if scope.unsupported_only}
    if not earlier or not judgments:
        return {}
    spared = _reinstated({worker for worker, _ in earlier})
    candidates: list[int] = []
    for some in in_parts(works_of(judgments)):
        given = Judgment.objects.filter(
            item__work__in=some, worker__in={worker for worker, _ in earlier}, set_aside__isnull=True
        )
        columns = ("pk", "worker_id", "item__stage", "item__batch_id")
        for pk, worker, stage, batch in given.order_by("pk").values_list(*columns):
            scope = earlier.get((worker, stage))
            if scope is None or pk <= scope.after or pk in spared:
                continue
            if scope.batches is None or batch in scope.batches:
                candidates.append(pk)
    found: dict[tuple[int, str], list[int]] = defaultdict(list)
    for pk, given_by in supporters_of(candidates).items():
        theirs = sorted(given_by.intersection(pairs))
        if theirs and all(doubt.includes(*one) for one in given_by):
            found[theirs[0]].append(pk)
    return dict(found)


def _reinstated(workers: Collection[int]) -> set[int]:
    """Return the judgments of these workers that a researcher let count again."""
    again = Decision.objects.filter(kind=Decision.Kind.REINSTATE, worker__in=workers)
    undone = Decision.objects.filter(pk__in=list(again.values_list("content__decision", flat=True)))
    contents: list[dict[str, Any]] = list(undone.values_list("content", flat=True))
    return {pk for content in contents for pk in content["judgments"]}


def reports_on_items() -> QuerySet[Abstention]:
    """Return where workers abstained from answering an item, except where the server found why."""
    return Abstention.objects.filter(work__isnull=False, broken=False)


def reports_by(pairs: Sequence[tuple[int, str]], batch_id: int | None) -> QuerySet[Abstention]:
    """Return the reports of these workers and stages, whether they count or not."""
    theirs = Q(pk__in=())
    for worker, stage in pairs:
        theirs |= Q(worker_id=worker, assignment__stage=stage)
    found = reports_on_items().filter(theirs)
    return found if batch_id is None else found.filter(work__batch_id=batch_id)


def counting_reports(reports: QuerySet[Abstention]) -> dict[tuple[int, str], list[Abstention]]:
    """Return those of these reports that count, by worker and stage.

    The caller has locked their works if it is going to write.
    """
    found = list(reports.select_related("work", "assignment").order_by("pk"))
    works = {one.work_id: one.work for one in found if one.work is not None}
    dismissed = reports_of(list(works.values()))[1] if works else {}
    counting: dict[tuple[int, str], list[Abstention]] = defaultdict(list)
    for one in found:
        if one.work_id is not None and one.pk not in dismissed.get(one.work_id, ()):
            counting[one.worker_id, one.assignment.stage].append(one)
    return counting


def counting_of(pairs: Sequence[tuple[int, str]], batch_id: int | None) -> QuerySet[Judgment]:
    """Return ordinary judgments of these workers and stages that count, in the order they were given."""
    stages: dict[int, list[str]] = defaultdict(list)
    for worker, stage in pairs:
        stages[worker].append(stage)
    theirs = Q()
    for worker, of in stages.items():
        theirs |= Q(worker_id=worker, item__stage__in=of)
    counting = Judgment.objects.filter(theirs, item__isnull=False, set_aside__isnull=True)
    if batch_id is not None:
        counting = counting.filter(item__batch_id=batch_id)
    return counting.order_by("pk")


def works_of(judgments: Sequence[int]) -> list[int]:
    """Return the works that these judgments are about."""
    found: set[int | None] = set()
    for some in in_parts(judgments):
        found.update(Judgment.objects.filter(pk__in=some).values_list("item__work_id", flat=True))
    return sorted(pk for pk in found if pk is not None)


def shown_of(chosen: Sequence[int]) -> Shown:
    """Return what a person who is shown these judgments has seen."""
    return Shown(len(chosen), max(chosen, default=0))
