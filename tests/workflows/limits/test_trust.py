"""Nobody becomes or stays trusted by accepting every suggestion, by the real rules of trust."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.protocols import PROTOCOL_STAGES
from annotation.models import Batch, Standing, Worker
from tests.entities_fast import ONE, THREE
from tests.factories import FAST, NOW, answer_page, claim_maybe, make_controlled, make_worker
from tests.suggesting_models import make_set, pin
from tests.workflows.quality.answered_pages import enter
from workflows.assignments.claim import NotAdmittedError
from workflows.limits.stops import look_at_suggestions

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

COPY_ALL = {"boxes": [{"box": ONE, "suggestion": 0}, {"box": THREE, "suggestion": 1}]}
ALONE = {"boxes": [{"box": [0, 0, 30, 30]}]}
"""What somebody says who is shown nothing to accept."""


def suggesting(**settings: Any) -> Batch:
    """Return a batch that trusts workers, whose every item and question shows a good box and a bad one."""
    batch = make_controlled(
        "boxes",
        "trusted",
        images=30,
        questions=100,
        control={"entrance": 10, "trusted_share": 0.3},
        **settings,
    )
    return pin(batch, set=make_set(batch.project, lambda mention: [[*ONE, 0.9], [*THREE, 0.8]]).number)


def accept_all(worker: Worker) -> bool:
    """Let a worker accept all that a page shows. Return False if there is no work for them."""
    try:
        if claim_maybe(worker, stage="boxes") is None:
            return False
    except NotAdmittedError:
        return False
    answer_page(
        worker,
        stage="boxes",
        answering=lambda _, question: COPY_ALL if question.get("suggestions") else ALONE,
    )
    return True


def standing_of(worker: Worker) -> Standing:
    return Standing.objects.get(worker=worker, stage="boxes")


@pytest.mark.parametrize("looking", [True, False])
def test_who_accepts_everything_is_never_trusted(looking: bool) -> None:
    """Bad boxes on known images are errors. Once suggestions are off, nothing is left to accept."""
    worker = make_worker(suggesting().project)
    for _ in range(10):
        if not accept_all(worker):
            break
        if looking:
            look_at_suggestions(now=NOW)
        assert standing_of(worker).state != "trusted"
    assert worker.suggestion_stops.exists() is looking
    assert standing_of(worker).state == "lost"


def test_whom_a_detector_has_made_trusted_begins_anew_without_it() -> None:
    """Where a detector is often right, whoever accepts all has a good score: here any score is enough."""
    batch = suggesting(minimum_score=dict.fromkeys(PROTOCOL_STAGES[FAST], 0.0))
    worker, careful = make_worker(batch.project), make_worker(batch.project)
    enter(careful, "boxes")
    while not Standing.objects.filter(worker=worker, state="trusted").exists():
        assert accept_all(worker)
    assert look_at_suggestions(now=NOW) == 1
    found = standing_of(worker)
    assert (found.state, found.asked, found.right) == ("entering", 0, 0)
    assert standing_of(careful).state == "trusted"
    assert accept_all(worker)
    assert standing_of(worker).state == "entering", "it counts from now on"


def test_after_a_stop_a_worker_can_earn_trust_by_drawing() -> None:
    worker = make_worker(suggesting().project)
    while not worker.suggestion_stops.exists():
        assert accept_all(worker)
        look_at_suggestions(now=NOW)
    assert (standing_of(worker).state, standing_of(worker).asked) == ("entering", 0)
    enter(worker, "boxes")
    assert standing_of(worker).state == "trusted"


def test_trust_that_was_lost_stays_lost() -> None:
    worker = make_worker(suggesting().project)
    while accept_all(worker):
        pass
    assert standing_of(worker).state == "lost"
    before = standing_of(worker).asked
    assert look_at_suggestions(now=NOW) == 1
    assert (standing_of(worker).state, standing_of(worker).asked) == ("lost", before)
