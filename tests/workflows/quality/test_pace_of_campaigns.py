"""Workers who judge captions faster than anybody reads them become a case."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.models import Assignment, Case
from tests.campaigns import RELEVANCE, make_judged
from tests.factories import NOW, claim_page, make_worker, replies
from workflows.assignments.submit import submit
from workflows.quality.domain.pace import MIN_ANSWERS, least_seconds
from workflows.quality.pace import check_pace

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("seconds", "cases"), [(0.9, 1), (3.0, 0)])
def test_captions_take_time_to_read(seconds: float, cases: int) -> None:
    """Two captions of two words each take 1.1 seconds at least."""
    assert seconds != pytest.approx(least_seconds(4, drawn=0))
    batch = make_judged(RELEVANCE, images=MIN_ANSWERS, items_a_page={"relevance": MIN_ANSWERS})
    worker = make_worker(batch.project)
    page = claim_page(worker)
    given = [replace(one, seconds=seconds) for one in replies(page)]
    submit(worker_id=worker.pk, assignment_id=page.pk, replies=given, now=NOW)
    # The page's own time says nothing here: it was claimed and submitted at one moment.
    Assignment.objects.update(submitted_at=None)
    check_pace(now=NOW)
    assert Case.objects.filter(reason=Case.Reason.PACE).count() == cases
