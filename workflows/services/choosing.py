"""What a page is made of: items, and verification questions that cannot be told from them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from annotation.models import Assignment, Batch, Standing
from workflows.domain.control import Regime
from workflows.domain.mixing import (
    Candidate,
    entrance_questions,
    match_questions,
    order_items,
    share_beside,
    share_of,
    sightings,
)
from workflows.domain.policy import BatchSettings
from workflows.gates import Rows, standing_in
from workflows.services.asking import askable, known_images
from workflows.services.taking import take_chosen, take_head, window

logger = logging.getLogger(__name__)

WINDOW_PAGES = 100
"""So many pages of items at the head of a queue are drawn from, where verification questions are mixed in.

Many, so that an image comes back no sooner than questions can: at 2% there is one in five pages."""
HISTORY_PAGES = 100
"""So many pages of a stage count for how often a worker saw an image."""
SPARE = 4
"""Items chosen for a place on the page, since others may take the first of them at the same moment."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a page is made of; empty where there is no page."""

    items: Sequence[Candidate] = ()
    questions: Sequence[Candidate] = ()
    entrance: bool = False


@dataclass(frozen=True, slots=True)
class Asker:
    """Who claims, and what is known of them."""

    worker_id: int
    project_id: int
    held: Sequence[Assignment]
    rows: Rows
    now: datetime
    rng: Random

    @property
    def own(self) -> frozenset[int]:
        """Items in hand."""
        return frozenset(item for page in self.held for item in page.items)


def choose(asker: Asker, batch: Batch, settings: BatchSettings, stage: str) -> Content:
    """Choose and lease what the page has; nothing is leased where it comes out empty."""
    size = settings.items_a_page[stage]
    if settings.regime[stage] == Regime.OPEN:
        taken = take_head(batch_id=batch.pk, stage=stage, worker_id=asker.worker_id, size=size, own=asker.own)
        return Content(items=taken)
    row = standing_in(asker.rows, batch_id=batch.pk, settings=settings, stage=stage)
    if settings.regime[stage] == Regime.VERIFICATION:
        return _mixed(asker, batch.pk, stage, size, settings.control.verification_share)
    if row is not None and row.state == Standing.State.TRUSTED:
        return _mixed(asker, batch.pk, stage, size, settings.control.trusted_share)
    return _entrance(asker, batch.pk, stage, size, row, settings.control.entrance)


def _mixed(asker: Asker, batch_id: int, stage: str, size: int, share: float) -> Content:
    """Items with verification questions among them. What is done does not depend on how many these are."""
    waiting = window(
        batch_id=batch_id,
        stage=stage,
        worker_id=asker.worker_id,
        size=size * WINDOW_PAGES,
        own=asker.own,
    )
    history = Assignment.objects.filter(worker_id=asker.worker_id, stage=stage).order_by("-created_at")
    seen = sightings(list(history.values_list("images", flat=True)[:HISTORY_PAGES]))
    known = known_images(asker.worker_id)
    could = askable(
        project_id=asker.project_id, stage=stage, worker_id=asker.worker_id, images=seen, rng=asker.rng
    )
    wanted = min(share_of(size, share, asker.rng), len(could))
    chosen = order_items(waiting, seen, asker.rng)
    items = take_chosen(chosen[: SPARE * size], size - wanted)
    if len(items) < size - wanted:
        items += take_head(
            batch_id=batch_id,
            stage=stage,
            worker_id=asker.worker_id,
            size=size - wanted - len(items),
            own=asker.own.union(pk for pk, _ in items),
        )
        wanted = min(wanted, share_beside(len(items), share, asker.rng))
    if not items:
        return Content()
    # As many as a page can have, whatever this one has: what takes time would be noticed.
    most = int(size * share) + 1
    questions = match_questions(
        could, [image for _, image in items], most, seen=seen, known=known, rng=asker.rng
    )
    return Content(asker.rng.sample(items, len(items)), questions[:wanted])


def _entrance(
    asker: Asker, batch_id: int, stage: str, size: int, row: Standing | None, entrance: int
) -> Content:
    """A full page of verification questions, as long as too few are answered or in hand.

    Only where work waits for who passes. Where questions run out, there is no page: items do not stand in.
    """
    in_hand = sum(len(page.checks) for page in asker.held if page.stage == stage and not page.items)
    if (row.asked if row else 0) + in_hand >= entrance:
        return Content()
    if not window(batch_id=batch_id, stage=stage, worker_id=asker.worker_id, size=1, own=asker.own):
        return Content()
    known = known_images(asker.worker_id)
    could = askable(
        project_id=asker.project_id, stage=stage, worker_id=asker.worker_id, images=known, rng=asker.rng
    )
    questions = entrance_questions(could, size, known=known, rng=asker.rng)
    if len(questions) < size:
        logger.warning(
            "worker %d cannot enter %s: a page takes %d verification questions and %d are left for them; "
            "make more with `manage.py questions make`",
            asker.worker_id,
            stage,
            size,
            len(questions),
        )
        return Content()
    return Content(questions=asker.rng.sample(questions, size), entrance=True)
