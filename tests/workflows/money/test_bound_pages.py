"""Money that is reserved for pages of direct workers."""

from __future__ import annotations

import pytest

from annotation.models import Assignment
from tests.factories import LATER, claim_page, make_running, make_worker, submit_page
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.settings_edits import change_settings
from workflows.crowd.direct.page_earnings import post_earnings
from workflows.crowd.payments.book_check import verify_books
from workflows.money.models import Budget

pytestmark = pytest.mark.django_db


def test_a_page_bound_for_a_wage_floor_that_is_none_by_now_is_let_go() -> None:
    batch = make_running([["man"], ["man"]], images=3, crowd={"cap": 100, "hourly_wage": 1440})
    page = claim_page(make_worker(batch.project))
    assert Budget.objects.get().reserved > 0
    data = settings_of(batch).to_json()
    data["crowd"]["hourly_wage"] = 0
    change_settings(batch=batch, settings=parse_settings(data))
    submit_page(page)
    post_earnings(clock=lambda: LATER)
    assert Budget.objects.get().reserved == 0
    assert not Assignment.objects.filter(bound=True).exists()
    assert verify_books() == []
