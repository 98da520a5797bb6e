"""Tokens and leases that end in the middle of a page, several tabs, and browsers that store nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Assignment, Item
from tests.e2e.conftest import NewContext
from tests.e2e.crowd import judge
from tests.e2e.keeping import (
    API,
    NO,
    UNREACHED,
    YES,
    answer_all,
    at_overview,
    delivered,
    press,
    ready_for_no_network,
    requests_to,
    said,
    saved,
    sending,
    start,
)
from tests.e2e.site import Site, wait_for
from tests.e2e.watch import Watch
from tests.e2e.working import begin, question
from workflows.assignments.leases import expire_leases
from workflows.workers.sign_ins import end_sign_ins

REJECTED: dict[str, Any] = {"status": 401, "content_type": "application/problem+json", "body": "{}"}
OVER = "Time is over. You can still send the page: what is still needed counts."
IN_MEMORY = "This browser cannot save your answers. Keep this tab open until the page is sent."

NO_STORAGE = """
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { get() { throw new DOMException("forbidden", "SecurityError"); } });
"""
FORBIDDEN = (
    NO_STORAGE
    + """
  IDBFactory.prototype.open = () => { throw new DOMException("forbidden", "SecurityError"); };"""
)
HANGING = NO_STORAGE + "IDBFactory.prototype.open = () => new EventTarget();"


@pytest.fixture(autouse=True)
def expected(watch: Watch) -> None:
    watch.allow(UNREACHED)


def test_sign_ins_that_a_researcher_ends_in_the_middle_lose_nothing(site: Site, page: Page) -> None:
    start(page, site, items=3)
    press(page, 1, 3, "y")
    press(page, 2, 3, "n")
    question(page, 3, 3)
    end_sign_ins(worker_id=site.worker().pk)
    page.keyboard.press("y")
    at_overview(page)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Sign in").wait_for()
    expect(page.get_by_text("Your answers are kept on this device. Open your newest link")).to_be_visible()
    page.reload()
    _sign_in(page, site.worker_link())
    delivered(page, site, [YES, NO, YES])


def test_another_workers_token_shows_nothing_of_the_first_ones(site: Site, page: Page) -> None:
    site.open("link", items=6, items_a_page={"link": 3})
    page.goto(site.worker_link("link"))
    begin(page)
    press(page, 1, 3, "n")
    question(page, 2, 3)
    page.route(API, lambda route: route.fulfill(**REJECTED))
    page.reload()
    page.get_by_role("heading", name="Sign in").wait_for()
    page.unroute(API)
    _sign_in(page, site.worker_link(name="bob"))
    press(page, 1, 3, "y")
    press(page, 2, 3, "y")
    press(page, 3, 3, "y")
    at_overview(page)
    page.keyboard.press("Enter")
    delivered(page, site, [YES, YES, YES], name="bob")
    page.goto("about:blank")
    page.goto(site.worker_link("link"))
    press(page, 2, 3, "n")
    press(page, 3, 3, "y")
    at_overview(page)
    page.keyboard.press("Enter")
    delivered(page, site, [NO, NO, YES])


@pytest.mark.journey
@pytest.mark.both_databases
def test_a_lease_that_ends_is_told_and_what_is_needed_counts(site: Site, page: Page) -> None:
    page.clock.install()
    start(page, site, items=3)
    press(page, 1, 3, "y")
    question(page, 2, 3)
    (held,) = site.assignments("link")
    Assignment.objects.filter(pk=held.pk).update(expires_at=datetime.now(UTC))
    assert expire_leases(now=datetime.now(UTC)) <= 1  # the site's own sweep may have been faster
    wait_for(page, lambda: site.assignments("link")[0].state == Assignment.State.EXPIRED)
    taken = Item.objects.get(pk=held.items[1])
    for _ in range(taken.needed - taken.judged):
        judge(taken, NO)
    page.clock.fast_forward(16 * 60_000)
    said(page, OVER)
    press(page, 2, 3, "n")
    press(page, 3, 3, "y")
    at_overview(page)
    said(page, OVER)
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 answers were taken.")).to_be_visible()
    expect(page.get_by_text("1 came too late to be needed.")).to_be_visible()
    (page_sent,) = site.assignments("link")
    assert page_sent.state == Assignment.State.SUBMITTED
    assert [(j.item_id, j.answer) for j in site.judgments("link")] == [
        (held.items[0], YES),
        (held.items[2], YES),
    ]


def test_a_lease_is_renewed_while_the_worker_is_there(site: Site, page: Page) -> None:
    page.clock.install()
    start(page, site, items=3, lease_seconds=600)
    renewals = requests_to(page.context, "/renewal")
    before = site.assignments("link")[0].expires_at
    page.clock.fast_forward(9 * 60_000)
    said(page, "This page is yours for one more minute. Working on it keeps it.")
    assert renewals == []
    press(page, 1, 3, "y")
    page.clock.fast_forward(2_000)
    wait_for(page, lambda: site.assignments("link")[0].expires_at > before)
    assert len(renewals) == 1
    expect(page.get_by_text("This page is yours for")).to_have_count(0)


def test_two_tabs_do_not_fight(site: Site, page: Page) -> None:
    start(page, site, items=3)
    press(page, 1, 3, "y")
    question(page, 2, 3)
    saved(page)
    other = page.context.new_page()
    other.goto(f"{site.url}/work/link/")
    press(other, 2, 3, "n")
    question(other, 3, 3)
    saved(other)
    page.get_by_role("heading", name="Open in another tab").wait_for()
    page.keyboard.press("y")  # this key answers nothing
    page.get_by_role("button", name="Go on here").click()
    question(page, 3, 3)
    other.get_by_role("heading", name="Open in another tab").wait_for()
    page.keyboard.press("y")
    at_overview(page)
    page.keyboard.press("Enter")
    delivered(page, site, [YES, NO, YES])
    other.get_by_role("heading", name="Page done").wait_for()
    assert len(site.assignments("link")) == 1


def test_a_tab_that_hears_nothing_of_the_other_does_not_overwrite_it(
    site: Site, new_context: NewContext
) -> None:
    context = new_context()
    context.add_init_script("delete window.BroadcastChannel")
    page = context.new_page()
    start(page, site, items=2)
    other = context.new_page()
    other.goto(f"{site.url}/work/link/")
    press(other, 1, 2, "n")
    question(other, 2, 2)
    press(page, 1, 2, "y")
    page.get_by_role("heading", name="Open in another tab").wait_for()
    press(other, 2, 2, "n")
    at_overview(other)
    other.keyboard.press("Enter")
    delivered(other, site, [NO, NO])


@pytest.mark.parametrize("script", [FORBIDDEN, HANGING], ids=["forbidden", "hanging"])
def test_without_storage_it_says_so_and_works(site: Site, new_context: NewContext, script: str) -> None:
    context = new_context()
    context.add_init_script(script)
    page = context.new_page()
    start(page, site, items=2)
    said(page, IN_MEMORY)
    ready_for_no_network(page)
    answer_all(page, "ny")
    context.set_offline(True)
    page.keyboard.press("Enter")
    sending(page)
    context.set_offline(False)
    # If a database hangs, each step waits for it.
    delivered(page, site, [NO, YES], patience_ms=30_000)


def _sign_in(page: Page, link: str) -> None:
    page.get_by_label("Link or token").fill(link)
    page.get_by_role("button", name="Sign in").click()
