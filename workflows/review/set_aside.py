"""Set judgments aside by a decision, and let them count again. They are never deleted and stay paid."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from uuid import UUID

from django.db.models import QuerySet

from annotation.domain.chain_states import WITHDRAWN
from annotation.models import Assignment, Decision, ImageWork, Judgment
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.replay.load_rows import load_works
from workflows.pipeline.replay.replay import IDS_AT_ONCE, plan_of, request_replay
from workflows.review.unsupported_judgments import unsupported
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
class Preview:
    """What setting a worker's judgments aside would change, before anybody answers anything again."""

    judgments: int  # that would be set aside
    newest: int  # the id of the latest of these; 0 if there are none
    unsupported: int  # of these
    kept: int  # the worker's others in the stage, which somebody else supports
    images: int  # that have one of them
    folded: int  # of these, drawn at random; if they are fewer, the numbers below are estimates
    items: int  # asked again, or for the first time
    chains: int  # withdrawn
    boxes: int  # withdrawn

    @property
    def estimated(self) -> bool:
        """Whether the numbers of items, chains and boxes are estimates."""
        return self.folded < self.images


def preview_set_aside(
    *, worker_id: int, stage: str, batch_id: int | None = None, unsupported_only: bool = True
) -> Preview:
    """Return what `set_aside_worker` would change. Writes nothing, and returns the same every time.

    The effect on items, chains and boxes is found by folding up to `FOLDED` of the images. Raises ValueError
    or LookupError if one of these cannot be replayed.
    """
    counting = list(_counting(worker_id, stage, batch_id).values_list("pk", flat=True))
    alone = unsupported(counting)
    chosen = alone if unsupported_only else counting
    images = _works(chosen)
    drawn = Random(worker_id).sample(images, min(len(images), FOLDED))
    works = list(ImageWork.objects.filter(pk__in=drawn).select_related("batch").order_by("pk"))
    items = chains = boxes = 0
    for loaded in load_works(works, without=chosen).values():
        plan = plan_of(loaded, settings_of(loaded.work.batch))
        items += sum(item.asks_again for item in plan.items)
        chains += sum(chain.progress.state == WITHDRAWN for chain in plan.chains)
        boxes += sum(box.box.state == WITHDRAWN for box in plan.boxes)
    times = len(images) / max(len(works), 1)
    return Preview(
        judgments=len(chosen),
        newest=_shown(chosen).newest,
        unsupported=len(alone),
        kept=len(counting) - len(chosen),
        images=len(images),
        folded=len(works),
        items=round(items * times),
        chains=round(chains * times),
        boxes=round(boxes * times),
    )


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
    shown: Shown | None = None,
) -> Decision | None:
    """Set the worker's judgments of a stage aside, everywhere or in one batch. Return None if there are none.

    With `unsupported_only`, only judgments that no other judgment supports are set aside. A policy narrows it
    further: to the batches `within` (ids), to judgments `after` an id, and to all `but` some ids. Answers to
    verification questions and payments stay as they are. `advance` replays the images afterwards. Raises
    WorkerBlockedError for an unknown worker, and ChangedSinceError if these are not the judgments that were
    `shown`.
    """
    with write_transaction():
        project_id = lock_worker(worker_id, may_be_blocked=True)
        counting = _counting(worker_id, stage, batch_id).filter(pk__gt=after)
        if within is not None:
            counting = counting.filter(item__batch__in=within)
        _lock(counting)
        # From here on nobody can judge these images or set their judgments aside.
        spared = frozenset(but)
        chosen = [pk for pk in counting.values_list("pk", flat=True) if pk not in spared]
        if unsupported_only:
            chosen = unsupported(chosen)
        if not chosen:
            return None
        if shown is not None and shown != _shown(chosen):
            raise ChangedSinceError("More judgments came in since: look at them, then decide again.")
        decision = Decision.objects.create(
            project_id=project_id,
            kind=Decision.Kind.SET_ASIDE,
            by=by,
            note=note,
            content={"judgments": chosen, "unsupported_only": unsupported_only},
            worker_id=worker_id,
            batch_id=batch_id,
            stage=stage,
            created_at=now,
        )
        _mark(chosen, decision)
    return decision


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


def _counting(worker_id: int, stage: str, batch_id: int | None) -> QuerySet[Judgment]:
    """Return the worker's ordinary judgments of the stage that count, in the order they were given."""
    counting = Judgment.objects.filter(
        worker_id=worker_id, item__isnull=False, item__stage=stage, set_aside__isnull=True
    )
    if batch_id is not None:
        counting = counting.filter(item__batch_id=batch_id)
    return counting.order_by("pk")


def _works(judgments: Sequence[int]) -> list[int]:
    """Return the works that these judgments are about."""
    found: set[int | None] = set()
    for start in range(0, len(judgments), IDS_AT_ONCE):
        some = Judgment.objects.filter(pk__in=judgments[start : start + IDS_AT_ONCE])
        found.update(some.values_list("item__work_id", flat=True))
    return sorted(pk for pk in found if pk is not None)


def _lock(judgments: QuerySet[Judgment]) -> None:
    """Lock the works that these judgments are about, in the order of their ids, as every writer does."""
    works = judgments.order_by().values("item__work_id")
    rows = ImageWork.objects.filter(pk__in=works).order_by("pk")
    list(rows.select_for_update(no_key=True).values_list("pk", flat=True))


def _mark(judgments: Sequence[int], decision: Decision | None) -> None:
    """Set the judgments aside by `decision`, or let them count (None), and have their works replayed."""
    for start in range(0, len(judgments), IDS_AT_ONCE):
        some = judgments[start : start + IDS_AT_ONCE]
        Judgment.objects.filter(pk__in=some).update(set_aside=decision)
    request_replay(judgments=judgments, works=_works(judgments))
