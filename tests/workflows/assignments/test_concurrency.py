"""The promises about pages and judgments under real concurrency, on SQLite and on PostgreSQL.

Any exception in a thread fails its test. Deadlocks and "database is locked" are exceptions, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from annotation.models import Assignment, EntranceImage, Item, Judgment
from tests.factories import (
    LATER,
    NOW,
    claim_maybe,
    claim_page,
    make_at_stage,
    make_controlled,
    make_running,
    make_worker,
    submit_page,
)
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.threads import at_once
from workflows.assignments.claim import claim
from workflows.assignments.leases import LeaseOverError, expire_leases, renew_lease, return_page
from workflows.pipeline.advance import advance_pending

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

LINK = [["man"], ["man"]]


def test_a_page_submitted_from_eight_threads_counts_once() -> None:
    batch = make_running(LINK, images=10)
    page = claim_page(make_worker(batch.project))
    receipts = at_once([partial(submit_page, page)] * 8)
    assert sorted(receipt.replayed for receipt in receipts) == [False] + [True] * 7
    assert {(receipt.accepted, receipt.acknowledged) for receipt in receipts} == {(10, 0)}
    assert Judgment.objects.count() == 10
    check_promises(batch.project)


def test_many_tabs_of_a_worker_hold_one_page() -> None:
    batch = make_running(LINK, images=40)
    worker = make_worker(batch.project)
    claims = at_once([partial(claim_maybe, worker)] * 8)
    assert len({found.assignment.pk for found in claims if found}) == 1
    assert sum(found.created for found in claims if found) == 1
    check_promises(batch.project)


def test_two_pages_of_a_worker_with_the_same_items_count_once() -> None:
    """One ran out, and then the other was claimed. Both are submitted, and more than once."""
    batch = make_running(LINK, images=10)
    worker = make_worker(batch.project)
    late = claim_page(worker)
    expire_leases(now=LATER)
    held = claim_page(worker, now=LATER)
    assert late.items == held.items
    receipts = at_once([partial(submit_page, late), partial(submit_page, held)] * 4)
    assert sum(receipt.accepted for receipt in receipts if not receipt.replayed) == 10
    check_promises(batch.project)


def test_sixteen_workers_share_few_items_without_overlap() -> None:
    batch = make_running(LINK, images=21, items_a_page={"link": 4})
    claims = at_once([partial(claim_maybe, make_worker(batch.project)) for _ in range(16)])
    items = [item for found in claims if found for item in found.assignment.items]
    assert len(items) == len(set(items)) == 21, "every item is leased, and once"
    check_promises(batch.project)


def test_workers_who_enter_at_once_set_no_more_images_apart_than_one_after_the_other() -> None:
    batch = make_controlled("link", "trusted", questions=120)
    claims = at_once([partial(claim_maybe, make_worker(batch.project), stage="link") for _ in range(12)])
    assert all(found and len(found.assignment.checks) == 10 for found in claims)
    apart = EntranceImage.objects.count()
    assert 6 <= apart <= 8, "thirty questions, five an image, and what the last page took"


def test_a_claim_never_leases_more_than_a_page() -> None:
    """Items change during the claims, so that rows are read again after they were locked."""
    batch = make_running(LINK, images=40, items_a_page={"link": 3})

    def claim_and_return(worker_id: int) -> int:
        largest = 0
        for _ in range(6):
            found = claim(worker_id=worker_id, stage="link", now=NOW)
            if found:
                largest = max(largest, len(found.assignment.items))
                return_page(worker_id=worker_id, assignment_id=found.assignment.pk)
        return largest

    workers = [make_worker(batch.project).pk for _ in range(12)]
    assert max(at_once([partial(claim_and_return, worker) for worker in workers])) == 3
    assert not Item.objects.exclude(leased=0).exists()
    check_promises(batch.project)


def test_who_drew_a_box_never_judges_it_in_the_crush() -> None:
    batch = make_at_stage("drawing", images=6, items_a_page={"drawing": 2, "quality": 2})

    def work(worker_id: int) -> None:
        for stage in ("drawing", "quality") * 8:
            found = claim(worker_id=worker_id, stage=stage, now=NOW)
            if found:
                submit_page(found.assignment)
                advance_pending(now=NOW)

    at_once([partial(work, make_worker(batch.project).pk) for _ in range(6)])
    judged = Judgment.objects.filter(item__stage="quality")
    pairs = judged.values_list("worker_id", "item__box__judgment__worker_id")
    assert len(pairs) == 6
    assert all(judge != drawer for judge, drawer in pairs)
    advance_pending(now=NOW)
    check_promises(batch.project)
    check_rules(batch.project)


def test_expiry_racing_with_submissions_counts_every_answer_once() -> None:
    batch = make_running(LINK, images=30, items_a_page={"link": 3})
    pages = [claim_page(make_worker(batch.project)) for _ in range(10)]
    others = [make_worker(batch.project) for _ in range(4)]
    calls: list[Callable[[], object]] = [partial(expire_leases, now=LATER)] * 2
    calls += [partial(submit_page, page) for page in pages]
    calls += [partial(claim_maybe, worker, now=LATER) for worker in others]
    at_once(calls)
    check_promises(batch.project)
    submitted = Assignment.objects.filter(pk__in=[page.pk for page in pages], state="submitted")
    assert submitted.count() == 10
    for page in Assignment.objects.filter(state="live"):
        submit_page(page, now=LATER)
    assert Judgment.objects.count() == 30
    check_promises(batch.project)


def test_return_renewal_expiry_and_submission_of_one_page_agree_on_its_end() -> None:
    batch = make_running(LINK, images=5)
    page = claim_page(make_worker(batch.project))

    def renew_if_held() -> None:
        try:
            renew_lease(worker_id=page.worker_id, assignment_id=page.pk, now=NOW)
        except LeaseOverError:
            assert Assignment.objects.get().state != Assignment.State.LIVE

    calls: list[Callable[[], object]] = [
        partial(submit_page, page),
        partial(return_page, worker_id=page.worker_id, assignment_id=page.pk),
        partial(expire_leases, now=LATER),
        renew_if_held,
    ]
    at_once(calls * 2)
    check_promises(batch.project)
    assert Judgment.objects.count() == 5
    assert Assignment.objects.get().state == Assignment.State.SUBMITTED


def test_a_lease_that_ran_out_is_either_taken_back_or_the_workers_again() -> None:
    batch = make_running(LINK, images=8, items_a_page={"link": 1})
    workers = [make_worker(batch.project) for _ in range(8)]
    for worker in workers:
        claim_page(worker)
    calls: list[Callable[[], object]] = [partial(expire_leases, now=LATER)]
    calls += [partial(claim_maybe, worker, now=LATER) for worker in workers]
    at_once(calls)
    check_promises(batch.project)
    live = Assignment.objects.filter(state="live")
    assert not live.filter(expires_at__lte=LATER).exists(), "nobody works under a lease that is over"
