"""Reads how far a batch's verification questions reach, and whether its workers have used them up."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from django.db.models import Count, Q

from annotation.domain.protocols import ALL_STAGES
from annotation.models import Batch, Case, ImageWork, Item, Standing
from workflows.assignments.domain import most_of
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.cost_forecast import forecast_answers
from workflows.batches.domain.question_reach import Needed, Reach, people_for, question_reach
from workflows.batches.domain.team import people_needed
from workflows.batches.people import (
    direct_people,
    invited_people,
    newest_invited,
    others_can_join,
    without_trust,
)
from workflows.questions.domain.supply import question_share
from workflows.questions.exposure import Left, Stock, questions_left, stock_of
from workflows.questions.supply import shortages

MAX_PEOPLE = 200
"""It is read what is left for so many people at most, the newest ones."""


def reach_of(batch: Batch, stock: Stock, invited: Sequence[int] | None = None) -> Reach | None:
    """Return how far the questions of a draft reach, or None if it asks none on pages with items.

    `invited` are the people (ids) who can sign in, the newest first. They are read if they are not given.
    """
    settings = settings_of(batch)
    if not any(question_share(settings, stage) for stage in settings.regime):
        return None
    people: list[Mapping[str, int]] = []
    if settings.crowd.provider == DIRECT:
        if invited is None:
            invited = newest_invited(batch)
        read = invited[:MAX_PEOPLE]
        if read:
            people = _on_pages(
                questions_left(project_id=batch.project_id, workers=read, stock=stock),
                without_trust(batch, settings, read),
            )
        people += people[-1:] * (len(invited) - len(people))
    others = not people or others_can_join(batch)
    return _reach(batch, batch.works.filter(active=True).count(), stock, people, others=others)


def workers_of(batch: Batch) -> int:
    """Return with how many people at work the batch is forecast unless somebody gives another number.

    These are the people who are invited, or the number to plan for if it is higher: about half of whoever
    comes does not go on to the end. If nobody is invited and everybody's judgments count, these are as many
    people as one item may need.
    """
    return workers_with(settings_of(batch), invited_people(batch), _known_reach(batch))


def planned_workers(batch: Batch) -> int:
    """Return how many new workers to plan for, or 0 if no questions are used up or some are missing."""
    reach = _known_reach(batch)
    return reach.people_to_plan_for if reach else 0


def _known_reach(batch: Batch) -> Reach | None:
    """Return how far questions reach. It is not known while some are missing."""
    settings = settings_of(batch)
    if not any(question_share(settings, stage) for stage in settings.regime):
        return None
    stock = stock_of(batch.project_id)
    return None if shortages(batch.project, settings, stock) else reach_of(batch, stock)


def workers_with(settings: BatchSettings, invited: int | None, reach: Reach | None) -> int:
    """Return the same for so many people who are invited, and for questions that reach so far."""
    needed = max(people_needed(settings).values())
    if all(regime == Regime.OPEN for regime in settings.regime.values()):
        return people_for(needed) if invited is None else invited or needed
    # While questions are missing, their reach is not known. Few people are no cheaper for that.
    return max(invited or 0, reach.people_to_plan_for if reach else people_for(needed))


def _reach(
    batch: Batch, images: int, stock: Stock, people: Sequence[Mapping[str, int]], *, others: bool
) -> Reach | None:
    settings, answers = settings_of(batch), forecast_answers(batch, images)
    return question_reach(
        stock.by_image,
        settings,
        {stage: Needed(one.low, one.middle, one.high) for stage, one in answers.items()},
        reserved=stock.reserved,
        images=min(images, settings.target) if settings.target else images,
        people=people,
        open_to_others=others,
    )


def _on_pages(
    left: Mapping[int, Mapping[str, Left]], lost: Mapping[str, Collection[int]]
) -> list[Mapping[str, int]]:
    """Return how many questions each worker can be asked on pages, by stage in which trust was not lost."""
    return [
        {stage: of.get(stage, Left()).on_pages for stage in ALL_STAGES if worker not in lost.get(stage, ())}
        for worker, of in left.items()
    ]


@dataclass(frozen=True, slots=True)
class UsedUp:
    """Answers of a running batch that wait because its workers were asked all verification questions."""

    stage: str  # the one in which most answers wait
    answers: int  # in all such stages
    workers: int  # of the stage, without those who lost trust in it
    asked_all: int  # of these
    left: Sequence[Mapping[str, int]]  # questions by stage for each worker of all these stages


def used_up(batch: Batch) -> UsedUp | None:
    """Return what waits in a running batch until there are more verification questions, or None.

    It is so in a stage if at least half of its workers were asked all that they can be asked. A claim that
    finds too few questions opens a case; without it, nothing else is read. At most ten queries.
    """
    short = Case.objects.filter(
        project=batch.project_id, reason=Case.Reason.QUESTION, question=None, closed_at=None
    )
    if not (stages := set(short.exclude(stage="").values_list("stage", flat=True))):
        return None
    settings = settings_of(batch)
    asked = [stage for stage in settings.stages if stage in stages and question_share(settings, stage)]
    waiting = _waiting(batch, asked)
    answered = _answered(batch, settings, waiting)
    direct = settings.crowd.provider == DIRECT
    known = set(direct_people(batch).values_list("pk", flat=True)) if direct else set()
    newest = sorted({*known, *(worker for worker, _ in answered)}, reverse=True)[:MAX_PEOPLE]
    lost = without_trust(batch, settings, newest)
    stock = stock_of(batch.project_id)
    left = questions_left(project_id=batch.project_id, workers=newest, stock=stock)
    found: dict[str, tuple[int, int]] = {}
    for stage in waiting:
        size, share = settings.items_a_page[stage], question_share(settings, stage)
        there = [
            worker
            for worker in newest
            if worker not in lost.get(stage, ()) and (worker in known or (worker, stage) in answered)
        ]
        asked_all = 0
        for worker in there:
            one = left[worker].get(stage, Left())
            entered = answered.get((worker, stage), 0) >= settings.control.entrance
            if settings.regime[stage] == Regime.TRUSTED and not entered:
                asked_all += one.at_entrance < size
            else:
                asked_all += one.on_pages < most_of(size, size, share)
        if asked_all and 2 * asked_all >= len(there):
            found[stage] = len(there), asked_all
    if not found:
        return None
    stage = max(found, key=lambda stage: waiting[stage])
    return UsedUp(stage, sum(waiting[one] for one in found), *found[stage], left=_on_pages(left, lost))


def images_for(batch: Batch, found: UsedUp) -> int:
    """Return about how many images with further questions let these workers finish the batch."""
    reach = _reach(batch, _images_left(batch), stock_of(batch.project_id), found.left, others=True)
    return max(1, reach.more_images if reach else 0)


def _images_left(batch: Batch) -> int:
    """Return how many images are to be done. Two that are begun count as one, as in the forecast end."""
    State = ImageWork.State
    counts = batch.works.filter(active=True).aggregate(
        queued=Count("pk", filter=Q(state=State.QUEUED)),
        begun=Count("pk", filter=Q(state__in=(State.LINKING, State.BOXING, State.ASKING))),
    )
    return int(counts["queued"] + ceil(counts["begun"] / 2))


def _waiting(batch: Batch, stages: Collection[str]) -> dict[str, int]:
    rows = Item.objects.waiting().filter(batch=batch, stage__in=stages).order_by()
    return dict(rows.values_list("stage").annotate(Count("pk")))


def _answered(batch: Batch, settings: BatchSettings, stages: Collection[str]) -> dict[tuple[int, str], int]:
    """Return how many questions each worker has answered in these stages, as far as they count here."""
    counting = Q(pk__in=())
    for stage in stages:
        of = None if settings.regime[stage] == Regime.TRUSTED else batch.pk
        counting |= Q(stage=stage, batch=of)
    rows = Standing.objects.filter(
        counting,
        worker__project=batch.project_id,
        worker__blocked=False,
        worker__provider=settings.crowd.provider,
    )
    newest = rows.order_by("-worker")[: MAX_PEOPLE * len(stages)]
    return {(row.worker_id, row.stage): row.asked for row in newest}
