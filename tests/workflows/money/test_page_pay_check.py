"""`verify_ledger` compares what pages earned with the pages."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Assignment, Batch
from tests.factories import NOW, claim_page, make_running, make_worker, submit_page
from workflows.core.audit_log import record_action
from workflows.crowd.direct.page_earnings import post_earnings
from workflows.money.earnings import record_earning
from workflows.money.models import Budget
from workflows.money.page_pay_check import wrong_caps, wrong_page_pay

pytestmark = pytest.mark.django_db


@pytest.fixture
def page() -> Assignment:
    batch = make_running([["man", "dog"], ["man", "dog"]], reward={"link": 125}, items_a_page={"link": 1})
    page = claim_page(make_worker(batch.project))
    submit_page(page)
    post_earnings(clock=lambda: NOW)
    return page


def earn(page: Assignment, token: str, **amounts: int) -> None:
    about: dict[str, Any] = {
        "batch_id": page.batch_id,
        "worker_id": page.worker_id,
        "assignment_id": page.pk,
        **amounts,
    }
    record_earning(token=token, now=NOW, **about)


def test_a_page_that_earned_its_reward_is_right(page: Assignment) -> None:
    assert list(wrong_page_pay(None)) == []
    assert list(wrong_page_pay(page.batch.project_id)) == []


def test_a_second_reward_of_a_page_is_named(page: Assignment) -> None:
    earn(page, f"again:{page.pk}", rewards=125)
    (line,) = wrong_page_pay(page.batch.project_id)
    assert line.startswith(f"earn:again:{page.pk}: it pays the reward of page {page.pk}, which has its own")


def test_extra_pay_needs_an_entry_of_the_audit_log(page: Assignment) -> None:
    earn(page, f"part:{page.pk}", bonuses=7)
    wrong = [f"page {page.pk}: it has extra pay that nobody gave it by the audit log"]
    assert list(wrong_page_pay(None)) == wrong
    record_action(by="ada", action="crowd.part", now=NOW, detail={"page": str(page.pk), "amount": 6})
    assert list(wrong_page_pay(None)) == wrong
    record_action(by="ada", action="crowd.part", now=NOW, detail={"page": str(page.pk), "amount": 1})
    assert list(wrong_page_pay(None)) == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"reward": 124}, "it pays 1.25 USD, and the page was promised 1.24 USD"),
        ({"worker": None}, "has another worker, batch, currency or state"),
        ({"currency": "EUR"}, "has another worker, batch, currency or state"),
        ({"state": "returned"}, "has another worker, batch, currency or state"),
    ],
)
def test_a_paid_page_that_was_changed_is_named(page: Assignment, change: dict[str, Any], says: str) -> None:
    if "worker" in change:
        change = {"worker": make_worker(page.batch.project)}
    Assignment.objects.filter(pk=page.pk).update(**change)
    (line,) = wrong_page_pay(None)
    assert line.startswith(f"earn:page:{page.pk}: ")
    assert line.endswith(says)


def test_a_cap_that_is_not_that_of_the_settings_is_named(page: Assignment) -> None:
    Budget.objects.update(cap=1000)
    batch = Batch.objects.get()
    assert list(wrong_caps(None)) == [f"batch {batch.pk}: its budget has the cap 1000, its settings None"]
