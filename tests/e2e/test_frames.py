"""In a frame of another site, as on crowd platforms: there are no cookies, and storage may be missing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Frame, Page

from tests.e2e.conftest import NewContext, StartSite
from tests.e2e.platform import Platform, platform
from tests.e2e.site import Site, wait_for
from tests.e2e.watch import Watch
from tests.e2e.working import begin, press_answers
from tests.selection import and_nightly

REFUSED = "frame-ancestors"


@pytest.fixture(scope="module")
def outside() -> Iterator[Platform]:
    with platform() as outside:
        yield outside


@pytest.fixture(autouse=True)
def expected(watch: Watch) -> None:
    watch.hosts.add("localhost")


@pytest.fixture
def framed_site(shared_site: StartSite, outside: Platform) -> Site:
    """Return a site that this platform may show in a frame."""
    return shared_site(GROUNDCREW_FRAME_ANCESTORS=outside.origin)


def test_a_page_is_worked_on_without_cookies(
    framed_site: Site, outside: Platform, new_context: NewContext
) -> None:
    page = new_context(viewport={"width": 1280, "height": 800}).new_page()
    work = _open(page, framed_site, outside)
    _answer_all(page, work, framed_site)
    assert page.context.cookies() == []


@pytest.mark.full_chromium
def test_it_is_worked_on_where_nothing_can_be_stored(
    framed_site: Site, outside: Platform, storing_nothing: BrowserContext
) -> None:
    page = storing_nothing.new_page()
    work = _open(page, framed_site, outside)
    assert work.evaluate(
        "(() => { try { return !!localStorage } catch (error) { return error.name } })()"
    ) == ("SecurityError")
    _answer_all(page, work, framed_site)
    assert storing_nothing.cookies() == []


@pytest.mark.parametrize(
    "ancestors",
    and_nightly(
        ["https://platform.example.org"],
        ["", "self"],
        "tests/config/test_content_security.py holds what the policy says",
    ),
)
def test_other_sites_may_not_frame_it(
    shared_site: StartSite, outside: Platform, page: Page, watch: Watch, ancestors: str
) -> None:
    watch.allow(REFUSED)
    site = shared_site(GROUNDCREW_FRAME_ANCESTORS=ancestors)
    outside.framed = f"{site.url}/work/preview/link/"
    page.goto(outside.origin)
    wait_for(page, lambda: (frame := page.frame("work")) and frame.url.startswith("chrome-error:"))
    wait_for(page, lambda: any(REFUSED in trouble for trouble in watch.troubles))


def _open(page: Page, site: Site, outside: Platform) -> Frame:
    """Return the frame, once it shows the first picture of four link items."""
    site.open("link", items=4)
    outside.framed = site.worker_link("link")
    with page.expect_response(lambda reply: "/media/" in reply.url):
        page.goto(outside.origin)
    page.wait_for_load_state("networkidle")
    frame = page.frame("work")
    assert frame and frame.url == f"{site.url}/work/link/", "the token stays in the address"
    return frame


def _answer_all(page: Page, work: Frame, site: Site) -> None:
    """Answer by keys, and submit from the overview."""
    right = site.right_answers("link")
    begin(work)
    press_answers(page, work, ["y" if answer["same"] else "n" for answer in right])
    page.keyboard.press("Enter")
    given = wait_for(page, lambda: site.judgments("link"))
    assert [judgment.answer for judgment in given] == right
    assert len(given) == 4
