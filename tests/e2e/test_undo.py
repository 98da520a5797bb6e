"""A researcher takes a decision back in the browser: one press leads to what follows, one more does it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from annotation.models import Chain
from tests.e2e.axe import check_accessible
from tests.e2e.researcher import log_in
from tests.e2e.site import Site


def test_a_decision_is_undone_from_its_message_and_seen_in_the_history(site: Site, page: Page) -> None:
    site.open("coverage", items=1)
    chain = Chain.objects.filter(state="coverage").order_by("pk")[0]
    log_in(page, f"{site.url}/admin/review/chain/{chain.pk}/")
    page.get_by_label("What happens next").select_option("done")
    page.get_by_role("button", name="Decide", exact=True).click()
    expect(page.get_by_text("Decided about")).to_be_visible()
    page.locator(".messagelist").get_by_role("link", name="Undo").click()
    expect(page.get_by_role("heading", name="What this does")).to_be_visible()
    check_accessible(page)
    page.get_by_role("button", name="Undo this decision").click()
    expect(page.get_by_text("The decision was undone.")).to_be_visible()
    chain.refresh_from_db()
    assert chain.state == "coverage"
    page.goto(f"{site.url}/admin/images/{chain.work.image_id}/history/")
    expect(page.get_by_text("A decision was undone")).to_be_visible()
    check_accessible(page)
