"""Money for pages of direct workers is reserved if there is a cap, and owed once they are submitted."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from annotation.models import Assignment, Batch
from tests.factories import LATER, NOW, claim_maybe, claim_page, make_running, make_worker, submit_page
from tests.workflows.threads import at_once
from workflows.assignments.leases import expire_leases, return_page
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.settings_edits import change_settings
from workflows.crowd.direct.page_earnings import Posted, post_earnings
from workflows.crowd.models import Problem
from workflows.crowd.payments.book_check import verify_books
from workflows.money.domain.wage_floor import ENOUGH_PAGES
from workflows.money.models import Budget, LedgerEntry

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
MANY = [["man", "dog", "woman"], ["man", "dog", "woman"], ["man", "dog", "woman"]]


def _batch(reward: int = 20, *, images: int = 6, **crowd: Any) -> Batch:
    return make_running(MANY, images=images, reward={"link": reward}, items_a_page={"link": 2}, crowd=crowd)


def _budget() -> tuple[int, int]:
    budget = Budget.objects.get()
    return budget.reserved, budget.spent


def _submit(batch: Batch, name: str = "") -> Assignment:
    page = claim_page(make_worker(batch.project, name))
    submit_page(page)
    return page


def test_a_submitted_page_is_owed_once() -> None:
    batch = _batch()
    page = _submit(batch)
    assert post_earnings(clock=lambda: LATER) == Posted(pages=1)
    assert post_earnings(clock=lambda: LATER) == Posted()
    entry = LedgerEntry.objects.get()
    assert (entry.token, entry.assignment_id, entry.worker_id) == (
        f"earn:page:{page.pk}",
        page.pk,
        page.worker_id,
    )
    assert _budget() == (0, 20)
    assert verify_books() == []


def test_one_stopped_before_it_unmarked_the_pages_does_not_pay_twice() -> None:
    page = _submit(_batch())
    post_earnings(clock=lambda: LATER)
    Assignment.objects.filter(pk=page.pk).update(owed=True)
    post_earnings(clock=lambda: LATER)
    assert _budget() == (0, 20)
    assert not Assignment.objects.filter(owed=True).exists()


def test_who_came_through_a_platform_is_paid_there() -> None:
    batch = _batch()
    worker = make_worker(batch.project)
    worker.provider = "prolific"
    worker.save()
    submit_page(claim_page(worker))
    assert post_earnings(clock=lambda: LATER) == Posted()
    assert verify_books() == []


def test_a_page_nobody_brings_into_the_ledger_is_found() -> None:
    page = _submit(_batch())
    Assignment.objects.filter(pk=page.pk).update(owed=False)
    assert [line[: len(f"page {page.pk}")] for line in verify_books()] == [f"page {page.pk}"]


def test_a_cap_gives_out_as_many_pages_as_it_can_pay() -> None:
    batch = _batch(cap=50)
    first = claim_page(make_worker(batch.project))
    second = claim_page(make_worker(batch.project))
    assert _budget() == (40, 0)
    assert claim_maybe(make_worker(batch.project)) is None
    submit_page(first)
    return_page(worker_id=second.worker_id, assignment_id=second.pk)
    assert post_earnings(clock=lambda: LATER) == Posted(pages=1, released=1)
    assert _budget() == (0, 20)
    third = claim_page(make_worker(batch.project))
    assert third.bound
    assert _budget() == (20, 20)
    assert verify_books() == []


def test_a_late_page_is_paid_from_what_is_left_or_waits_for_a_higher_cap() -> None:
    batch = _batch(cap=20)
    late = claim_page(make_worker(batch.project))
    expire_leases(now=LATER)
    post_earnings(clock=lambda: LATER)
    assert _budget() == (0, 0)
    claim_page(make_worker(batch.project), now=LATER)
    submit_page(late, now=LATER)
    assert post_earnings(clock=lambda: LATER).refused == 1
    problem = Problem.objects.get(key=f"owed:{batch.pk}", closed_at=None)
    assert problem.kind == Problem.Kind.UNPAID
    assert _budget() == (20, 0)
    data = settings_of(batch).to_json()
    data["crowd"]["cap"] = 40
    change_settings(batch=batch, settings=parse_settings(data))
    assert post_earnings(clock=lambda: LATER) == Posted(pages=1)
    assert _budget() == (20, 20)
    problem.refresh_from_db()
    assert problem.closed_at == LATER
    assert verify_books() == []


def test_what_is_missing_to_the_wage_floor_is_bound_and_added() -> None:
    # Two of ten items take 15 of the paper's 75 seconds. At 1440 an hour, that is 6.
    batch = _batch(reward=4, cap=100, hourly_wage=1440)
    page = claim_page(make_worker(batch.project))
    assert _budget() == (6, 0)
    submit_page(page)
    post_earnings(clock=lambda: LATER)
    assert _budget() == (2, 4), "nobody knows yet how long pages take here"
    Batch.objects.update(state=Batch.State.FINISHED)
    assert post_earnings(clock=lambda: LATER) == Posted(pages=1)
    assert post_earnings(clock=lambda: LATER) == Posted()
    kinds = {entry.token.partition(":")[2]: entry for entry in LedgerEntry.objects.filter(kind="earn")}
    assert kinds.keys() == {f"page:{page.pk}", f"top-up:{page.pk}"}
    assert {line.account: line.amount for line in kinds[f"top-up:{page.pk}"].lines.all()} == {
        "bonuses": 2,
        "payable": -2,
        "reserved": -2,
        "funds": 2,
    }
    assert _budget() == (0, 6)
    assert verify_books() == []


def test_what_was_bound_and_not_needed_is_let_go_with_the_page() -> None:
    batch = _batch(reward=4, cap=100, hourly_wage=1440)
    page = claim_page(make_worker(batch.project))
    data = settings_of(batch).to_json()
    data["crowd"]["top_up"] = False
    change_settings(batch=batch, settings=parse_settings(data))
    submit_page(page)
    post_earnings(clock=lambda: LATER)
    assert _budget() == (0, 4)
    assert verify_books() == []


@pytest.mark.django_db(transaction=True)
def test_workers_who_claim_at_once_take_no_more_than_the_cap_pays() -> None:
    batch = _batch(reward=30, images=12, cap=100)
    workers = [make_worker(batch.project) for _ in range(10)]
    found = at_once([partial(claim_maybe, worker, now=NOW) for worker in workers])
    assert sum(claim is not None for claim in found) == 3
    assert _budget() == (90, 0)
    assert Assignment.objects.count() == 3
    assert verify_books() == []


@pytest.mark.django_db(transaction=True)
def test_two_who_post_at_once_owe_each_page_once() -> None:
    batch = _batch()
    for _ in range(5):
        _submit(batch)
    at_once([partial(post_earnings, clock=lambda: LATER)] * 4)
    assert _budget() == (0, 100)
    assert verify_books() == []


def test_the_stages_own_median_decides_once_there_are_enough_pages() -> None:
    batch = _batch(reward=4, images=24, cap=10_000, hourly_wage=1440)
    for _ in range(ENOUGH_PAGES):
        _submit(batch)
    # 30 seconds at 1440 an hour are 12. By the paper's time it would be 6.
    Assignment.objects.update(submitted_at=NOW + timedelta(seconds=30))
    assert post_earnings(clock=lambda: LATER) == Posted(pages=ENOUGH_PAGES)
    assert _budget() == (0, 12 * ENOUGH_PAGES)
    claim_page(make_worker(batch.project))
    assert _budget()[0] == 12, "and from now on that is what is bound for a page"


def test_entries_have_the_time_at_which_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written after midnight must not fall into a payroll period that may be paid by now."""
    monkeypatch.setattr("workflows.crowd.direct.page_earnings.PAGES_AT_ONCE", 1)
    batch = _batch()
    for _ in range(3):
        _submit(batch)
    hours = iter(range(99))
    post_earnings(clock=lambda: LATER + timedelta(hours=next(hours)))
    times = list(LedgerEntry.objects.order_by("pk").values_list("created_at", flat=True))
    assert [after - before for before, after in pairwise(times)] == [timedelta(hours=1)] * 2
