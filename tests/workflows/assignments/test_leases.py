from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Assignment, Item
from tests.factories import LATER, NOW, claim_maybe, claim_page, make_running, make_worker, submit_page
from tests.workflows.pipeline.invariants import check_promises
from workflows.assignments.leases import (
    SWEEP_AT_ONCE,
    LeaseOverError,
    expire_leases,
    renew_lease,
    return_page,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

LINK = [["man"], ["man"]]
SOON = NOW + timedelta(minutes=10)


def test_a_renewal_gives_a_full_term_from_now() -> None:
    batch = make_running(LINK)
    page = claim_page(make_worker(batch.project))
    assert renew_lease(worker_id=page.worker_id, assignment_id=page.pk, now=SOON) == SOON + timedelta(
        seconds=900
    )
    assert expire_leases(now=NOW + timedelta(minutes=16)) == 0
    assert expire_leases(now=SOON + timedelta(minutes=16)) == 1


def test_the_term_is_a_setting_of_the_batch() -> None:
    batch = make_running(LINK, lease_seconds=60)
    page = claim_page(make_worker(batch.project))
    assert page.expires_at == NOW + timedelta(seconds=60)
    assert renew_lease(worker_id=page.worker_id, assignment_id=page.pk, now=SOON) == SOON + timedelta(
        seconds=60
    )


def test_a_lease_that_nobody_took_back_yet_is_renewed_after_its_end() -> None:
    batch = make_running(LINK, lease_seconds=60)
    page = claim_page(make_worker(batch.project))
    assert renew_lease(worker_id=page.worker_id, assignment_id=page.pk, now=LATER) == LATER + timedelta(
        seconds=60
    )
    assert expire_leases(now=LATER) == 0


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ("submitted", "was submitted already"),
        ("returned", "was returned already"),
        ("expired", "is over. Submit it"),
    ],
)
def test_a_lease_that_is_over_cannot_be_renewed(over: str, said: str) -> None:
    batch = make_running(LINK)
    page = claim_page(make_worker(batch.project))
    match over:
        case "submitted":
            submit_page(page)
        case "returned":
            return_page(worker_id=page.worker_id, assignment_id=page.pk)
        case _:
            expire_leases(now=LATER)
    with pytest.raises(LeaseOverError, match=said):
        renew_lease(worker_id=page.worker_id, assignment_id=page.pk, now=SOON)


def test_a_page_of_another_worker_is_neither_renewed_nor_returned() -> None:
    batch = make_running(LINK)
    page = claim_page(make_worker(batch.project))
    other = make_worker(batch.project)
    for worker, assignment in ((other.pk, page.pk), (page.worker_id, uuid4())):
        assert renew_lease(worker_id=worker, assignment_id=assignment, now=NOW) is None
        assert return_page(worker_id=worker, assignment_id=assignment) is False
    assert Assignment.objects.get().state == Assignment.State.LIVE


def test_a_returned_page_is_for_others_at_once() -> None:
    batch = make_running(LINK, images=3)
    page = claim_page(make_worker(batch.project))
    assert return_page(worker_id=page.worker_id, assignment_id=page.pk)
    assert claim_page(make_worker(batch.project)).items == page.items
    check_promises(batch.project)


def test_returning_twice_releases_once() -> None:
    batch = make_running(LINK, images=3)
    page = claim_page(make_worker(batch.project))
    for _ in range(2):
        assert return_page(worker_id=page.worker_id, assignment_id=page.pk)
    check_promises(batch.project)
    assert claim_maybe(make_worker(batch.project))
    assert return_page(worker_id=page.worker_id, assignment_id=page.pk)
    check_promises(batch.project)


def test_returning_a_submitted_page_changes_nothing() -> None:
    batch = make_running(LINK)
    page = claim_page(make_worker(batch.project))
    submit_page(page)
    assert return_page(worker_id=page.worker_id, assignment_id=page.pk)
    assert Assignment.objects.get().state == Assignment.State.SUBMITTED
    check_promises(batch.project)


def test_only_leases_that_ran_out_are_taken_back() -> None:
    batch = make_running(LINK, images=2, items_a_page={"link": 1})
    old = claim_page(make_worker(batch.project))
    young = claim_page(make_worker(batch.project), now=SOON)
    assert expire_leases(now=NOW + timedelta(minutes=16)) == 1
    states = dict(Assignment.objects.values_list("pk", "state"))
    assert states == {old.pk: Assignment.State.EXPIRED, young.pk: Assignment.State.LIVE}
    assert list(Item.objects.filter(leased=1).values_list("pk", flat=True)) == young.items
    check_promises(batch.project)


def test_more_leases_than_one_transaction_takes_are_all_taken_back() -> None:
    count = SWEEP_AT_ONCE + 5
    batch = make_running(LINK, images=count, items_a_page={"link": 1})
    for _ in range(count):
        claim_page(make_worker(batch.project))
    assert expire_leases(now=LATER) == count
    assert expire_leases(now=LATER) == 0
    check_promises(batch.project)


def test_the_database_itself_refuses_more_leases_than_needed() -> None:
    batch = make_running(LINK)
    claim_page(make_worker(batch.project))
    with pytest.raises(IntegrityError, match="item_not_over_needed"), transaction.atomic():
        Item.objects.update(leased=2)
