"""A page that is sent five seconds after its last answer, if the worker has chosen that."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from annotation.domain.answers import Stage
from tests.e2e.axe import check_accessible
from tests.e2e.devices import DESK, LARGE_DESK, LARGE_TABLET, PHONE, TABLET
from tests.e2e.hard_pages import keeping, open_hard_page
from tests.e2e.watch import Watch
from tests.e2e.working import question
from tests.selection import and_nightly


@pytest.fixture(
    params=and_nightly(
        [PHONE], [(one,) for one in (DESK, TABLET, LARGE_TABLET, LARGE_DESK)], "other sizes, the same parts"
    ),
    ids=lambda device: str(device["viewport"]["width"]),
)
def page(browser: Browser, watch: Watch, request: pytest.FixtureRequest) -> Page:
    chosen = keeping({"groundcrew-sends-by-itself": "yes"})
    context = browser.new_context(
        service_workers="block", storage_state=chosen, reduced_motion="reduce", **request.param
    )
    context.set_default_timeout(30_000)
    watch.attach(context)
    return open_hard_page(context, Stage.REQUIREMENT)


def test_it_is_sent_unless_the_worker_stops_it(page: Page) -> None:
    sent: list[Request] = []
    page.on("request", lambda one: sent.append(one) if one.url.endswith("/submission") else None)
    for number in (1, 2):
        question(page, number, 2)
        page.keyboard.press("1")
    stop = page.get_by_role("button", name="Do not send it yet")
    expect(stop).to_be_focused()
    expect(page.get_by_role("alert").filter(has_text="This page is sent in 5 seconds.")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("alert").filter(has_text="The page is not sent.")).to_have_count(1)
    expect(page.get_by_role("heading", name="Your answers")).to_be_focused()
    check_accessible(page)
    page.wait_for_timeout(6000)
    assert not sent
    # Changing an answer afterwards does not start it again: the worker looks the answers over.
    page.keyboard.press("Backspace")
    question(page, 2, 2)
    page.keyboard.press("2")
    page.get_by_role("heading", name="Your answers").wait_for()
    expect(stop).to_have_count(0)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Page done").wait_for()
    # The next page is left alone.
    page.keyboard.press("Enter")
    for number in (1, 2):
        question(page, number, 2)
        page.keyboard.press("1")
    expect(stop).to_be_focused()
    check_accessible(page)
    page.get_by_role("heading", name="Page done").wait_for()
    assert len(sent) == 2
    page.context.close()
