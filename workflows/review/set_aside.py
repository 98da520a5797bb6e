"""Set judgments aside by a decision, and let them count again. They are never deleted and stay paid."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from annotation.domain.chain_states import UNTOLD
from annotation.models import Abstention, Assignment, Case, Decision, ImageWork, Item, Judgment
from annotation.transactions import write_transaction
from workflows.pipeline.domain.photograph_reports import rests, untold_items
from workflows.pipeline.replay.load_rows import reports_of
from workflows.pipeline.replay.replay import request_replay
from workflows.review.set_aside_choice import (
    Choice,
    Shown,
    choose,
    counting_of,
    counting_reports,
    reports_by,
    reports_on_items,
    shown_of,
    works_of,
)
from workflows.review.supporters import in_parts
from workflows.workers.enrolment import lock_worker


class SettingAsideError(Exception):
    """The decision to undo did not set judgments aside; the message says what it is."""


class ChangedSinceError(Exception):
    """The judgments that would be set aside are not those that were shown."""


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
    but_reports: Collection[int] = (),
) -> Decision | None:
    """Set the worker's judgments of a stage aside, everywhere or in one batch. Return None if there are none.

    A policy narrows it: to the batches `within` (ids), to judgments `after` an id, and to all `but` some
    judgments and `but_reports` some reports (ids). For the rest see `set_aside_workers`.
    """
    pairs = [(worker_id, stage)]
    with write_transaction():
        project_id = lock_worker(worker_id, may_be_blocked=True)
        counting = counting_of(pairs, batch_id).filter(pk__gt=after)
        reports = reports_by(pairs, batch_id).filter(after__gte=after).exclude(pk__in=but_reports)
        if within is not None:
            counting = counting.filter(item__batch__in=within)
            reports = reports.filter(work__batch__in=within)
        _lock(counting, reports)
        found = choose(pairs, counting, unsupported_only=unsupported_only, but=frozenset(but))
        scope: dict[str, Any] = {"within": sorted(within)} if within is not None else {}
        scope |= {"after": after} if after else {}
        scope |= {"unsupported_only": unsupported_only}
        made = _write(found, counting_reports(reports), project_id, by, note, now, batch_id, scope)
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
    of others that were kept because of these workers are set aside as well (see `set_aside_choice`). Where
    these workers abstained, that does not count any more, either. Answers to verification questions and
    payments stay as they are. `advance` replays the images afterwards. Raises WorkerBlockedError for an
    unknown worker, ValueError for workers of several projects, and ChangedSinceError if these are not the
    judgments that were `shown`.
    """
    pairs = [(worker, stage) for worker in sorted(workers) for stage in stages]
    with write_transaction():
        projects = {lock_worker(worker, may_be_blocked=True) for worker in sorted(workers)}
        if len(projects) != 1:
            raise ValueError("judgments are set aside for workers of one project at a time")
        counting, reports = counting_of(pairs, batch_id), reports_by(pairs, batch_id)
        _lock(counting, reports)
        found = choose(pairs, counting, unsupported_only=unsupported_only)
        if shown is not None and found.judgments and shown != shown_of(found.judgments):
            raise ChangedSinceError("More judgments came in since: look at them, then decide again.")
        scope = {"unsupported_only": unsupported_only}
        return _write(found, counting_reports(reports), projects.pop(), by, note, now, batch_id, scope)


def _write(
    found: Choice,
    reports: Mapping[tuple[int, str], Sequence[Abstention]],
    project_id: int,
    by: str,
    note: str,
    now: datetime,
    batch_id: int | None,
    fields: dict[str, Any],
) -> list[Decision]:
    """Write a decision for each worker and stage with chosen judgments or reports, and set these aside."""
    made = []
    for (worker_id, stage), own in found.of.items():
        leaning = found.leaning.get((worker_id, stage), [])
        said = reports.get((worker_id, stage), [])
        if not (own or leaning or said):
            continue
        decision = Decision.objects.create(
            project_id=project_id,
            kind=Decision.Kind.SET_ASIDE,
            by=by,
            note=note,
            content={
                "judgments": [*own, *leaning],
                **({"leaning": leaning} if leaning else {}),
                **({"reports": [one.pk for one in said]} if said else {}),
                **fields,
            },
            worker_id=worker_id,
            batch_id=batch_id,
            stage=stage,
            created_at=now,
        )
        _mark([*own, *leaning], decision, said)
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
        reports = reports_on_items().filter(assignment__in=rejected)
        _lock(counting, reports)
        chosen = list(counting.values_list("pk", flat=True))
        said = [one for some in counting_reports(reports).values() for one in some]
        first = rejected[0]
        decision = Decision.objects.create(
            project_id=first.batch.project_id,
            kind=Decision.Kind.REJECT,
            by=by,
            content={
                "judgments": chosen,
                "pages": [str(page.pk) for page in rejected],
                **({"reports": [one.pk for one in said]} if said else {}),
            },
            worker_id=first.worker_id,
            batch_id=first.batch_id,
            stage=first.stage,
            created_at=now,
        )
        Assignment.objects.filter(pk__in=[page.pk for page in rejected]).update(
            verdict=Assignment.Verdict.REJECTED
        )
        _mark(chosen, decision, said)
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
        reports = reports_on_items().filter(pk__in=undone.content.get("reports", []))
        _lock(aside, reports)
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
        _mark(chosen, None, list(reports.select_related("work")))
        if also is not None:
            also()
    return decision


def _lock(judgments: QuerySet[Judgment], reports: QuerySet[Abstention]) -> None:
    """Lock the works that these are about, in the order of their ids, as every writer does."""
    list(works_about(judgments, reports).select_for_update(no_key=True).values_list("pk", flat=True))


def works_about(judgments: QuerySet[Judgment], reports: QuerySet[Abstention]) -> QuerySet[ImageWork]:
    """Return the works that these are about, in the order of their ids."""
    # One list of ids: with two conditions, PostgreSQL would look at every image.
    works = judgments.order_by().values("item__work_id").union(reports.order_by().values("work_id"))
    return ImageWork.objects.filter(pk__in=works).order_by("pk")


def _mark(judgments: Sequence[int], decision: Decision | None, reports: Sequence[Abstention]) -> None:
    """Set the judgments aside by `decision`, or let them count (None), and have their works replayed.

    So are the works that these reports are about. The cases of those that do not rest any more are closed,
    and so are those of questions that are asked again.
    """
    for some in in_parts(judgments):
        Judgment.objects.filter(pk__in=some).update(set_aside=decision)
    reported = {one.work_id: one.work for one in reports if one.work is not None}
    works = {*works_of(judgments), *(pk for pk in reported if pk is not None)}
    request_replay(judgments=judgments, works=sorted(works))
    Item.objects.filter(pk__in=[one.item_id for one in reports]).update(unread=True)
    if decision is not None and reported:
        said, dismissed = reports_of(list(reported.values()))
        over = [pk for pk in reported if pk is not None and not rests(said[pk], dismissed[pk])]
        untold = {item for pk in said for item in untold_items(said[pk], dismissed[pk])}
        waiting = Item.objects.filter(pk__in=untold).exclude(state=Item.State.DONE)
        still = set(waiting.values_list("work_id", "chain_id"))  # no chain: a link of the image
        open_now = Case.objects.filter(work__in=list(reported), closed_at=None)
        unsure = open_now.filter(Q(chain=None) | Q(chain__reason=UNTOLD), reason=Case.Reason.UNSURE)
        about = unsure.values_list("pk", "work_id", "chain_id")
        answerable = [pk for pk, work, chain in about if (work, chain) not in still]
        seen = Q(work__in=over, reason=Case.Reason.PHOTOGRAPH)
        open_now.filter(seen | Q(pk__in=answerable)).update(closed_at=decision.created_at, decision=decision)
