from __future__ import annotations

from fractions import Fraction

import pytest

from annotation.domain.answers import Stage
from annotation.models import Assignment, Judgment
from tests.factories import LATER, NOW, answer_page, make_at_stage, make_running, make_worker
from workflows.analysis.costs import costs_now, kept_costs_of_results
from workflows.analysis.counts.refresh import count_due
from workflows.analysis.domain.costs import Costs, ResultCost
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.direct.page_earnings import post_earnings
from workflows.money.domain.wage_floor import ENOUGH_PAGES, PageTime
from workflows.money.ledger import commit, reserve
from workflows.money.page_times import page_times
from workflows.pipeline.advance import advance_pending

pytestmark = pytest.mark.django_db


def test_an_accepted_box_costs_all_that_was_paid_on_its_way() -> None:
    reward = dict.fromkeys(map(str, Stage), 10)
    batch = make_at_stage(Stage.DRAWING, reward=reward)
    for stage in (Stage.DRAWING, Stage.QUALITY):
        answer_page(make_worker(batch.project), stage=stage)
        advance_pending(now=NOW)
    pages = Assignment.objects.filter(state=Assignment.State.SUBMITTED).count()
    post_earnings(clock=lambda: LATER)
    reserve(batch_id=batch.pk, token="hit", amount=30, currency="USD", now=NOW)
    commit(token="pay", reserved_under="hit", bonuses=10, fees=5, now=NOW)
    found = costs_now(batch, now=LATER)
    assert (found.rewards, found.bonuses, found.fees, found.reserved) == (10 * pages, 10, 5, 15)
    assert found.payable == 10 * pages
    boxes = found.outcome.boxes
    assert boxes >= 1
    assert found.results[0] == ResultCost("accepted box", boxes, Fraction(10 * pages + 15, boxes))
    count_due(clock=lambda: LATER)
    assert kept_costs_of_results(batch, spent=found.spent) == found.results
    assert found.stages[Stage.DRAWING] == 10
    assert sum(found.stages.values()) == 10 * pages


def test_a_batch_without_money_costs_nothing() -> None:
    assert costs_now(make_running([["man"], ["man"]]), now=NOW) == Costs("USD")


@pytest.mark.usefixtures("unguarded")
def test_the_time_of_a_page_is_what_its_answers_took_together() -> None:
    batch = make_running([["man"] * 2] * 3, images=ENOUGH_PAGES, items_a_page={"link": 2})
    settings = settings_of(batch)
    for number in range(ENOUGH_PAGES):
        if number == ENOUGH_PAGES - 1:
            assert page_times(batch.pk, settings, ["link"])["link"] == PageTime(15_000, 0)
        answer_page(make_worker(batch.project), stage="link")
    Assignment.objects.update(submitted_at=LATER)
    Judgment.objects.update(seconds=4.5)
    assert page_times(batch.pk, settings, ["link"])["link"] == PageTime(9_000, ENOUGH_PAGES)
