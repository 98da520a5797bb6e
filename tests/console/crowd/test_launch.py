"""Before a launch: what everything costs, what is missing, and confirming real money by the batch's name."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from annotation.models import Batch
from tests.console.batches.form_data import acts, filled
from tests.console.crowd.crowd_rows import make_crowd_batch, make_full_batch, with_account
from workflows.platforms.provider import Environment

pytestmark = pytest.mark.django_db


def _launch(batch: Batch) -> str:
    return reverse("batches:move", args=[batch.pk, "launch"])


def test_what_is_missing_is_said_before_and_nothing_is_launched(manager: Client) -> None:
    batch = make_crowd_batch(launch=False)
    page = manager.get(_launch(batch)).content.decode()
    assert "GROUNDCREW_MTURK_SECRET" in page and "GROUNDCREW_SITE" in page and "disabled" in page
    reply = manager.post(_launch(batch), filled(manager, _launch(batch)))
    batch.refresh_from_db()
    assert (reply.status_code, batch.state) == (409, "draft") and not acts().exists()


def test_real_money_takes_the_batchs_name(manager: Client) -> None:
    batch = make_crowd_batch(launch=False)
    with with_account(Environment.LIVE), override_settings(LIVE_MONEY=True):
        shown = filled(manager, _launch(batch))
        for name in ({}, {"name": "other"}):
            reply = manager.post(_launch(batch), shown | name)
            assert reply.status_code == 409 and "real money" in reply.content.decode()
        manager.post(_launch(batch), shown | {"name": "main"})
    batch.refresh_from_db()
    assert batch.state == "running"
    assert acts().get().detail == {"without_pictures": False, "provider": "mturk", "environment": "live"}


def test_a_sandbox_takes_no_name(manager: Client) -> None:
    batch = make_crowd_batch(launch=False)
    with with_account():
        manager.post(_launch(batch), filled(manager, _launch(batch)))
    batch.refresh_from_db()
    assert batch.state == "running"


def test_fees_and_top_ups_are_in_what_it_costs(viewer: Client) -> None:
    """A page of links takes 75 s, so 12.00 an hour are 25 cents.

    A page of drawing takes 134 s, so 45 cents.
    """
    batch = make_crowd_batch(launch=False, hourly_wage=1200, cap=1)
    with with_account():
        reply = viewer.get(reverse("batches:forecast", args=[batch.pk]))
    costs: Any = reply.context["outlook"].costs
    price = {one.name: one for one in costs.prices}
    assert (price["Coreference link"].fee, price["Coreference link"].short) == ("0.05 USD", "")
    drawing = price["Box drawing"]
    assert (drawing.seconds, drawing.short, drawing.top_up) == ("134 s, usual", "0.20 USD", "0.24 USD")
    assert costs.over, "the upper end is beyond a cap of a cent"
    page = reply.content.decode()
    assert "the upper estimate exceeds it by" in page and "0.20 USD a page" in page


def test_from_ten_places_on_the_fee_is_another(viewer: Client) -> None:
    batch = make_crowd_batch(launch=False, places=10, masters=True)
    costs: Any = viewer.get(reverse("batches:forecast", args=[batch.pk])).context["outlook"].costs
    assert costs.prices[0].fee == "0.11 USD", "45% of 25 cents"


def test_the_dashboards_take_what_was_spent_from_the_ledger(viewer: Client) -> None:
    batch, _, _ = make_full_batch()
    for name, pk in (("dashboards:batch", batch.pk), ("dashboards:project", batch.project_id)):
        tiles = {one.title: one for one in viewer.get(reverse(name, args=[pk])).context["tiles"]}
        cost = tiles["Cost so far"]
        assert cost.value == "0.30 USD" and "0.90 USD reserved" in cost.note


@pytest.mark.parametrize("action", ["pause", "cancel"])
def test_what_stops_a_batch_says_what_the_ledger_has_and_that_publications_end(
    manager: Client, action: str
) -> None:
    batch, _, _ = make_full_batch()
    with with_account():
        page = manager.get(reverse("batches:move", args=[batch.pk, action])).content.decode()
    assert "0.30 USD spent so far, fees included, and 0.90 USD reserved" in page
    assert "1 bonus (1.00 USD, failed)" in page and "(0.10 USD, waits for the cap)" in page
    assert "Publications on Mechanical Turk end" in page and "that were not taken is released" in page
    assert "promised for pages" not in page
    batch.refresh_from_db()
    assert batch.state == "running"


@pytest.mark.parametrize(
    ("cap", "says"),
    [(50_000, "the total stays within the cap of 500.00 USD"), (None, "because the batch has no cap")],
)
def test_a_launch_says_what_holds_its_money(manager: Client, cap: int | None, says: str) -> None:
    batch = make_crowd_batch(launch=False, cap=cap)
    with with_account():
        assert says in manager.get(_launch(batch)).content.decode()
