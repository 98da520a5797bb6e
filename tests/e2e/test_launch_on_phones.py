"""The page of a launch on a phone."""

from __future__ import annotations

from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.console.batches.test_money import paid
from tests.e2e.researcher import log_in
from tests.e2e.site import Site


def test_the_table_of_stages_does_not_push_the_launch_off_a_phone(site: Site, page: Page) -> None:
    """Opened, it made all of *Is it ready?* wider than the screen."""
    site.open("coverage", items=1)
    batch = paid(10, provider="direct")
    page.set_viewport_size({"width": 360, "height": 800})
    log_in(page, site.url + reverse("batches:move", args=[batch.pk, "launch"]))
    page.get_by_text("By stage", exact=True).click()
    expect(page.get_by_role("columnheader", name="Full pages of the batch")).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
