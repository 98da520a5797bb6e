"""There is no network, or half of one, or something else replies: no answer is lost, and none comes twice."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from annotation.models import Judgment
from tests.e2e.keeping import (
    API,
    CLAIM,
    NO,
    SUBMISSION,
    UNREACHED,
    YES,
    LostReplies,
    answer_all,
    at_overview,
    delivered,
    press,
    ready_for_no_network,
    requests_over,
    requests_to,
    said,
    sending,
    start,
)
from tests.e2e.site import Site, wait_for
from tests.e2e.watch import Watch

MAX_WAIT_MS = 65_000
"""It is longer than the time between two tries after any number of failures."""

OVERVIEW = "**/Overview-*.js"

LOGIN = "<!doctype html><title>Welcome to the hotel</title><p>Accept the terms to go on.</p>"
IN_THE_SERVERS_PLACE: dict[str, dict[str, Any]] = {
    "a captive portal": {"status": 200, "content_type": "text/html", "body": LOGIN},
    "a portal that redirects": {"status": 302, "headers": {"Location": "/healthz"}, "body": ""},
    "a proxy with JSON of its own": {"status": 200, "content_type": "application/json", "body": "{}"},
    "a proxy that has nothing to say": {"status": 200, "content_type": "application/json", "body": ""},
    "an empty success": {"status": 204},
    "a proxy without a server": {"status": 502, "content_type": "text/html", "body": "Bad Gateway"},
    "a broken server": {"status": 500, "content_type": "application/problem+json", "body": "{}"},
}


@pytest.fixture(autouse=True)
def expected(watch: Watch) -> None:
    watch.allow(UNREACHED)


@pytest.mark.journey
def test_the_network_goes_and_comes_back(site: Site, page: Page) -> None:
    start(page, site, items=4)
    ready_for_no_network(page, photographs=4)
    press(page, 1, 4, "y")
    page.context.set_offline(True)
    said(page, "No network. Go on working: your answers are kept on this device.")
    press(page, 2, 4, "n")
    press(page, 3, 4, "y")
    press(page, 4, 4, "k")
    press(page, 3, 4, "n")
    page.context.set_offline(False)
    expect(page.get_by_text("No network.")).to_have_count(0)
    press(page, 4, 4, "y")
    at_overview(page)
    page.context.set_offline(True)
    said(page, "No network.")
    page.keyboard.press("Enter")
    sending(page)
    expect(page.get_by_text("The answers are kept, and sent as soon as it is back")).to_be_visible()
    assert not Judgment.objects.filter(worker=site.worker()).exists()
    page.context.set_offline(False)
    delivered(page, site, [YES, NO, NO, YES])


def test_what_was_sent_without_a_network_arrives_from_another_tab(site: Site, page: Page) -> None:
    site.open("requirement", items=1)
    start(page, site, items=2)
    ready_for_no_network(page, photographs=2)
    page.context.set_offline(True)
    answer_all(page, "yn")
    page.keyboard.press("Enter")
    sending(page)
    page.close()
    page = page.context.new_page()
    page.context.set_offline(False)
    page.goto(site.worker_link("requirement"))
    wait_for(page, lambda: site.judgments("link"))
    assert [judgment.answer for judgment in site.judgments("link")] == [YES, NO]
    assert Judgment.objects.filter(worker=site.worker()).count() == 2


def test_a_page_that_lost_the_network_at_once_is_finished_after_a_reload(site: Site, page: Page) -> None:
    """It lost the network before anything except the first question was loaded."""
    page.route(OVERVIEW, lambda route: route.abort())  # otherwise it could load before the network is cut
    start(page, site, items=1)
    page.context.set_offline(True)
    page.keyboard.press("y")
    page.get_by_text("The connection may be gone. Your answers are kept.").wait_for()
    page.context.set_offline(False)
    page.unroute(OVERVIEW)
    page.reload()
    at_overview(page)
    page.keyboard.press("Enter")
    delivered(page, site, [YES])


@pytest.mark.both_databases
def test_the_reply_to_a_submission_is_lost(site: Site, page: Page) -> None:
    start(page, site)
    lost = LostReplies()
    page.route(SUBMISSION, lost)
    answer_all(page, "yny")
    with page.expect_response(lambda reply: reply.url.endswith("/submission")) as again:
        page.keyboard.press("Enter")
    assert (lost.replies[0].status, again.value.status) == (201, 200)
    assert again.value.json() == lost.replies[0].json()
    delivered(page, site, [YES, NO, YES])


def test_the_reply_to_a_claim_is_lost(site: Site, page: Page) -> None:
    site.open("link", items=20)
    lost = LostReplies()
    page.route(CLAIM, lost)
    with page.expect_response(lambda reply: reply.url.endswith("/assignments")) as again:
        page.goto(site.worker_link("link"))
    assert (lost.replies[0].status, again.value.status) == (201, 200)
    assert again.value.json()["id"] == lost.replies[0].json()["id"]
    assert len(site.assignments("link")) == 1


def test_nothing_but_the_servers_word_is_taken_for_success(site: Site, page: Page) -> None:
    page.clock.install()
    start(page, site, items=2)
    answer_all(page, "yn")
    over = requests_over(page.context, "/submission")
    for tries, (who, reply) in enumerate(IN_THE_SERVERS_PLACE.items()):
        page.route(API, partial(_answers_with, reply))
        if tries == 0:
            page.keyboard.press("Enter")
        else:
            page.clock.fast_forward(MAX_WAIT_MS)
        # Only now does it set a time for the next try. If the clock was put forward, this try would end.
        wait_for(page, lambda: len(over) > tries)  # noqa: B023  (called at once)
        page.wait_for_timeout(100)
        expect(page.get_by_role("heading", name="Sending your answers"), who).to_be_visible()
        # Look now: once the way is free, the next try may happen at any moment.
        assert not Judgment.objects.filter(worker=site.worker()).exists(), who
        page.unroute(API)
    page.clock.fast_forward(MAX_WAIT_MS)
    delivered(page, site, [YES, NO])


def test_a_busy_server_is_given_the_time_it_asks_for(site: Site, page: Page) -> None:
    page.clock.install()
    start(page, site, items=1)
    answer_all(page, "y")
    asked, over = (watched(page.context, "/submission") for watched in (requests_to, requests_over))

    page.route(SUBMISSION, partial(_answers_with, {"status": 503, "headers": {"Retry-After": "40"}}))
    page.keyboard.press("Enter")
    wait_for(page, lambda: over)
    page.wait_for_timeout(200)
    page.clock.fast_forward(30_000)
    page.wait_for_timeout(200)
    assert len(asked) == 1
    page.unroute(SUBMISSION)
    page.clock.fast_forward(25_000)
    delivered(page, site, [YES])
    assert len(asked) == 2


def _answers_with(reply: dict[str, Any], route: Route) -> None:
    route.fulfill(**reply)
