"""The clock is set forward or back by two hours while people work: nothing is lost or kept for long."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from annotation.models import Assignment, Batch, Judgment
from tests.factories import NOW, claim_page, make_running, make_worker, submit_page
from tests.workflows.pipeline.invariants import check_promises
from workflows.assignments.leases import CLOCKS_APART, expire_leases
from workflows.assignments.submit import HOLDING
from workflows.crowd.direct.page_earnings import post_earnings

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

STEP, TERM = timedelta(hours=2), timedelta(minutes=15)
BACK, FORWARD = NOW - STEP, NOW + STEP
STEPS = pytest.mark.parametrize("then", [BACK, FORWARD], ids=["back", "forward"])


@pytest.fixture
def batch() -> Batch:
    return make_running([["man"], ["man"]], images=3, reward={"link": 20})


@STEPS
def test_a_page_that_is_in_work_counts_and_is_paid(batch: Batch, then: datetime) -> None:
    page = claim_page(make_worker(batch.project))
    expire_leases(now=then)
    assert submit_page(page, now=then + timedelta(minutes=1)).accepted == 3
    assert post_earnings(clock=lambda: then).pages == 1
    assert Judgment.objects.count() == 3
    check_promises(batch.project)


@STEPS
def test_a_page_that_was_not_taken_back_is_claimed_again_with_at_least_a_full_term(
    batch: Batch, then: datetime
) -> None:
    page = claim_page(make_worker(batch.project))
    again = claim_page(page.worker, now=then)
    assert again.pk == page.pk and again.expires_at >= then + TERM


def test_after_a_step_back_an_abandoned_page_is_kept_for_one_term(batch: Batch) -> None:
    page = claim_page(make_worker(batch.project))
    assert expire_leases(now=BACK) == 0
    assert expire_leases(now=BACK + TERM) == 0, "it has its full term"
    assert expire_leases(now=BACK + TERM + timedelta(seconds=1)) == 1
    assert claim_page(make_worker(batch.project), now=BACK + TERM + STEP / 8).items == page.items
    check_promises(batch.project)


def test_after_a_step_forward_a_lease_ends_early_by_no_more_than_its_length(batch: Batch) -> None:
    """Nobody can tell that the worker did not leave. The answers count all the same, as above."""
    claim_page(make_worker(batch.project))
    assert expire_leases(now=FORWARD) == 1
    young = claim_page(make_worker(batch.project), now=FORWARD)
    assert expire_leases(now=FORWARD + TERM) == 0
    assert young.expires_at == FORWARD + TERM


def test_clocks_of_several_machines_may_differ_a_little(batch: Batch) -> None:
    page = claim_page(make_worker(batch.project))
    expire_leases(now=NOW - CLOCKS_APART)
    assert Assignment.objects.get().expires_at == page.expires_at


@STEPS
def test_held_answers_stay_held_for_about_a_day(batch: Batch, then: datetime) -> None:
    page = claim_page(make_worker(batch.project))
    Assignment.objects.filter(pk=page.pk).update(confirmed=False)
    page.refresh_from_db()
    submit_page(page)
    assert expire_leases(now=then) == 0
    held = Assignment.objects.get()
    assert held.held is not None and held.expires_at == NOW + HOLDING
