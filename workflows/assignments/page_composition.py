"""Composes a page: items, and verification questions that nobody can tell from them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from uuid import UUID

import orjson
from django.db import connection

from annotation.domain.answers import JUDGES_BOXES, Stage
from annotation.domain.page_entries import Candidate
from annotation.models import Assignment, Batch, Case
from workflows.assignments.domain import (
    NEVER,
    Sighting,
    again_until,
    draw_questions,
    entrance_questions,
    match_questions,
    match_visits,
    most_of,
    order_items,
    own_boxes_until,
    room_for_entrances,
    share_beside,
    share_of,
    sightings,
    split_page,
)
from workflows.assignments.item_queue import (
    Queue,
    Visit,
    lease_chosen,
    lease_head,
    lease_visits,
    queue_head,
    visits,
)
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import PAGE_VISIT, BatchSettings
from workflows.cases.review_queue import open_case
from workflows.questions.domain.supply import IN_TESTS_ALONE, entrance_length, question_share, to_enter
from workflows.questions.entrance_images import (
    entrance_images,
    entrance_supply,
    lock_entrance_images,
    reserve_for_entrances,
)
from workflows.questions.exposure import askable, known_images, unanswered
from workflows.workers.places import nearby_participations

HISTORY_PAGES = 500
"""How many of a worker's latest pages count for how often an image was seen.

A claim reads them all. The index `assignment_of_worker` has them in their order."""

LATELY_PAGES = 100
"""How many of them count for which items come first.

If all counted, all images would be seen equally often. Then there is hardly ever a question that goes with
them."""

# By hand, since Django would convert the columns of each row one by one, which takes several times as long.
_NEWEST = """
SELECT stage, images, checks FROM annotation_assignment
WHERE worker_id = %s ORDER BY created_at DESC LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class History:
    """What a worker was shown on pages, the newest page first."""

    pages: Sequence[tuple[str, Sequence[int]]]  # stage, images
    asked: Mapping[int, int]  # image -> how often with a verification question

    @property
    def lately(self) -> History:
        """Return the worker's history on the newest LATELY_PAGES."""
        return replace(self, pages=self.pages[:LATELY_PAGES])

    def sightings(self, stage: str, *, among: Collection[int]) -> dict[int, Sighting]:
        """Return how often and when the worker, who gets a page of `stage`, saw those of these images."""
        return sightings(self.pages, stage, among=among)


def history_of(worker_id: int) -> History:
    """Return the worker's history. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, [worker_id, HISTORY_PAGES])
        rows = cursor.fetchall()
    stages = [stage for stage, _, _ in rows]
    # All pages at once: to parse them one by one takes longer.
    images = orjson.loads(f"[{','.join(shown for _, shown, _ in rows)}]")
    checks = orjson.loads(f"[{','.join(placed for _, _, placed in rows)}]")
    asked = Counter(shown[place] for shown, placed in zip(images, checks, strict=True) for place, _ in placed)
    return History(list(zip(stages, images, strict=True)), asked)


logger = logging.getLogger(__name__)

WINDOW_PAGES = 100
"""A page with verification questions is drawn from this many pages of items at the head of the queue.

They are many so that an image comes back no sooner in items than in questions, of which there is only one
in five pages at a share of 2%."""
SPARE = 4
"""How many items are chosen for each place on the page, since others may take some at the same moment."""


@dataclass(frozen=True, slots=True)
class Content:
    """The items and questions of a page, with their images. Both are empty if there is no page."""

    items: Sequence[Candidate] = ()
    questions: Sequence[Candidate] = ()


@dataclass(frozen=True, slots=True)
class Asker:
    """The worker who claims a page, and what is known about them."""

    worker_id: int
    project_id: int
    held: Sequence[Assignment]
    now: datetime
    rng: Random
    place: int | None = None  # the participation, if no platform has confirmed its worker yet
    left: frozenset[int] = frozenset()  # items on pages that they left unanswered

    @property
    def own(self) -> frozenset[int]:
        """Return the items that are not offered: those on the pages that the worker holds, and those left."""
        return self.left.union(item for page in self.held for item in page.items)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a page of a stage is to be made of."""

    stage: str
    size: int
    visits: bool  # everything about an image comes in a row
    share: float | None  # of verification questions; None: the stage asks none
    answered: int  # verification questions that the worker has answered and that count here
    entrance: int | None  # how many of them the entrance has; None: the worker is not at an entrance
    to_enter: int  # the questions that an entrance takes, at most


def plan_page(settings: BatchSettings, stage: str, answered: int) -> Plan:
    """Return the plan of a page for a worker who has answered so many verification questions."""
    entrance = settings.control.entrance
    # A worker who has answered enough for this batch has reached its minimum, or the gate would be closed.
    asks_none = settings.regime[stage] == Regime.OPEN or stage in IN_TESTS_ALONE
    at_entrance = entrance_length(settings, stage) > 0 and answered < entrance
    return Plan(
        stage=stage,
        size=settings.items_a_page[stage],
        visits=settings.page == PAGE_VISIT,
        share=None if asks_none else question_share(settings, stage),
        answered=answered,
        entrance=entrance if at_entrance else None,
        to_enter=to_enter(settings, stage),
    )


def compose_page(asker: Asker, batch: Batch, settings: BatchSettings, plan: Plan) -> Content:
    """Choose the items and questions of a page, and lease the items. Nothing is leased for an empty page.

    Boxes that the worker drew are offered only if nothing else waits for them, and only as the setting
    `author_after_hours` says. The same holds for a second visit to an image.
    """
    content = Content()
    for queue in _queues(asker, batch, settings, plan):
        content = _compose(asker, queue, plan)
        if content.items or content.questions:
            break
    return content


def _queues(asker: Asker, batch: Batch, settings: BatchSettings, plan: Plan) -> Iterator[Queue]:
    """Yield what the worker may be offered: more, each time that nothing of it waits."""
    queue = Queue(batch.pk, plan.stage, asker.worker_id, asker.own)
    yield queue
    if plan.visits:
        queue = replace(queue, again_until=again_until(asker.now))
        yield queue
    until = own_boxes_until(settings.author_after_hours, asker.now)
    if plan.stage in (*JUDGES_BOXES, Stage.REQUIREMENT) and until is not None:
        yield replace(queue, own_until=until)


def _compose(asker: Asker, queue: Queue, plan: Plan) -> Content:
    if plan.entrance is not None:
        return _entrance(asker, queue, plan, entrance=plan.entrance)
    if plan.share is not None:
        return (_visiting if plan.visits else _mixed)(asker, queue, plan.size, plan.share)
    if plan.visits:
        waiting = visits(queue, plan.size * WINDOW_PAGES)
        return Content(items=_lease(asker, queue, waiting, plan.size))
    return Content(items=lease_head(queue, plan.size))


def _mixed(asker: Asker, queue: Queue, size: int, share: float) -> Content:
    """Return items with verification questions among them.

    The work that is done does not depend on how many questions there are, so that its time tells nothing.
    If too few questions are left for the worker, there is no page: else quality control would silently end.
    """
    waiting = queue_head(queue, size * WINDOW_PAGES)
    could, history, seen = _could_ask(asker, queue.stage, {image for _, image in waiting})
    most = most_of(len(waiting), size, share)
    if not waiting:
        return Content()
    if len(could) < most:
        _run_short(asker, queue.stage, len(could), most)
        return Content()
    wanted = min(share_of(size, share, asker.rng), len(could))
    lately = history.lately.sightings(queue.stage, among={image for _, image in waiting})
    chosen = order_items(waiting, lately, asker.rng)
    items = lease_chosen(chosen[: SPARE * size], size - wanted)
    if len(items) < size - wanted:
        others = replace(queue, own=asker.own.union(pk for pk, _ in items))
        items += lease_head(others, size - wanted - len(items))
        wanted = min(wanted, share_beside(len(items), share, asker.rng))
    if not items and wanted < size:
        return Content()
    # As many questions are matched as a page can have, whatever this page has, since the time would be
    # noticed. If a page has one place and a question takes it, the question resembles the item it displaced.
    images = [image for _, image in items or chosen[:size]]
    questions = match_questions(could, images, int(size * share) + 1, seen=seen, rng=asker.rng)
    return Content(asker.rng.sample(items, len(items)), questions[:wanted])


def _could_ask(
    asker: Asker, stage: str, images: Collection[int]
) -> tuple[list[Candidate], History, dict[int, Sighting]]:
    """Return the verification questions that the worker may be asked, and how they saw those and `images`."""
    history = history_of(asker.worker_id)
    could = askable(
        project_id=asker.project_id,
        stage=stage,
        worker_id=asker.worker_id,
        images=history.asked,
        but=known_images(asker.worker_id),
        rng=asker.rng,
    )
    seen = history.sightings(stage, among={*images, *(image for _, image in could)})
    # `askable` knows the items that the worker answered. Those of other pages were seen as well.
    could = [
        (pk, image) for pk, image in could if seen.get(image, NEVER).times == history.asked.get(image, 0)
    ]
    return could, history, seen


def _visiting(asker: Asker, queue: Queue, size: int, share: float) -> Content:
    """Return a page of visits: everything that waits about an image, or questions about another one.

    A question alone among many items about one image would give itself away. So it is whole visits that are
    verification questions, each as probably as `share` says.
    """
    waiting = visits(queue, size * WINDOW_PAGES)
    images = {visit.image for visit in waiting}
    could, history, seen = _could_ask(asker, queue.stage, images)
    items = sum(visit.waiting for visit in waiting)
    most = most_of(items, size, share)
    if not waiting:
        return Content()
    if len(could) < most:
        _run_short(asker, queue.stage, len(could), most)
        return Content()
    lately = history.lately.sightings(queue.stage, among=images)
    visit_of = {visit.image: visit for visit in waiting}
    ordered = [
        visit_of[image] for _, image in order_items([(v.work, v.image) for v in waiting], lately, asker.rng)
    ]
    parts = split_page([(visit.image, visit.waiting) for visit in ordered], size)
    # As for other pages, all visits are matched with questions, whatever this page has.
    matched = match_visits(could, parts, seen=seen, rng=asker.rng)
    odds = share if items >= size else share / (1 - share)
    replaced = draw_questions(parts, matched, odds, asker.rng)
    questions = [question for image in replaced for question in matched[image]]
    ordered.sort(key=lambda visit: visit.image in replaced)  # stable: the others keep their order
    leased = _lease(asker, queue, ordered, size - len(questions))
    if not leased and len(questions) < min(size, items):
        return Content()
    return Content(leased, questions)


def _lease(asker: Asker, queue: Queue, chosen: Sequence[Visit], size: int) -> list[Candidate]:
    """Lease `size` items about these images. Others may take some at the same moment: then more are tried."""
    leased: list[Candidate] = []
    for start in range(0, len(chosen), SPARE * size or 1):
        if len(leased) == size:
            break
        some = chosen[start : start + SPARE * size]
        leased += lease_visits(queue, some, size - len(leased), asker.rng)
    return leased


def _entrance(asker: Asker, queue: Queue, plan: Plan, *, entrance: int) -> Content:
    """Return a full page of verification questions, as long as the worker has answered or holds too few.

    There is no page if no work waits for workers who pass, or if questions run out: items do not stand in.
    """
    stage, size = plan.stage, plan.size
    if plan.answered + _entrance_in_hand(asker, stage) >= entrance or not queue_head(queue, 1):
        return Content()
    may, should = _room(asker, plan)
    if may:
        lock_entrance_images(asker.project_id)
        may, should = _room(asker, plan)  # others may have reserved some meanwhile
    known, reserved = known_images(asker.worker_id), entrance_images(asker.project_id)
    could = askable(
        project_id=asker.project_id,
        stage=stage,
        worker_id=asker.worker_id,
        images=known | reserved,
        rng=asker.rng,
        entrance=True,
    )
    questions = entrance_questions(
        could, size, known=known, reserved=() if should else reserved, rng=asker.rng
    )
    if len(questions) < size:
        _run_short(asker, stage, len(questions), size)
        return Content()
    if may:
        reserve_for_entrances(image for _, image in questions)
    return Content(questions=asker.rng.sample(questions, size))


def _entrance_in_hand(asker: Asker, stage: str) -> int:
    """Count the questions of this stage's entrance on pages that the worker holds.

    The worker may know nothing of pages that somebody unconfirmed claimed under this name. But from an
    unconfirmed place, the pages of such places with the same origin are probably theirs: without them, a
    worker would answer entrance after entrance until the platform confirms the first.
    """
    nearby = pages_nearby(asker)
    own = (page for page in asker.held if page.confirmed or page.pk in nearby)
    return sum(len(page.checks) for page in own if page.stage == stage and not page.items)


def pages_nearby(asker: Asker) -> set[UUID]:
    """Return the pages of places that are probably this worker's, if no platform has confirmed theirs."""
    if asker.place is None:
        return set()
    places = nearby_participations(worker_id=asker.worker_id, place=asker.place)
    return set(places.exclude(assignment=None).values_list("assignment_id", flat=True))


def _room(asker: Asker, plan: Plan) -> tuple[bool, bool]:
    supply = entrance_supply(project_id=asker.project_id, stage=plan.stage)
    return room_for_entrances(everything=supply.everything, reserved=supply.reserved, entrance=plan.to_enter)


def _run_short(asker: Asker, stage: str, left: int, needed: int) -> None:
    """Open a case saying that work waits for more verification questions, unless such a case is open."""
    waits = Case.objects.filter(project_id=asker.project_id, stage=stage, reason=Case.Reason.QUESTION)
    if waits.filter(question=None, closed_at=None).exists():
        return
    logger.warning(
        "worker %d waits in %s: a page takes %d verification questions and %d are left for them; "
        "make more with `manage.py questions make`",
        asker.worker_id,
        stage,
        needed,
        left,
    )
    open_case(
        project_id=asker.project_id,
        reason=Case.Reason.QUESTION,
        now=asker.now,
        worker_id=asker.worker_id,
        stage=stage,
        detail={
            "left": left,
            "needed": needed,
            "unanswered": unanswered(worker_id=asker.worker_id, stage=stage),
        },
    )
