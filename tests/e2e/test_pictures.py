"""Photographs that do not come, or late, or whose links have expired: nobody answers without seeing them."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.keeping import UNREACHED, YES, at_overview, delivered
from tests.e2e.site import Site, wait_for
from tests.e2e.watch import Watch
from tests.e2e.working import UNREAD_MS, begin, question

MEDIA = "**/media/**"
PAGE = re.compile(r"/api/v1/assignments/[0-9a-f-]{36}$")


def _refuse(route: Route) -> None:
    route.fulfill(status=403, content_type="application/xml", body="<Code>AccessDenied</Code>")


def _pages_asked_for(page: Page) -> list[Request]:
    """Return a list to which requests for a page that was claimed before are added."""
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if PAGE.search(request.url) else None)
    return sent


def _still_at_the_first(page: Page) -> None:
    page.wait_for_timeout(UNREAD_MS)
    expect(page.get_by_label("Question 1 of 1", exact=True).and_(page.get_by_role("region"))).to_be_visible()
    expect(page.get_by_role("heading", name="Your answers")).to_have_count(0)


def test_a_photograph_that_is_refused_is_asked_for_again(site: Site, page: Page, watch: Watch) -> None:
    watch.allow(UNREACHED)
    site.open("link", items=1)
    asked = _pages_asked_for(page)
    page.route(MEDIA, _refuse)
    page.goto(site.worker_link("link"))
    begin(page)
    expect(page.get_by_text("The photograph cannot be loaded.")).to_be_visible()
    wait_for(page, lambda: asked)
    page.wait_for_timeout(1000)
    assert len(asked) == 1, "it asks without end"
    page.keyboard.press("y")
    _still_at_the_first(page)
    page.unroute(MEDIA)
    page.get_by_role("button", name="Try again").click()
    question(page, 1, 1)
    assert len(asked) == 2
    page.keyboard.press("y")
    at_overview(page)
    page.keyboard.press("Enter")
    delivered(page, site, [YES])


def test_a_link_that_ran_out_is_renewed_by_itself(site: Site, page: Page, watch: Watch) -> None:
    watch.allow(UNREACHED)
    site.open("drawing", items=1)

    def sign_anew(route: Route) -> None:
        reply = route.fetch()
        body = reply.json()
        for item in body["items"]:
            item["question"]["image"]["url"] += "?signed=anew"
        route.fulfill(response=reply, body=json.dumps(body))

    page.route(MEDIA, lambda route: route.continue_() if "anew" in route.request.url else _refuse(route))
    page.route(PAGE, sign_anew)
    page.goto(site.worker_link("drawing"))
    begin(page)
    question(page, 1, 1)
    page.keyboard.press("0")
    at_overview(page)


def test_no_key_answers_before_the_photograph_is_there(site: Site, page: Page) -> None:
    site.open("requirement", items=1)
    held: list[Route] = []
    page.route(MEDIA, lambda route: held.append(route))
    page.goto(site.worker_link("requirement"))
    begin(page)
    wait_for(page, lambda: held)
    page.wait_for_timeout(UNREAD_MS)
    page.keyboard.press("1")
    page.keyboard.press("y")
    _still_at_the_first(page)
    for route in held:
        route.continue_()
    question(page, 1, 1)
    page.keyboard.press("1")
    at_overview(page)
