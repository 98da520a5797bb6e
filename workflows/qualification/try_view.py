"""Shows workers the qualification test of a stage: where they are in it, and its questions."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from annotation.models import QualificationTry
from workflows.assignments.page_view import how_a_check_begins, questions_shown
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.instructions.selectors import newest_for_worker, shown_to_worker
from workflows.quality.admission import screened, settings_of_test, situations, tries_of
from workflows.quality.domain.admission import OPEN, Part
from workflows.workers.places import batch_of_participation, unconfirmed_participation

NOT_REQUIRED = "not_required"
FIGURES = "figures"
STATES = (*(str(part) for part in Part), FIGURES, NOT_REQUIRED)
"""Where a worker can be: in the test, held back by the platform's data, or in a stage without a test."""

_NOT_REQUIRED = {"state": NOT_REQUIRED, "tries_left": 0, "retry_in": None}


def state_of(
    *, worker_id: int, stage: str, now: datetime, participation_id: int | None = None
) -> dict[str, Any]:
    """Return where the worker is in the test, with the open try, as the API shows it."""
    place = unconfirmed_participation(participation_id)
    held = _open_try(worker_id, stage, place)
    settings = settings_of_test(
        worker_id=worker_id, stage=stage, batch_id=batch_of_participation(participation_id)
    )
    terms = settings or BatchSettings()
    return {
        "stage": stage,
        **(
            _NOT_REQUIRED
            if settings is None and held is None
            else _standing(worker_id, stage, terms, now, place)
        ),
        "try": None if held is None else shown(held, now=now, settings=terms),
        "pass_mark": terms.pass_mark[stage] if held is None else held.pass_mark,
        "training_items": terms.screening.training_items,
        "test_items": terms.screening.test_items,
        "instructions": shown_to_worker(newest_for_worker(worker_id, stage), worker_id=worker_id, now=now),
    }


def outcome(held: QualificationTry, *, now: datetime, participation_id: int | None = None) -> dict[str, Any]:
    """Return how a try ended: how many answers were right, but never which."""
    batch_id = batch_of_participation(participation_id)
    settings = settings_of_test(worker_id=held.worker_id, stage=held.stage, batch_id=batch_id)
    return {
        "passed": held.state == QualificationTry.State.PASSED,
        "right": held.right,
        "asked": held.asked,
        "pass_mark": held.pass_mark,
        **_standing(held.worker_id, held.stage, settings or BatchSettings(), now, held.place),
    }


def shown(
    held: QualificationTry,
    *,
    now: datetime,
    settings: BatchSettings | None = None,
    participation_id: int | None = None,
) -> dict[str, Any]:
    """Return the part of the try that comes next, in the shape of a page."""
    if settings is None:
        batch_id = batch_of_participation(participation_id)
        settings = (
            settings_of_test(worker_id=held.worker_id, stage=held.stage, batch_id=batch_id) or BatchSettings()
        )
    training = held.state == QualificationTry.State.TRAINING
    ids = held.training if training else held.test
    questions = questions_shown(held.stage, ids, worker_id=held.worker_id, now=now)
    return {
        "number": held.number,
        "stage": held.stage,
        "part": held.state,
        "answered": [place for place, pk in enumerate(ids, start=1) if training and str(pk) in held.answers],
        "drawing": {"method": settings.drawing, "minimum_side": settings.minimum_side},
        **how_a_check_begins(settings, held.stage),
        "items": [{"item": place, "question": question} for place, question in enumerate(questions, start=1)],
    }


def _open_try(worker_id: int, stage: str, place: int | None) -> QualificationTry | None:
    return tries_of(worker_id=worker_id, place=place).filter(stage=stage, state__in=OPEN).last()


def _standing(
    worker_id: int, stage: str, settings: BatchSettings, now: datetime, place: int | None
) -> dict[str, Any]:
    """Return the state in a word, in how many seconds the next try is possible, and how many are left."""
    found = situations(worker_id=worker_id, settings=settings, stages=[stage], now=now, place=place)
    where = found[stage]
    return {
        "state": str(where.part) if screened(worker_id=worker_id, settings=settings) else FIGURES,
        "tries_left": where.left,
        "retry_in": None if where.until is None else (where.until - now).total_seconds(),
    }
