"""Set judgments aside by a decision, and let them count again. They are never deleted and stay paid."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from annotation.domain.chain_states import WITHDRAWN
from annotation.models import Assignment, Decision, ImageWork, Judgment, Worker
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.replay.load_rows import load_works
from workflows.pipeline.replay.replay import IDS_AT_ONCE, plan_of, request_replay
from workflows.review.supporters import supporters_of
from workflows.workers.doubt import Doubt, doubt_in
from workflows.workers.enrolment import lock_worker

FOLDED = 10
"""The most images that a preview folds. Each takes 5 to 15 ms of the 300 ms that a page may take."""


class SettingAsideError(Exception):
    """The decision to undo did not set judgments aside; the message says what it is."""


class ChangedSinceError(Exception):
    """The judgments that would be set aside are not those that were shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The judgments that were shown to the person who decides to set them aside."""

    judgments: int  # how many
    newest: int  # the id of the latest; 0 if there are none


@dataclass(frozen=True, slots=True)
class Supporter:
    """Somebody whose judgments say the same as some that are to be set aside."""

    worker_id: int
    judgments: int  # that this worker supports
    kept: int  # of these, because of this worker: support of workers in doubt keeps nothing


@dataclass(frozen=True, slots=True)
class Preview:
    """What setting judgments aside would change, before anybody answers anything again."""

    judgments: int  # that would be set aside
    newest: int  # the id of the latest of these; 0 if there are none
    unsupported: int  # the workers' judgments that nobody in good standing supports
    kept: int  # the workers' others in these stages, which somebody in good standing supports
    leaning: tuple[tuple[int, int], ...]  # (worker, judgments) set aside as well: see `_leaning`
    supporters: tuple[Supporter, ...]  # who supports most comes first
    images: int  # that have one of the judgments
    folded: int  # of these, drawn at random; if they are fewer, the numbers below are estimates
    items: int  # asked again, or for the first time
    chains: int  # withdrawn
    boxes: int  # withdrawn

    @property
    def estimated(self) -> bool:
        """Whether the numbers of items, chains and boxes are estimates."""
        return self.folded < self.images


@dataclass(frozen=True, slots=True)
class _Choice:
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


def preview_set_aside(
    *,
    workers: Sequence[int],
    stages: Sequence[str],
    batch_id: int | None = None,
    unsupported_only: bool = True,
) -> Preview:
    """Return what `set_aside_workers` would change. Writes nothing, and returns the same every time.

    The effect on items, chains and boxes is found by folding up to `FOLDED` of the images. Raises ValueError
    or LookupError if one of these cannot be replayed.
    """
    pairs = [(worker, stage) for worker in workers for stage in stages]
    found = _choose(pairs, _counting(pairs, batch_id), unsupported_only=unsupported_only)
    chosen = found.judgments
    images = _works(chosen)
    drawn = Random(min(workers)).sample(images, min(len(images), FOLDED))
    works = list(ImageWork.objects.filter(pk__in=drawn).select_related("batch").order_by("pk"))
    items = chains = boxes = 0
    for loaded in load_works(works, without=chosen).values():
        plan = plan_of(loaded, settings_of(loaded.work.batch))
        items += sum(item.asks_again for item in plan.items)
        chains += sum(chain.progress.state == WITHDRAWN for chain in plan.chains)
        boxes += sum(box.box.state == WITHDRAWN for box in plan.boxes)
    times = len(images) / max(len(works), 1)
    own = sum(map(len, found.of.values()))
    return Preview(
        judgments=len(chosen),
        newest=_shown(chosen).newest,
        unsupported=found.unsupported,
        kept=len(found.counting) - own,
        leaning=_by_worker(found),
        supporters=_supporters(found),
        images=len(images),
        folded=len(works),
        items=round(items * times),
        chains=round(chains * times),
        boxes=round(boxes * times),
    )


def _by_worker(found: _Choice) -> tuple[tuple[int, int], ...]:
    """Return whose judgments lean on those that are set aside, and how many."""
    leaning = [pk for some in found.leaning.values() for pk in some]
    counts: Counter[int] = Counter()
    for some in _some(leaning):
        counts.update(Judgment.objects.filter(pk__in=some).values_list("worker_id", flat=True))
    return tuple(sorted(counts.items()))


def _supporters(found: _Choice) -> tuple[Supporter, ...]:
    """Return who else said the same as these workers, and what is kept because of that."""
    supported: Counter[int] = Counter()
    keeps: Counter[int] = Counter()
    for given in found.supporters.values():
        supported.update({worker for worker, _ in given})
        keeps.update({worker for worker, stage in given if not found.doubt.includes(worker, stage)})
    order = sorted(supported, key=lambda worker: (-keeps[worker], -supported[worker], worker))
    return tuple(Supporter(worker, supported[worker], keeps[worker]) for worker in order)


def _shown(chosen: Sequence[int]) -> Shown:
    return Shown(len(chosen), max(chosen, default=0))


def set_aside_worker(
    *,
    worker_id: int,
    stage: str,
    by: str,
    note: str,
    now: datetime,
    batch_id: int | None = None,
    unsupported_only: bool = True,
    within: Collection[int] | None = None,
    after: int = 0,
    but: Collection[int] = (),
) -> Decision | None:
    """Set the worker's judgments of a stage aside, everywhere or in one batch. Return None if there are none.

    A policy narrows it: to the batches `within` (ids), to judgments `after` an id, and to all `but` some ids.
    For the rest see `set_aside_workers`.
    """
    pairs = [(worker_id, stage)]
    with write_transaction():
        project_id = lock_worker(worker_id, may_be_blocked=True)
        counting = _counting(pairs, batch_id).filter(pk__gt=after)
        if within is not None:
            counting = counting.filter(item__batch__in=within)
        _lock(counting)
        found = _choose(pairs, counting, unsupported_only=unsupported_only, but=frozenset(but))
        scope: dict[str, Any] = {"within": sorted(within)} if within is not None else {}
        scope |= {"after": after} if after else {}
        made = _write(
            found, project_id, by, note, now, batch_id, scope | {"unsupported_only": unsupported_only}
        )
    return made[0] if made else None


def set_aside_workers(
    *,
    workers: Sequence[int],
    stages: Sequence[str],
    by: str,
    note: str,
    now: datetime,
    batch_id: int | None = None,
    unsupported_only: bool = True,
    shown: Shown | None = None,
) -> list[Decision]:
    """Set the judgments of one project's workers in these stages aside, everywhere or in one batch.

    Return a decision for each worker and stage with such judgments. With `unsupported_only`, only judgments
    that nobody in good standing supports are set aside; these workers do not support each other. Judgments
    of others that were kept because of these workers are set aside as well (see `_leaning`). Answers to
    verification questions and payments stay as they are. `advance` replays the images afterwards. Raises
    WorkerBlockedError for an unknown worker, ValueError for workers of several projects, and
    ChangedSinceError if these are not the judgments that were `shown`.
    """
    pairs = [(worker, stage) for worker in sorted(workers) for stage in stages]
    with write_transaction():
        projects = {lock_worker(worker, may_be_blocked=True) for worker in sorted(workers)}
        if len(projects) != 1:
            raise ValueError("judgments are set aside for workers of one project at a time")
        counting = _counting(pairs, batch_id)
        _lock(counting)
        found = _choose(pairs, counting, unsupported_only=unsupported_only)
        if shown is not None and found.judgments and shown != _shown(found.judgments):
            raise ChangedSinceError("More judgments came in since: look at them, then decide again.")
        scope = {"unsupported_only": unsupported_only}
        return _write(found, projects.pop(), by, note, now, batch_id, scope)


def _choose(
    pairs: Sequence[tuple[int, str]],
    counting: QuerySet[Judgment],
    *,
    unsupported_only: bool,
    but: Collection[int] = (),
) -> _Choice:
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
    return _Choice(of, leaning, own, len(alone), supporters, doubt)


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
    for some in _some(_works(judgments)):
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


def _write(
    found: _Choice,
    project_id: int,
    by: str,
    note: str,
    now: datetime,
    batch_id: int | None,
    told: dict[str, Any],
) -> list[Decision]:
    """Write a decision for each worker and stage with chosen judgments, and set these aside."""
    made = []
    for (worker_id, stage), own in found.of.items():
        leaning = found.leaning.get((worker_id, stage), [])
        if not (own or leaning):
            continue
        decision = Decision.objects.create(
            project_id=project_id,
            kind=Decision.Kind.SET_ASIDE,
            by=by,
            note=note,
            content={
                "judgments": [*own, *leaning],
                **({"leaning": leaning} if leaning else {}),
                **told,
            },
            worker_id=worker_id,
            batch_id=batch_id,
            stage=stage,
            created_at=now,
        )
        _mark([*own, *leaning], decision)
        made.append(decision)
    return made


def reject_pages(
    *, assignment_ids: Sequence[UUID], by: str, now: datetime, failing_only: bool = False
) -> Decision | None:
    """Reject these pages of one worker and set all their ordinary judgments aside, supported or not.

    Return None if no page is left to reject. With `failing_only`, pages that are not below the minimum any
    more are left alone: a researcher may have accepted them. Rejected pages are paid like others.
    """
    with write_transaction():
        pages = Assignment.objects.filter(pk__in=assignment_ids).exclude(verdict=Assignment.Verdict.REJECTED)
        if failing_only:
            pages = pages.filter(verdict=Assignment.Verdict.FAILING)
        rejected = list(pages.order_by("pk").select_for_update(no_key=True))
        if not rejected:
            return None
        counting = Judgment.objects.filter(
            assignment__in=rejected, item__isnull=False, set_aside__isnull=True
        ).order_by("pk")
        _lock(counting)
        chosen = list(counting.values_list("pk", flat=True))
        first = rejected[0]
        decision = Decision.objects.create(
            project_id=first.batch.project_id,
            kind=Decision.Kind.REJECT,
            by=by,
            content={"judgments": chosen, "pages": [str(page.pk) for page in rejected]},
            worker_id=first.worker_id,
            batch_id=first.batch_id,
            stage=first.stage,
            created_at=now,
        )
        Assignment.objects.filter(pk__in=[page.pk for page in rejected]).update(
            verdict=Assignment.Verdict.REJECTED
        )
        _mark(chosen, decision)
    return decision


def reinstate(
    *, decision_id: int, by: str, note: str, now: datetime, also: Callable[[], object] | None = None
) -> Decision:
    """Let the judgments that a decision set aside count again, and accept the pages that it rejected.

    A second call changes nothing and returns the decision of the first. `also` is called in the transaction
    of the first only. Raises SettingAsideError if the decision did not set judgments aside.
    """
    with write_transaction():
        # This lock comes first, so that two reinstatements of one decision take turns.
        undone = Decision.objects.select_for_update(no_key=True).filter(pk=decision_id).first()
        if undone is None or undone.kind not in (Decision.Kind.SET_ASIDE, Decision.Kind.REJECT):
            what = "no decision" if undone is None else f"a decision to {undone.kind}"
            raise SettingAsideError(f"{decision_id} is {what}: only judgments set aside can be reinstated")
        earlier = Decision.objects.filter(
            project_id=undone.project_id, kind=Decision.Kind.REINSTATE, content__decision=decision_id
        ).first()
        if earlier is not None:
            return earlier
        pages = Assignment.objects.filter(
            pk__in=undone.content.get("pages", []), verdict=Assignment.Verdict.REJECTED
        )
        again = list(pages.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))
        aside = Judgment.objects.filter(set_aside=undone).order_by("pk")
        _lock(aside)
        chosen = list(aside.values_list("pk", flat=True))
        Assignment.objects.filter(pk__in=again).update(verdict=Assignment.Verdict.ACCEPTED)
        decision = Decision.objects.create(
            project_id=undone.project_id,
            kind=Decision.Kind.REINSTATE,
            by=by,
            note=note,
            content={"decision": decision_id},
            worker_id=undone.worker_id,
            batch_id=undone.batch_id,
            stage=undone.stage,
            created_at=now,
        )
        _mark(chosen, None)
        if also is not None:
            also()
    return decision


def _counting(pairs: Sequence[tuple[int, str]], batch_id: int | None) -> QuerySet[Judgment]:
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


def _works(judgments: Sequence[int]) -> list[int]:
    """Return the works that these judgments are about."""
    found: set[int | None] = set()
    for some in _some(judgments):
        found.update(Judgment.objects.filter(pk__in=some).values_list("item__work_id", flat=True))
    return sorted(pk for pk in found if pk is not None)


def _some(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield as many of the ids at a time as one query takes."""
    for start in range(0, len(ids), IDS_AT_ONCE):
        yield ids[start : start + IDS_AT_ONCE]


def _lock(judgments: QuerySet[Judgment]) -> None:
    """Lock the works that these judgments are about, in the order of their ids, as every writer does."""
    works = judgments.order_by().values("item__work_id")
    rows = ImageWork.objects.filter(pk__in=works).order_by("pk")
    list(rows.select_for_update(no_key=True).values_list("pk", flat=True))


def _mark(judgments: Sequence[int], decision: Decision | None) -> None:
    """Set the judgments aside by `decision`, or let them count (None), and have their works replayed."""
    for some in _some(judgments):
        Judgment.objects.filter(pk__in=some).update(set_aside=decision)
    request_replay(judgments=judgments, works=_works(judgments))
