"""Claim a page of items for a worker, under a lease."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random, SystemRandom
from typing import Any

from django.db import OperationalError, transaction
from django.db.models import Count, Q

from annotation.domain.answers import Stage
from annotation.domain.page_entries import (
    ITEM,
    QUESTION,
    merge_entries,
    place_questions,
    place_together,
)
from annotation.models import Assignment, Batch
from annotation.transactions import write_transaction
from workflows.assignments.domain import own_boxes_until
from workflows.assignments.item_queue import count_waiting
from workflows.assignments.page_composition import (
    Asker,
    Content,
    Plan,
    compose_page,
    pages_nearby,
    plan_page,
)
from workflows.assignments.page_view import shown_page
from workflows.assignments.unanswered_pages import take_up_again, unanswered_pages
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings, shows_suggestions, stages_by_need
from workflows.batch_settings.selectors import settings_of
from workflows.instructions.selectors import newest_id
from workflows.money.bound_pages import amount_to_bind, bind_page, has_room
from workflows.money.domain.ledger import CapError
from workflows.money.domain.wage_floor import reward_of
from workflows.quality.domain.stage_access import Access
from workflows.quality.gates import Gate, Standings, best_gate, gates, gates_at_rest, standings_of
from workflows.quality.standings import refresh_standings
from workflows.questions.domain.supply import is_unaided_page
from workflows.questions.exposure import expose
from workflows.suggestions.selectors import is_off
from workflows.workers.enrolment import WorkerBlockedError, lock_worker

logger = logging.getLogger(__name__)

PAGES_AT_ONCE = len(Stage)
"""The most pages one worker may hold under keys.

The limit is there because clients choose their keys, and could hoard work with them. Without a key, a worker
holds one page of a stage at most, some of which came with a receipt and were never looked at: these do not
count. Nor does a page at a place on a platform until the platform confirms the worker: anybody may take it
under any name, and a place has only so many pages."""


class ClaimError(Exception):
    """The worker may not claim this page now. The message says what to do."""


class TooManyPagesError(ClaimError):
    """The worker holds as many pages under keys as one may."""

    def __init__(self, held: int) -> None:
        super().__init__(f"You hold {held} pages. Submit or return one first.")
        self.held = held


class NotAdmittedError(Exception):
    """The stage is not open to the worker.

    `standing` says why. `retry_in` is the number of seconds after which it may be open, if that is known.
    """

    def __init__(self, standing: str, retry_in: float | None) -> None:
        super().__init__(standing)
        self.standing = standing
        self.retry_in = retry_in


@dataclass(frozen=True, slots=True)
class Claim:
    """A page, and whether it was leased just now. A page that was held already comes back as it is."""

    assignment: Assignment
    created: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A place on a crowd platform: the batch whose page it gives, and the reward that was published."""

    batch_id: int
    reward: int  # in the currency's smallest unit
    currency: str
    confirmed: bool  # the platform has said who the worker is
    participation_id: int
    first: bool = True  # whether it is the place's first page

    @property
    def unconfirmed(self) -> int | None:
        """Return the participation whose worker is not confirmed yet, or None if the worker is confirmed."""
        return None if self.confirmed else self.participation_id


def claim(
    *,
    worker_id: int,
    stage: str | None,
    now: datetime,
    key: str = "",
    rng: Random | None = None,
    at: Place | None = None,
    entrances: bool = True,
) -> Claim | None:
    """Lease a page of `stage`, or of the stage that needs work most if `stage` is None.

    Return None if there is no work for the worker. A worker holds one page of each stage (and of each `key`
    of a provider). Claiming again returns the same page, so that a lost reply or a second tab never costs a
    second page; if `stage` is None, a held page of any stage is returned. A page `at` a platform's place
    comes from the batch of that place and pays what was published. Without `entrances`, a worker who would
    get nothing but verification questions gets no page.

    Raise WorkerBlockedError for a blocked worker, NotAdmittedError for a `stage` that no batch opens to the
    worker, TooManyPagesError for another key with too many pages in hand, and ClaimError for a key that was
    used before.
    """
    with write_transaction():
        project_id = lock_worker(worker_id)
        pages = Assignment.objects.filter(worker_id=worker_id)
        held = list(pages.filter(state=Assignment.State.LIVE))
        for assignment in held:
            if assignment.key == key and stage in (None, assignment.stage) and _still_held(assignment, now):
                return Claim(assignment, created=False)
        if key and (before := pages.filter(key=key).first()):
            if before.state == Assignment.State.EXPIRED:
                return Claim(before, created=False)  # it can still be submitted
            raise ClaimError(f"You had a page under the key {key!r} already. Claim with a new key.")
        in_hand = sum(1 for page in held if page.key and page.confirmed)
        if key and (at is None or at.confirmed) and in_hand >= PAGES_AT_ONCE:
            raise TooManyPagesError(in_hand)
        running = Batch.objects.filter(project_id=project_id, state=Batch.State.RUNNING).order_by("id")
        if at is not None:
            running = running.filter(pk=at.batch_id)
        # Work that a platform pays for is done only at its places.
        batches = [
            (batch, settings)
            for batch in running
            if (settings := settings_of(batch)).crowd.provider == DIRECT or at is not None
        ]
        standings: Standings = {}
        if any(set(settings.regime.values()) != {Regime.OPEN} for _, settings in batches):
            refresh_standings(worker_id=worker_id, now=now)
            standings = standings_of(worker_id)
        asker = Asker(
            worker_id=worker_id,
            project_id=project_id,
            held=held,
            now=now,
            rng=rng or Random(SystemRandom().getrandbits(128)),
            place=at.unconfirmed if at else None,
        )
        shut: list[Gate] = []
        for batch, settings in batches:
            wanted = [stage] if stage else _most_needed(batch.pk, settings)
            if stage and stage not in settings.items_a_page:
                continue  # the batch's protocol has no such stage
            stage_gates = gates(
                worker_id=worker_id,
                batch_id=batch.pk,
                settings=settings,
                stages=wanted,
                rows=standings,
                now=now,
                place=at.unconfirmed if at else None,
                limited=at is None or at.first,
            )
            shut += stage_gates.values()
            for candidate in wanted:
                gate = stage_gates[candidate]
                if not gate.is_open:
                    continue
                plan = plan_page(settings, candidate, gate.answered)
                if plan.entrance is not None and not entrances:
                    return None
                if page := _page(asker, batch, settings, plan, key, at):
                    return Claim(page, created=True)
        if stage and not batches:
            shut += _lost(worker_id, stage, now)
        if stage and not (gate := best_gate(shut)).is_open:
            raise NotAdmittedError(str(gate.standing), gate.retry_in(now))
    return None


def claim_next(*, worker_id: int, stage: str, now: datetime) -> dict[str, Any] | None:
    """Lease and show the page that comes after one that was submitted. Return None if there is none now.

    The submission is stored already, and its worker waits for the receipt. So whatever is in the way of
    another page is not an error here. The worker learns it from the next claim.

    The worker has not asked for a page yet, and may stop here. So this is no page of an entrance: all of its
    questions would be used up.
    """
    try:
        found = claim(worker_id=worker_id, stage=stage, now=now, entrances=False)
        return shown_page(found.assignment, now=now) if found else None
    except (ClaimError, NotAdmittedError, WorkerBlockedError):
        return None
    except OperationalError as error:
        logger.warning("no page comes with a receipt: %s", " ".join(str(error).split()))
        return None


def _most_needed(batch_id: int, settings: BatchSettings) -> list[str]:
    """Return the stages with waiting items, in the order in which they are offered. One statement."""
    return stages_by_need(count_waiting(batch_id=batch_id, most=settings.items_a_page), settings)


def _lost(worker_id: int, stage: str, now: datetime) -> list[Gate]:
    """Return the closed gate of a worker who may not come back to the stage, while no batch runs.

    Return nothing for other workers: like everybody, those who wait or have a test to pass have no work now.
    """
    found = gates_at_rest(worker_id=worker_id, stages=[stage], now=now)
    return [gate for gate in found.values() if gate.standing == Access.CLOSED]


def _still_held(assignment: Assignment, now: datetime) -> bool:
    """Return whether the worker still holds the page.

    A page that ran out but was not taken back is leased for a full new term.
    """
    if assignment.expires_at > now:
        return True
    assignment.expires_at = now + timedelta(seconds=settings_of(assignment.batch).lease_seconds)
    # The sweep may be taking it back at this moment; then it is gone.
    live = Assignment.objects.filter(pk=assignment.pk, state=Assignment.State.LIVE)
    return live.update(expires_at=assignment.expires_at) == 1


def _page(
    asker: Asker, batch: Batch, settings: BatchSettings, plan: Plan, key: str, at: Place | None
) -> Assignment | None:
    """Return a page that the worker has left unanswered, or else a new one. None: there is nothing to do."""
    if settings.regime[plan.stage] != Regime.OPEN:  # else no page has verification questions
        left = unanswered_pages(
            worker_id=asker.worker_id,
            batch=batch,
            stage=plan.stage,
            since=own_boxes_until(settings.author_after_hours, asker.now),
        )
        # A place on a platform has a page of its own.
        if left and at is None and not key:
            again = _again(asker, batch, settings, plan, left)
            if again is not None:
                return again
        asker = replace(asker, left=frozenset(item for page in left for item in page.items))
    return _lease(asker, batch, settings, plan, key, at)


def _again(
    asker: Asker, batch: Batch, settings: BatchSettings, plan: Plan, left: Sequence[Assignment]
) -> Assignment | None:
    """Return one of the pages that the worker has left, leased again. None: there is none.

    Its money may have been let go, so none comes again where money is bound. Nor does a page that would be
    made otherwise now: with items for a worker at an entrance, or with suggestions that were switched off.
    """
    if amount_to_bind(batch_id=batch.pk, worker_id=asker.worker_id, settings=settings, stage=plan.stage):
        return None
    unaided = _is_unaided(asker, batch, settings, plan)
    fitting = [page for page in left if page.unaided == unaided and (plan.entrance is None or not page.items)]
    return take_up_again(
        fitting, worker_id=asker.worker_id, now=asker.now, lease_seconds=settings.lease_seconds
    )


def _is_unaided(asker: Asker, batch: Batch, settings: BatchSettings, plan: Plan) -> bool:
    if not shows_suggestions(plan.stage, settings):
        return False
    if is_off(batch_id=batch.pk, worker_id=asker.worker_id):
        return True
    if plan.entrance is None:
        return False
    # Those of the entrance that the worker has answered or holds. Of a name, strangers may hold some as well.
    taken = (Assignment.State.LIVE, Assignment.State.SUBMITTED)
    pages = Assignment.objects.filter(
        Q(confirmed=True) | Q(pk__in=pages_nearby(asker)),
        worker_id=asker.worker_id,
        batch=batch,
        stage=plan.stage,
        state__in=taken,
        items=[],
    )
    unaided = Q(unaided=True)
    counts = pages.aggregate(aided=Count("pk", filter=~unaided), unaided=Count("pk", filter=unaided))
    return is_unaided_page(**counts)


def _lease(
    asker: Asker, batch: Batch, settings: BatchSettings, plan: Plan, key: str, at: Place | None
) -> Assignment | None:
    """Return a new page, or None if there is nothing to do or no money left to pay for it.

    The page's money is bound if the batch has a cap and no platform pays the worker.
    """
    bound = 0
    if at is None:
        bound = amount_to_bind(
            batch_id=batch.pk, worker_id=asker.worker_id, settings=settings, stage=plan.stage
        )
    if bound and not has_room(batch_id=batch.pk, amount=bound):
        return None
    try:
        # If somebody else takes the last of the money meanwhile, the leases are rolled back.
        with transaction.atomic() if bound else nullcontext():
            content = compose_page(asker, batch, settings, plan)
            if not content.items and not content.questions:
                return None
            page = _write(asker, batch, settings, plan, content, key, at)
            if bound:
                bind_page(page=page, amount=bound, now=asker.now)
    except CapError:
        return None
    return page


def _write(
    asker: Asker,
    batch: Batch,
    settings: BatchSettings,
    plan: Plan,
    content: Content,
    key: str,
    at: Place | None,
) -> Assignment:
    """Write the page, and that its worker is shown its verification questions."""
    stage = plan.stage
    items, questions = [pk for pk, _ in content.items], [pk for pk, _ in content.questions]
    if plan.visits and plan.share is not None:
        items, checks = place_together(content.items, content.questions, asker.rng)
    else:
        checks = place_questions(len(items), questions, asker.rng)
    image_of = {(ITEM, pk): image for pk, image in content.items}
    image_of |= {(QUESTION, pk): image for pk, image in content.questions}
    assignment = Assignment.objects.create(
        worker_id=asker.worker_id,
        batch=batch,
        stage=stage,
        key=key,
        items=items,
        checks=checks,
        images=[image_of[entry] for entry in merge_entries(items, checks)],
        reward=at.reward if at else reward_of(settings, stage, len(items) + len(questions)),
        currency=at.currency if at else settings.currency,
        confirmed=at is None or at.confirmed,
        instructions_id=newest_id(asker.project_id, stage),
        unaided=_is_unaided(asker, batch, settings, plan),
        created_at=asker.now,
        expires_at=asker.now + timedelta(seconds=settings.lease_seconds),
    )
    if settings.regime[stage] != Regime.OPEN:
        expose(assignment=assignment, questions=questions, entrance=plan.entrance is not None, now=asker.now)
    return assignment
